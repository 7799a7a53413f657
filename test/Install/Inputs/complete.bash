# complete.bash PREFIX TOOL WORD...: prints the candidates of TOOL's installed
# completion for the last word.
prefix=$1
tool=$2
shift
source "$prefix/share/bash-completion/completions/$tool"
PATH=$prefix/bin:$PATH
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_memplan
printf '%s\n' "${COMPREPLY[@]}"
