# Completion of meniscus for bash. Options are read from the help of each command, so that they are never out of date.
_meniscus()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        # the lines of commands in the help begin with two blanks
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') --help --version" -- "$word")
        return
    fi
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$word")
        return
        ;;
    esac
    case $before in
    --set)
        # options of the scene, as `check` lists them
        local scene
        for scene in "${COMP_WORDS[@]:2}"; do
            case $scene in *.lua) ;; *) continue ;; esac
            mapfile -t COMPREPLY < <(compgen -S = -W "$("$program" check "$scene" 2>/dev/null | sed -n 's/^  \(options\|       \) *\([A-Za-z_0-9]*\) = .*/\2/p')" -- "$word")
            compopt -o nospace
        done
        return
        ;;
    --frames | --threads | --every | --size | --samples | --camera) return ;;
    esac
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames
}
complete -F _meniscus meniscus
