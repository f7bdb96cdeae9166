/// The scripts by which shells complete `scorectl`: each hands over what stands before the cursor,
/// and shows what `scorectl __complete` answers (``ShellCompletion``).
enum ShellScript {
    /// The script of a shell; nil where there is none.
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static let bash = #"""
        # Completes scorectl in bash; made by: scorectl completions bash
        _scorectl() {
            local program=${1/#\~\//$HOME/} line rule=
            type -P "$program" >/dev/null 2>&1 || program=scorectl
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ -z $rule ]]; then rule=$line; else COMPREPLY+=("$line"); fi
            done < <("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" \
                "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
            case $rule in
                open) compopt -o nospace ;;
                files) compopt -o default ;;
                directories) compopt -o dirnames ;;
            esac 2>/dev/null
            return 0
        }
        complete -F _scorectl scorectl

        """#

    private static let zsh = #"""
        #compdef scorectl
        # Completes scorectl in zsh; made by: scorectl completions zsh
        _scorectl() {
            local program=${words[1]/#\~\//$HOME/} head rule line name
            local -a lines plain plainly open openly
            (( $+commands[$program] )) || [[ -x $program ]] || program=scorectl
            head="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX"
            lines=("${(@f)$($program __complete zsh "$head" 2>/dev/null </dev/null)}")
            rule=$lines[1]
            shift lines
            case $rule in
                files) compset -P '--*='; _files; return ;;
                directories) compset -P '--*='; _files -/; return ;;
            esac
            for line in $lines; do
                name=${line%%$'\t'*}
                [[ $line == *$'\t'* ]] && line="$name  -- ${line#*$'\t'}"
                if [[ $name == *= ]]; then
                    open+=("$name"); openly+=("$line")
                else
                    plain+=("$name"); plainly+=("$line")
                fi
            done
            local -a rules=(-M 'm:{a-zA-Z}={A-Za-z}')
            (( $#plain )) && compadd $rules -l -d plainly -a -- plain
            (( $#open )) && compadd $rules -S '' -l -d openly -a -- open
            (( $#plain + $#open ))
        }
        if [[ $funcstack[1] == _scorectl ]]; then
            _scorectl "$@"
        else
            compdef _scorectl scorectl
        fi

        """#

    private static let fish = #"""
        # Completes scorectl in fish; made by: scorectl completions fish
        function __scorectl_complete
            set -l head (commandline -cp | string collect)
            set -l lines (scorectl __complete fish "$head" 2>/dev/null </dev/null)
            switch "$lines[1]"
                case files
                    __fish_complete_path (commandline -ct)
                case directories
                    __fish_complete_directories (commandline -ct)
                case '*'
                    set -e lines[1]
                    printf '%s\n' $lines
            end
        end
        complete -c scorectl -f -a '(__scorectl_complete)'

        """#
}
