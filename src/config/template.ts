import { readProgramText } from '../base/files.ts';
import { toml } from '../base/texts.ts';

/** A new configuration file with one profile and nothing set. The build puts its template beside the program. */
export async function configTemplate(profile: string): Promise<string> {
  const template = await readProgramText('template.toml', import.meta.url);
  const quoted = toml(profile);
  const key = /^[\w-]+$/.test(profile) ? profile : quoted;
  return template.replace('{{quoted}}', () => quoted).replace('{{key}}', () => key);
}

/** The same with values, by key, and the names of accounting tokens. An empty value is not set. */
export async function filledTemplate(
  profile: string,
  values: Iterable<readonly [key: string, value: string | readonly string[]]>,
  names: Iterable<readonly [token: string, name: string]>,
): Promise<string> {
  let text = await configTemplate(profile);
  for (const [key, value] of values) {
    const line = new RegExp(`^#?${key} = .*$`, 'm');
    if (value.length > 0) text = text.replace(line, () => `${key} = ${toml(value)}`);
  }
  const named = [...names].map((one) => `names.${one.map(toml).join(' = ')}\n`);
  return text + named.join('');
}
