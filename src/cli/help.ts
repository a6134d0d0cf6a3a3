import { exitCodeMeanings } from './exit-codes.ts';

/** Examples for the top of a help text. */
export function exampleHelp(...commands: readonly string[]): string {
  return `Examples:\n${commands.map((command) => `  ${command}`).join('\n')}\n`;
}

export function settingsHelp(): string {
  return `
Settings come from flags, then the environment, then a profile of the configuration file:
  RECON_BASE_URL, RECON_AUTH_URL, RECON_CLIENT_ID, RECON_CLIENT_SECRET, RECON_AUDIENCE
              each also with _FILE added: the name of a file that holds the value
  RECON_PROFILE, RECON_CONFIG
              the profile, and the file (default: $XDG_CONFIG_HOME/recon/config.toml)
recon config init writes that file for you to fill in, recon config show says what counts.`;
}

export function exitCodeHelp(): string {
  const width = Math.max(...exitCodeMeanings.map(([code]) => code.length)) + 2;
  const lines = exitCodeMeanings.map(([code, meaning]) => `  ${code.padEnd(width)}${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
