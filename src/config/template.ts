import { readTextFile } from '../base/files.ts';

/** A new configuration file with one profile and nothing set. The build puts its template beside the program. */
export async function configTemplate(profile: string): Promise<string> {
  const path = decodeURIComponent(new URL('template.toml', import.meta.url).pathname);
  const file = await readTextFile(path);
  if (!file) throw new Error(`${path} is missing`);
  const quoted = JSON.stringify(profile);
  const key = /^[\w-]+$/.test(profile) ? profile : quoted;
  return file.text.replace('{{quoted}}', () => quoted).replace('{{key}}', () => key);
}
