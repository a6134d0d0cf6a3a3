import type { CommandSpec } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../host.ts';

/**
 * The script for each shell. It asks `recon complete` with the words up to the cursor. What ends in
 * `=` goes on: no space follows. Bash 3.2, which macOS has, knows no compopt and does without.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `_recon() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(recon complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${COMPREPLY[0]-} == :files ]]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null
  elif [[ \${COMPREPLY[0]-} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -F _recon recon
`,
  zsh: `#compdef recon
_recon() {
  local line word
  local -a ended open
  for line in "\${(@f)$(recon complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    word=\${line%%$'\\t'*}
    line=\${word//:/\\\\:}\${line#$word}
    [[ -z $word ]] || case $word in
      (*=) open+=("\${line/$'\\t'/:}") ;;
      (*) ended+=("\${line/$'\\t'/:}") ;;
    esac
  done
  (( $#ended )) && _describe -V recon ended
  (( $#open )) && _describe -V recon open -S ''
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _recon recon
[[ $funcstack[1] != _recon ]] || _recon "$@"
`,
  fish: `function __recon_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (recon complete -- $before[2..-1] "$current" 2>/dev/null)
    if test "$answer[1]" = :files
        __fish_complete_path "$current"
    else
        string join \\n -- $answer
    end
end
complete -c recon -f -a '(__recon_complete)'
`,
};

/** `recon completion`: prints the script that lets a shell complete the words of recon. */
export const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  examples: [
    `eval "$(recon completion bash)"    # in ~/.bashrc`,
    `eval "$(recon completion zsh)"     # in ~/.zshrc`,
    `recon completion fish > ~/.config/fish/completions/recon.fish`,
  ],
  argument: { name: '<shell>', about: 'your shell', words: Object.keys(scripts) },
  run: async ({ host }, shells) => {
    await print(host, shells.map((shell) => scripts[shell]).join(''));
    return exitCodes.ok;
  },
};
