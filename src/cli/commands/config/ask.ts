import { dirname, resolve } from 'node:path';
import { createProbe } from '../../../api/probe.ts';
import { addDays, isDay, systemTimeZone } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { createPrivateFile, isThere } from '../../../base/files.ts';
import { groupedBy } from '../../../base/lists.ts';
import { byText } from '../../../base/texts.ts';
import { parseProfileFile } from '../../../config/config-file.ts';
import { resolveSettings } from '../../../config/settings.ts';
import { type SettingKey, settingTable } from '../../../config/table.ts';
import { filledTemplate } from '../../../config/template.ts';
import { newestDay } from '../../../doctor/newest-settlement.ts';
import { present } from '../../../report/common/phrase.ts';
import type { Context } from '../../context.ts';
import { failureText } from '../../failure.ts';
import { type Prompts, promptsFor } from '../../prompts.ts';
import { dayNow, homeOf } from '../../settings.ts';
import { reachService, withService } from '../../source.ts';

/** What a new file sets, by the keys of the template; texts that are empty are left as they are. */
type Answers = Map<string, string | readonly string[]>;

interface NewFile {
  readonly path: string;
  readonly profile: string;
}

/** The days of settlements in which accounting tokens are looked for. */
const tokenDays = 31;

/** Asks what a configuration file needs, tries the connection, and returns the text of the file. */
export async function askForFile(file: NewFile, context: Context): Promise<string> {
  const prompts = promptsFor(context, 'recon config init', 'Run it without a terminal.');
  const { messages } = context;
  const answers: Answers = new Map();
  messages.say('Enter leaves a setting empty. All can be changed in the file later.');
  let names = new Map<string, string>();
  for (;;) {
    const isSecretHere = await askForService(answers, prompts, context);
    if (!isSecretHere) {
      messages.say('RECON_CLIENT_SECRET is not set here, so the connection is not tried yet.');
      break;
    }
    const text = await filledTemplate(file.profile, answers, names);
    const found = await tryConnection(text, file, context);
    if (found) {
      names = await askForNames(found, prompts);
      break;
    }
    const keys = [
      { key: 'a', says: 'answer again' },
      { key: 'k', says: 'keep the answers, and write the file' },
    ] as const;
    if ((await prompts.key('The connection does not work yet.', keys)) === 'k') break;
  }
  await askForRest(answers, file, prompts, context);
  return filledTemplate(file.profile, answers, names);
}

/** Whether the secret is at hand after this: it may be in an environment that is not here. */
async function askForService(
  answers: Answers,
  prompts: Prompts,
  { host: { env } }: Pick<Context, 'host'>,
): Promise<boolean> {
  const ask = async (key: SettingKey, question: string) => {
    const initial = answers.get(key);
    const faultIn = (text: string) => faultOf(key, text);
    const begun = typeof initial === 'string' ? initial : undefined;
    answers.set(key, await prompts.text(question, { initial: begun, faultIn }));
  };
  await ask('base_url', 'Address of the API (base_url), https://…');
  await ask('auth_url', 'Address of the server that issues access tokens (auth_url)');
  await ask('client_id', 'Client id (client_id)');
  await ask('audience', 'Audience (audience)');
  const where = await prompts.key('Where is the client secret kept?', [
    { key: 'e', says: 'in the environment: RECON_CLIENT_SECRET' },
    { key: 'f', says: 'in a file of its own' },
    { key: 'c', says: 'a command prints it, such as a password manager' },
    { key: 'w', says: 'in the configuration file, which only you can read' },
  ] as const);
  for (const way of ['', '_file', '_command']) answers.delete(`client_secret${way}`);
  if (where === 'w') answers.set('client_secret', await prompts.secret('Client secret'));
  if (where === 'c') answers.set('client_secret_command', await prompts.text('Command'));
  if (where === 'e') {
    const ways = ['', '_FILE', '_COMMAND'];
    return ways.some((way) => Boolean(env[`RECON_CLIENT_SECRET${way}`]));
  }
  if (where !== 'f') return true;
  const path = await prompts.text('File, with its whole path', {
    faultIn: (text) => (text.startsWith('/') ? '' : 'Type the whole path: it starts with /.'),
  });
  answers.set('client_secret_file', path);
  if (await isThere(path)) return true;
  const secret = await prompts.secret('It is not there yet. Client secret, to write it there');
  if (secret !== '') await createPrivateFile(path, `${secret}\n`);
  return true;
}

/** What is wrong with a value; empty if nothing is. */
function faultOf(key: SettingKey, text: string): string {
  try {
    if (text !== '') settingTable[key].parse({ key, text, origin: 'default' });
    return '';
  } catch (error) {
    if (error instanceof ReconError) return present(error.message, error.hint).join(' ');
    throw error;
  }
}

/** The accounting tokens of the last settlements, with their currencies; undefined if the connection does not work, which is said. */
async function tryConnection(text: string, { path, profile }: NewFile, context: Context) {
  const { host, messages, signal } = context;
  try {
    const values = parseProfileFile(text, path).profiles.get(profile) ?? {};
    const origin = `profile ${profile} in ${path}` as const;
    const settings = await resolveSettings({
      flags: { config: path },
      env: host.env,
      home: homeOf(host),
      uid: undefined,
      useFile: false,
      stored: { name: profile, values, origin, chosenBy: 'default' },
    });
    const { api, close } = await reachService(settings, ['settlements'], context);
    const probe = createProbe(api);
    const to = await newestDay(probe, {}, dayNow(settings, context)).finally(() => probe.close());
    await close();
    if (to === undefined) {
      messages.say('The connection works. No settlement was found.');
      return [];
    }
    messages.say(`The connection works. The newest settlement is of ${to}.`);
    const range = { from: addDays(to, 1 - tokenDays), to };
    const { settlements } = await withService(settings, ['settlements'], context, ({ source }) =>
      source.headers({ range, filters: {} }),
    );
    const byToken = groupedBy(settlements, ({ accountingToken }) => accountingToken);
    const accounts = [...byToken].map(([token, own]) => {
      return [token, [...new Set(own.map(({ currency }) => currency))].sort().join(', ')] as const;
    });
    return accounts.sort(([one], [other]) => byText(one, other));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ReconError)) throw error;
    messages.stop();
    host.stderr.write(failureText(error, host));
    return undefined;
  }
}

const mostNamed = 10;

async function askForNames(
  accounts: readonly (readonly [token: string, currencies: string])[],
  prompts: Prompts,
) {
  const names = new Map<string, string>();
  for (const [token, currencies] of accounts.slice(0, mostNamed)) {
    const name = await prompts.text(`A name for the account ${token} (${currencies})`);
    if (name !== '') names.set(token, name);
  }
  return names;
}

/** A folder as it is typed here: a profile takes it from the folder of its file on. */
async function askForFolder(
  question: string,
  { path }: NewFile,
  prompts: Prompts,
  context: Context,
) {
  const typed = await prompts.text(question);
  if (typed === '' || typed.startsWith('~')) return typed;
  const whole = resolve(typed);
  if (!(await isThere(whole))) context.messages.say(`There is no ${whole} yet.`);
  return resolve(dirname(path)) === resolve('.') ? typed : whole;
}

async function askForRest(
  answers: Answers,
  file: NewFile,
  prompts: Prompts,
  context: Context,
): Promise<void> {
  const here = systemTimeZone();
  const zone = await prompts.text(
    `Time zone of your days (time_zone), such as Europe/Berlin; Enter takes ${here}`,
    { faultIn: (text) => faultOf('time_zone', text) },
  );
  answers.set('time_zone', zone || here);
  const payers = [
    await prompts.text('IBAN from which the service pays, if your statements have it'),
    await prompts.text('Name under which the service pays, as on your statements', {
      faultIn: (text) =>
        text.includes(',')
          ? 'Leave out the comma and what follows: a part of the name is enough.'
          : faultOf('payout_accounts', text),
    }),
  ];
  answers.set('payout_accounts', payers.filter(Boolean));
  answers.set(
    'statements',
    await askForFolder('Folder of the bank statements', file, prompts, context),
  );
  answers.set(
    'orders',
    await askForFolder("Folder of the shop's order files", file, prompts, context),
  );
  const begin = await prompts.text(
    'First day of the books (YYYY-MM-DD), if nothing was in transit before',
    {
      faultIn: (text) => (text === '' || isDay(text) ? '' : 'Write it as 2026-03-01.'),
    },
  );
  answers.set('books_from', begin);
  // Beside the configuration file.
  for (const key of ['accepted', 'closes']) answers.set(key, `${key}.csv`);
}
