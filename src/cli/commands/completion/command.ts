import { Argument, type Command } from 'commander';
import type { Context } from '../../context.ts';
import { exampleHelp } from '../../help.ts';

/** `recon completion SHELL`, and the command that its scripts call. */
export function addCompletionCommands(
  program: Command,
  context: Context,
  run: (work: () => Promise<number>) => void,
): void {
  program
    .command('completion')
    .description('print a script that lets your shell complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'before',
      exampleHelp(
        `eval "$(recon completion bash)"    # in ~/.bashrc`,
        `eval "$(recon completion zsh)"     # in ~/.zshrc`,
        `recon completion fish > ~/.config/fish/completions/recon.fish`,
      ),
    )
    .action((shell) => run(async () => (await import('./run.ts')).completion(shell, context)));

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words) =>
      run(async () => (await import('./complete.ts')).complete(words, program, context)),
    );
}
