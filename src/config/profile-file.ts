import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { Secret } from '../base/secrets.ts';
import { anyText, misfitIn, namesSchema, nonEmpty } from './given.ts';
import { suggestion } from './nearest.ts';
import { ordersCsvKeys, ordersCsvSchema } from './orders-csv.ts';
import {
  bankCsvKeys,
  bankCsvSchema,
  bookKeys,
  booksSchema,
  ruleKeys,
  rulesSchema,
} from './profile-tables.ts';
import {
  formatScales,
  isSecretKey,
  type ProfileForm,
  type SecretKey,
  type SettingKey,
  secretKeys,
  settingKeys,
  settingTable,
} from './table.ts';

const wholeNumber = z.int('must be a whole number, without quotes');
/** Empty, as `recon config init` leaves it, means not set. */
const toFillIn = anyText.transform((plain) => plain || undefined);

type FormSchema = z.ZodType<string | Secret | undefined>;

/** What a profile may hold for each form, turned into the text of a flag. */
const forms: Readonly<Record<ProfileForm, FormSchema>> = {
  to_fill_in: toFillIn,
  path: toFillIn,
  secret: anyText.transform((plain) => (plain ? new Secret(plain) : undefined)),
  text: nonEmpty,
  number: wholeNumber.transform(String),
  switch: z.boolean('must be true or false, without quotes').transform(String),
  list: z.array(nonEmpty, 'must be a list of codes in [ ]').transform(String),
  scales: z
    .record(z.string(), wholeNumber, 'must be a table of currency = decimal places')
    .transform(formatScales),
  rules: rulesSchema.transform((rules) => JSON.stringify(rules)),
  bank_csv: bankCsvSchema.transform((mapping) => JSON.stringify(mapping ?? {})),
  orders_csv: ordersCsvSchema.transform((mapping) => JSON.stringify(mapping ?? {})),
  books: booksSchema.transform((books) => JSON.stringify(books)),
  names: namesSchema.transform((names) => JSON.stringify(names)),
};

const waysOf = (key: SecretKey) => [key, `${key}_file`, `${key}_command`] as const;

const settings: Record<string, z.ZodOptional<FormSchema>> = {};
for (const key of settingKeys) {
  settings[key] = forms[settingTable[key].form].optional();
  const [, ...others] = isSecretKey(key) ? waysOf(key) : [];
  for (const way of others) settings[way] = toFillIn.optional();
}

const profileSchema = z
  .strictObject(settings, 'must be a table of settings')
  .superRefine((profile, context) => {
    for (const key of secretKeys) {
      const ways = waysOf(key).filter((way) => profile[way]);
      const named = ways.join(', ').replace(/, (?=[^,]*$)/, ' and ');
      const message = `has ${named}; keep one of them`;
      if (ways.length > 1) context.addIssue({ code: 'custom', message });
    }
  });

const fileSchema = z.strictObject({
  default_profile: nonEmpty.optional(),
  profiles: z
    .record(z.string(), profileSchema, 'must be written as tables, [profiles.NAME]')
    .optional(),
});

export const profileKeys: readonly string[] = Object.keys(profileSchema.shape);

/** As flags would write them. */
export type ProfileValues = Readonly<
  Partial<Record<SettingKey | ReturnType<typeof waysOf>[number], string | Secret>>
>;

export type ProfileFile = ReturnType<typeof parseProfileFile>;

/** Parses a configuration file. Errors never repeat a value. */
export function parseProfileFile(toml: string, path: string) {
  const result = fileSchema.safeParse(parseToml(toml, path));
  if (!result.success) throw faultOf(result.error, path);
  const { default_profile: defaultProfile, profiles = {} } = result.data;
  return { defaultProfile, profiles: new Map<string, ProfileValues>(Object.entries(profiles)) };
}

const notQuoted = 'the value must be in quotes, such as "14 days", or a number alone';
const notClosed = 'the quote at the start of the value is not closed on this line';

/** A clearer message than the parser's. */
function tomlFault(problem: string, line = ''): string {
  if (/^\s*\[[^\]]*$/.test(line)) return 'the bracket ] after the name is missing';
  if (/^control characters|^unfinished string/.test(problem)) return notClosed;
  return /end-of-line$|numeric literal$|^invalid value/.test(problem) ? notQuoted : problem;
}

function parseToml(toml: string, path: string): unknown {
  try {
    return parse(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest quotes the file and its secrets.
    const [problem = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    const message = `The configuration file is malformed at line ${error.line}, column ${error.column}: ${tomlFault(problem, toml.split('\n')[error.line - 1])}.`;
    throw new ReconError('configuration', message, {
      where: `${path}:${error.line}:${error.column}`,
      hint: 'Write text in quotes ("..."); start a profile with [profiles.NAME].',
    });
  }
}

function faultOf(error: z.ZodError, where: string): ReconError {
  const { message, unknown } = misfitIn(error);
  const hint = unknown ? hintOn(unknown.key, unknown.table) : 'Correct it in that file.';
  return new ReconError('configuration', message, { where, hint });
}

function hintOn(key: string, [top, , table, list]: readonly PropertyKey[]): string {
  if (table === 'bank_csv') return suggestion(key, bankCsvKeys);
  if (table === 'orders_csv') return suggestion(key, ordersCsvKeys);
  if (table === 'books') return suggestion(key, bookKeys(list));
  if (table !== undefined) return suggestion(key, ruleKeys(list));
  if (top !== undefined) return suggestion(key, profileKeys);
  return profileKeys.includes(key)
    ? 'Move it under a line [profiles.NAME]: it belongs to a profile.'
    : suggestion(key, Object.keys(fileSchema.shape));
}
