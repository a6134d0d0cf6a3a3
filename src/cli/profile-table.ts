import { ReconError } from '../base/errors.ts';
import { isThere, readTextFile, writeOutputFile } from '../base/files.ts';
import { chooseProfile, parseProfileFile, readConfigFile } from '../config/config-file.ts';
import type { SettingKey } from '../config/table.ts';
import { enumerate, many } from '../report/common/phrase.ts';
import { profileTable } from '../report/common/rule-words.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { print } from './host.ts';
import type { Inputs } from './inputs.ts';
import { findConfigFile, profileInUse } from './settings.ts';

export interface OfferContext extends Pick<Context, 'host' | 'messages'> {
  readonly flags: Context['flags'] & { readonly write?: boolean | undefined };
}

/**
 * `--init`: prints a table for the profile in use and says where it belongs or, with `--write`, adds it there
 * and prints the difference. Returns the exit code. Throws ReconError if it cannot be added.
 */
export async function offerTable(
  key: SettingKey,
  textFor: (profile: string) => string,
  { flags, host, messages }: OfferContext,
): Promise<number> {
  const { path } = findConfigFile(flags.config, host);
  const text = textFor(await profileInUse({ flags, host }));
  if (flags.write) {
    await print(host, await addedTo(path, key, text, { flags, host }));
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    messages.say(
      lines.some((line) => !line.startsWith('['))
        ? `Added ${many(lines.length, 'line')} and their comments to ${path}.`
        : `Added only comments to ${path}. Remove the # of the lines that hold for you.`,
    );
    return exitCodes.ok;
  }
  await print(host, text);
  const isOpen = key.endsWith('_csv') && /^#\w+ = /m.test(text);
  messages.say(
    (await isThere(path))
      ? `These lines belong at the end of ${path}: add them, or let --write do it${isOpen ? ', which asks at a terminal for what is still to be decided' : ''}.`
      : `These lines belong in the configuration file. To create ${path}, run: recon config init`,
  );
  return exitCodes.ok;
}

/** Adds lines to the end of a configuration file. Returns the difference. */
async function addedTo(
  path: string,
  key: SettingKey,
  text: string,
  { flags, host }: Pick<Context, 'flags' | 'host'>,
): Promise<string> {
  const file = await readTextFile(path);
  const refuse = (message: string, hint: string) =>
    new ReconError('configuration', `${message} Nothing was changed.`, { where: path, hint });
  if (!file) throw refuse('There is no configuration file.', 'Run recon config init first.');
  const known = parseProfileFile(file.text, path);
  const chosen = chooseProfile(flags.profile, host.env, known, path);
  const { name } = chosen ?? {};
  if (name === undefined) {
    const named = [...known.profiles.keys()].join(', ') || 'the file has none';
    throw refuse(`No profile chosen: ${named}.`, 'Add --profile NAME.');
  }
  const table = `${profileTable(name)}.${key}`;
  const lines = file.text.split('\n');
  const at = plainLine(lines, profileTable(name), key);
  // The files of another bank have a table with a name of its own.
  const isNamed = !text.includes(`${table}]`);
  const isThere = at < 0 && chosen?.values[key] !== undefined;
  if (!isNamed && (isThere || file.text.includes(`[${table}]`))) {
    const hint = 'Change it there, or remove it first.';
    throw refuse(`${key} is there already, in profile ${name}.`, hint);
  }
  const plain = lines.splice(at, at < 0 ? 0 : 1);
  const kept = lines.join('\n');
  const end = /(?:^|\n)$/.test(kept) ? '\n' : '\n\n';
  const whole = kept + end + text;
  try {
    parseProfileFile(whole, path);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    const hint = 'Leave --write out, complete the lines, and add them to the file.';
    throw refuse(error.message, hint);
  }
  await writeOutputFile(path, (write) => write((file.hasByteOrderMark ? '\ufeff' : '') + whole));
  const before = kept.trimEnd().split('\n').length;
  const added = (end + text).slice(1).trimEnd().split('\n');
  const place = `@@ -${before + plain.length},0 +${before + 1},${added.length} @@`;
  const gone = plain.flatMap((line) => [`@@ -${at + 1},1 +${at},0 @@`, `-${line}`]);
  const more = added.map((line) => `+${line}`);
  return ['--- before', `+++ ${path}`, ...gone, place, ...more, ''].join('\n');
}

/** The line of a profile that sets a text, as `books_from` may be, and gives way to its table; -1 if there is none. */
function plainLine(lines: readonly string[], table: string, key: SettingKey): number {
  let section = '';
  return lines.findIndex((line) => {
    section = /^\s*\[([^[\]]+)\]/.exec(line)?.[1] ?? section;
    return section === table && line.startsWith(`${key} = "`);
  });
}

/** Says that a setting which a run lacks is set in other profiles; empty if it is not. */
export async function setElsewhere(
  key: SettingKey,
  { settings }: Pick<Inputs, 'settings'>,
  { flags, host }: Pick<Context, 'flags' | 'host'>,
): Promise<string> {
  if ((settings.originOf(key) ?? 'default') !== 'default') return '';
  // Runs that do not use the file go on without it.
  const file = await readConfigFile(findConfigFile(flags.config, host), undefined).catch(
    () => undefined,
  );
  // An export has the name of its profile, but not all settings.
  const own = flags.fromExport === undefined ? settings.profile : flags.profile;
  const names = [...(file?.profiles ?? [])].flatMap(([name, values]) =>
    name === own || values[key] === undefined ? [] : name,
  );
  const [first] = names;
  if (first === undefined) return '';
  const profiles = `${names.length === 1 ? 'profile' : 'profiles'} ${enumerate(names)}`;
  return `${key} is set in ${profiles}; this run uses ${own ?? 'no profile'}. Add --profile ${first}.`;
}
