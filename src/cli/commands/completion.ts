import type { Command } from 'commander';
import type { AnyCommand } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Flag, FlagOption } from '../flag.ts';
import { type Host, print } from '../host.ts';

/** Each asks `recon complete`. Bash 3.2 (macOS) has no compopt. */
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
  fi
  return 0
}
complete -F _recon recon
`,
  zsh: `#compdef recon
_recon() {
  local line
  local -a fitting
  for line in "\${(@f)$(recon complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    [[ -z $line ]] || fitting+=("\${line/$'\\t'/:}")
  done
  (( $#fitting )) && _describe -V recon fitting
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

const completionCommand: AnyCommand = {
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
const completeCommand: AnyCommand = {
  name: 'complete',
  hidden: true,
  argument: { name: '[words...]', about: '' },
  run: async ({ host }, words, { parent }) => {
    const lines = parent ? await linesFor(words, parent, host).catch(() => []) : [];
    await print(host, lines.map((line) => `${line}\n`).join(''));
    return exitCodes.ok;
  },
};

export const completionCommands = [completionCommand, completeCommand];

async function linesFor(words: readonly string[], program: Command, host: Host) {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const command = before.reduce(
    (above, word) => above.commands.find((one) => one.name() === word) ?? above,
    program,
  );
  const flag = flagWithValue(command, before.at(-1));
  if (flag?.words === 'files') return [':files'];
  const candidates: readonly Candidate[] = flag
    ? (await valuesOf(flag, before, host)).map((word) => [word])
    : namesIn(command, typed);
  return candidates
    .filter(([word]) => word.startsWith(typed))
    .map(([word, about]) => (about ? `${word}\t${about}` : word));
}

function flagWithValue(command: Command, word: string | undefined): Flag | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option instanceof FlagOption && option.flag.parse ? option.flag : undefined;
}

type Candidate = readonly [word: string, about?: string];

/** Commands and arguments, or else options. */
function namesIn(command: Command, typed: string): readonly Candidate[] {
  const { parent } = command;
  const above = command.name() === 'help' && parent ? parent : command;
  const names: readonly Candidate[] = [
    ...above
      .createHelp()
      .visibleCommands(above)
      .map((one) => [one.name(), one.summary()] as const),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((word) => [word] as const),
    ),
  ];
  if (names.length > 0 && !typed.startsWith('-')) return names;
  const options = command.options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((word) => (word ? [[word, description] as const] : [])),
  );
  return [...options, ['--help', 'show help']];
}

/** The words that a flag takes. */
async function valuesOf(
  { words = [] }: Flag,
  before: readonly string[],
  host: Host,
): Promise<readonly string[]> {
  if (typeof words !== 'string') return words;
  if (words === 'scenarios') return (await import('../../sandbox/scenarios.ts')).scenarioNames;
  if (words === 'faults') {
    const { faultNamesOf, sandboxFaults } = await import('../../sandbox/faults.ts');
    return faultNamesOf(sandboxFaults).map(({ name }) => name);
  }
  const { readConfigFile } = await import('../../config/config-file.ts');
  const { findConfigFile } = await import('../settings.ts');
  const config = before.includes('--config') ? before[before.indexOf('--config') + 1] : undefined;
  const file = await readConfigFile(findConfigFile(config, host), undefined);
  // Names that need no quoting.
  return [...(file?.profiles.keys() ?? [])].filter((name) => /^[\w.-]+$/.test(name));
}
