import type { Command } from 'commander';
import type { AnyCommand } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Flag, FlagOption, type Lookup } from '../flag.ts';
import { type Host, print } from '../host.ts';
import { topics } from '../topics.ts';

/** Each asks `recon complete`. No space follows a word that ends in `=`. Bash 3.2 (macOS) has no compopt. */
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

export const completionCommand: AnyCommand = {
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

/** `recon complete`: a line for each match, its meaning after a tab; or `:files`. Errors are not shown. */
export const completeCommand: AnyCommand = {
  name: 'complete',
  hidden: true,
  argument: { name: '[words...]', about: '' },
  run: async ({ host }, words, { parent }) => {
    const lines = parent ? await linesFor(words, parent, host).catch(() => []) : [];
    await print(host, lines.map((line) => `${line}\n`).join(''));
    return exitCodes.ok;
  },
};

async function linesFor(split: readonly string[], program: Command, host: Host) {
  const words = split.flatMap((word, index) => {
    // Bash splits `--format=csv` at `=`, and replaces what follows.
    if (word !== '=' || !split[index - 1]?.startsWith('--')) return [word];
    return index === split.length - 1 ? [''] : [];
  });
  const cursor = cursorIn(words, program);
  const { flag, typed, before } = cursor;
  if (flag?.words === 'files') return [':files'];
  return (flag ? await valuesOf(flag, typed, words, host) : namesAt(cursor))
    .filter(([word]) => word.startsWith(typed))
    .map(([word, about]) => before + word + (about ? `\t${about.replace(/\s+/g, ' ')}` : ''));
}

type Candidate = readonly [word: string, about?: string];

async function valuesOf(
  { words: known = [], many }: Flag,
  typed: string,
  words: readonly string[],
  host: Host,
): Promise<readonly Candidate[]> {
  const all = typeof known === 'string' ? await lookUp(known, words, host) : known;
  const before = many ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const chosen = before.split(',');
  return all.filter((word) => !chosen.includes(word)).map((word) => [before + word]);
}

async function lookUp(list: Lookup, words: readonly string[], host: Host) {
  if (list === 'scenarios') return (await import('../../sandbox/scenarios.ts')).scenarioNames;
  if (list === 'faults') {
    const { sandboxFaults } = await import('../../sandbox/faults.ts');
    return Object.keys(sandboxFaults).map((usage) => usage.replace(/@.*/, '').replace(/=.*/, '='));
  }
  const { readConfigFile } = await import('../../config/config-file.ts');
  const { findConfigFile } = await import('../settings.ts');
  const { flagsAsWritten } = await import('../messages.ts');
  const { config } = flagsAsWritten(words.slice(0, -1));
  const place = findConfigFile(config === undefined ? config : String(config), host);
  const file = await readConfigFile(place, undefined);
  // Names that need no quoting.
  return [...(file?.profiles.keys() ?? [])].filter((name) => /^[\w.-]+$/.test(name));
}

/** Commands, topics and arguments, or else options. */
function namesAt({ command, help, position, typed }: Cursor): readonly Candidate[] {
  const below = position === 0 ? command.createHelp().visibleCommands(command) : [];
  const choices = command.registeredArguments[position]?.argChoices ?? [];
  const others: readonly Candidate[] = [
    ...below.map((one) => [one.name(), one.summary()] as const),
    ...(help && !command.parent ? topics : []).map(({ name, summary }) => [name, summary] as const),
    ...(help ? [] : choices).map((word) => [word] as const),
  ];
  if ((help || others.length > 0) && !typed.startsWith('-')) return others;
  const options = (help ?? command).options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((word) => (word ? [[word, description] as const] : [])),
  );
  return [...options, ['--help', 'show help']];
}

type Cursor = ReturnType<typeof cursorIn>;

/** Where the last word is. `help` is the command that `recon help` is asked about. */
function cursorIn(words: readonly string[], program: Command) {
  let command = program;
  let help: Command | undefined;
  let flag: Flag | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (flag) flag = undefined;
    else if (word.startsWith('-')) flag = flagWithValue(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      position = next ? 0 : position + 1;
      if (word === 'help') help = next;
      else command = next ?? command;
    }
  }
  const typed = words.at(-1) ?? '';
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const named = flag ? undefined : flagWithValue(command, name);
  if (named) return { command, help, flag: named, position, typed: value, before: `${name}=` };
  return { command, help, flag, position, typed, before: '' };
}

function flagWithValue(command: Command, word: string): Flag | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option instanceof FlagOption && option.flag.parse ? option.flag : undefined;
}
