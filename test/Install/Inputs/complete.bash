# complete.bash PREFIX TOOL WORD...: prints what the installed completion of TOOL
# makes of the words, the last of which is unfinished.
prefix=$1
tool=$2
shift
source "$prefix/share/bash-completion/completions/$tool"
PATH=$prefix/bin:$PATH
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_memplan
printf '%s\n' "${COMPREPLY[@]}"
