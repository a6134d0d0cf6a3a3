import { Argument } from 'commander';
import type { CommandSpec } from '../../command.ts';

/** `recon completion SHELL`. */
export const completionCommand: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  examples: [
    `eval "$(recon completion bash)"    # in ~/.bashrc`,
    `eval "$(recon completion zsh)"     # in ~/.zshrc`,
    `recon completion fish > ~/.config/fish/completions/recon.fish`,
  ],
  flags: (command) =>
    command.addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish'])),
  run: async (context, shell) => (await import('./run.ts')).completion(shell, context),
};
