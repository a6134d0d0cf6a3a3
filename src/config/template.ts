import { readProgramText } from '../base/files.ts';

/** A new configuration file with one profile and nothing set. The build puts its template beside the program. */
export async function configTemplate(profile: string): Promise<string> {
  const template = await readProgramText('template.toml', import.meta.url);
  const quoted = JSON.stringify(profile);
  const key = /^[\w-]+$/.test(profile) ? profile : quoted;
  return template.replace('{{quoted}}', () => quoted).replace('{{key}}', () => key);
}
