#include "memplan/Core/Problem.h"
