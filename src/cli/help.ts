import { exitCodeMeanings } from './exit-codes.ts';

/** Examples for the top of a help text. */
export function exampleHelp(commands: readonly string[]): string {
  return `Examples:\n${commands.map((command) => `  ${command}`).join('\n')}\n`;
}

/** Where settings come from. */
export const settingsHelp = `
Settings come from flags, then the environment, then a profile of the configuration file:
  RECON_BASE_URL, RECON_AUTH_URL, RECON_CLIENT_ID, RECON_CLIENT_SECRET, RECON_AUDIENCE
  RECON_AUTH, RECON_CHARGE_AUTH, RECON_JWT_PUBLIC_KEY, RECON_JWT_SECRET
              each also with _FILE added: the name of a file that holds the value
  RECON_PROFILE, RECON_CONFIG
              the profile, and the file (default: $XDG_CONFIG_HOME/recon/config.toml)
recon config init writes that file for you to fill in, recon config show says what counts.`;

const width = Math.max(...exitCodeMeanings.map(([code]) => code.length)) + 2;

/** What the exit codes mean. */
export const exitCodeHelp = `\nExit codes:\n${exitCodeMeanings
  .map(([code, meaning]) => `  ${code.padEnd(width)}${meaning}`)
  .join('\n')}`;
