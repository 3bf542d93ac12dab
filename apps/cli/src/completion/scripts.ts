/** Completion scripts per shell. They call pawl to get the candidates. */
export const completionScripts = {
  bash: `# pawl: completion for bash
_pawl() {
  local line=\${COMP_LINE:0:COMP_POINT} cur=\${COMP_WORDS[COMP_CWORD]} typed candidate
  # bash splits words at = and :, and puts what it is given behind the last of them.
  typed=\${line##*[[:space:]]}
  [[ $cur == "=" || $cur == ":" ]] && cur=
  local before=\${typed%"$cur"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    case $candidate in
      :files) while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$cur"); compopt -o filenames ;;
      :directories) while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "$cur"); compopt -o filenames ;;
      *) candidate=\${candidate%%$'\\t'*}; COMPREPLY+=("\${candidate#"$before"}") ;;
    esac
  done < <(pawl completion --line "$line" 2>/dev/null)
} && complete -F _pawl pawl
`,
  zsh: `#compdef pawl
# pawl: completion for zsh
_pawl() {
  local candidate
  local -a candidates
  for candidate in "\${(@f)$(pawl completion --line "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}"; do
    case $candidate in
      '') ;;
      :files) _files ;;
      :directories) _files -/ ;;
      *) candidates+=("\${\${candidate%%$'\\t'*}//:/\\\\:}:\${candidate#*$'\\t'}") ;;
    esac
  done
  (( $#candidates )) && _describe pawl candidates
}
compdef _pawl pawl
`,
  fish: `# pawl: completion for fish
function __pawl_complete
  for candidate in (pawl completion --line (commandline -cp | string collect) 2>/dev/null)
    switch $candidate
      case :files
        __fish_complete_path (commandline -ct)
      case :directories
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $candidate
    end
  end
end
complete -c pawl -f -a '(__pawl_complete)'
`,
} as const
