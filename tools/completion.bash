# Completion of memplan's tools in bash. It reads the options from --help, so that it
# is never out of date.

_memplan() {
  local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=() help
  COMPREPLY=()
  if [[ ${tool##*/} == memplan-graph ]]; then
    if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
      help=$("$tool" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
      mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
      return
    fi
    ((COMP_CWORD > 1)) && command=("${COMP_WORDS[1]}")
  fi
  if [[ $word == -* ]]; then
    help=$("$tool" "${command[@]}" --help 2>/dev/null |
      sed -n 's/^ *\(--[a-z][a-z0-9-]*=\{0,1\}\).*/\1/p' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
  compopt -o filenames 2>/dev/null
  return 0
}

complete -F _memplan memplan-graph memplan-opt memplan-solve memplan-translate
