import { InvalidArgumentError, Option } from 'commander';
import { sqlDialectNames } from '../audit/dialects.ts';
import { engineNames } from '../audit/engine.ts';
import { isSameUuid } from '../base/uuid.ts';
import { wordMeant } from '../config/nearest.ts';
import { uuidForm } from '../model/forms.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import { rateScale } from '../money/rate.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { type SplitName, splitNames } from '../reconcile/split.ts';
import { dialects, type Format, formats, handedOnFormats, papers } from '../render/formats.ts';
import {
  auditFailOnWords,
  type FailOn,
  failOnWords,
  nightlyFailOnWords,
  settlementsFailOnWords,
} from './exit-codes.ts';

/** Lists that a shell may complete to, looked up only when they are needed. */
export type Lookup = 'files' | 'profiles' | 'scenarios' | 'faults';

/** A flag, or an argument. */
export interface Flag<Value = unknown> {
  /** As help shows it: `-o, --output <path>`. */
  readonly name: string;
  readonly about: string;
  /**
   * Understands its text, which is given after `previous`; absent for a switch, which is true. Throws
   * InvalidArgumentError.
   */
  parse?(text: string, previous?: Value): Value;
  /** What a shell may complete its value to, where that is known. */
  readonly words?: readonly string[] | Lookup;
  /** Whether it takes several of the words, with commas between. */
  readonly many?: boolean;
  /** Another flag that it stands for, with its value: `--json` for `--format json`. */
  readonly implies?: Readonly<Record<string, string>>;
  readonly isMandatory?: true;
  /** Not what most people need: only `recon help COMMAND --all` lists it. */
  readonly isHidden?: boolean;
  /** Its name among the parsed flags, where another command has a flag that is written the same. */
  readonly key?: string;
}

/** A flag as commander takes it. */
export class FlagOption extends Option {
  readonly flag: Flag;

  constructor(flag: Flag) {
    super(flag.name, flag.about);
    this.flag = flag;
    // Commander would have --no-color switch off --color.
    if (flag.implies) this.implies(flag.implies).negate = false;
    if (flag.parse) this.argParser(flag.parse);
    if (flag.isMandatory) this.makeOptionMandatory();
    if (flag.isHidden) this.hideHelp();
  }

  override attributeName(): string {
    return this.flag.key ?? super.attributeName();
  }
}

/** Flags that help shows together, below a heading. */
export type FlagGroup = readonly [heading: string, ...flags: readonly Flag[]];

type More = Pick<Flag, 'words' | 'many' | 'implies' | 'isMandatory'>;
const files = { words: 'files' } as const;

function toggle<Value extends boolean = true>(name: string, about: string, more: More = {}) {
  const flag: Flag<Value> = { name, about, ...more };
  return flag;
}

/** One that may be given once; commander alone would let the last one win in silence. */
function once(name: string, about: string, more?: More): Flag<string> {
  return parsed(name, about, (text) => text, more);
}

export function parsed<Value>(
  name: string,
  about: string,
  parse: (text: string) => Value,
  more: More = {},
): Flag<Value> {
  const parseOnce = (text: string, previous?: Value) =>
    previous === undefined ? parse(text) : refuse('It can be given only once.');
  return { name, about, parse: parseOnce, ...more };
}

/** One that takes a word of a list. */
function choice<Word extends string>(name: string, about: string, words: readonly Word[]) {
  return parsed(name, `${about}: ${words.join(', ')}`, (text) => oneOf(words, text), { words });
}

/** One that may be repeated. */
function repeated<Value>(
  name: string,
  about: string,
  parse: (text: string, previous: readonly Value[]) => readonly Value[],
  more: More = {},
): Flag<readonly Value[]> {
  const parseNext = (text: string, previous: readonly Value[] = []) => [
    ...previous,
    ...parse(text, previous),
  ];
  return { name, about, parse: parseNext, ...more };
}

/**
 * One that takes words of a list, with commas between them or by being repeated; `none` cannot be
 * combined with the others. Help leaves out those that are others with a `+`.
 */
function choices<Word extends string>(name: string, about: string, words: readonly Word[]) {
  const named = words.filter((word) => !word.startsWith('+')).join(', ');
  const parse = (text: string, previous: readonly Word[]) => {
    const chosen = text.split(',').map((word) => oneOf(words, word.trim()));
    const kinds = new Set([...previous, ...chosen].map((word) => word === 'none'));
    return kinds.size === 1 ? chosen : refuse('none cannot be combined with others.');
  };
  return repeated(name, `${about}: ${named}`, parse, { words, many: true });
}

/** Arguments that are ids, each taken once. */
export function uuids(name: string, about: string): Flag<readonly string[]> {
  return repeated(name, about, (text, previous) => {
    const id = oneUuid(text);
    return previous.some((one) => isSameUuid(one, id)) ? [] : [id];
  });
}

function refuse(message: string): never {
  throw new InvalidArgumentError(message);
}

function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const meant = wordMeant(words, text);
  return words.find((one) => one === meant) ?? refuse(`It must be one of ${words.join(', ')}.`);
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It must be a whole number.');
}

/** Whole numbers up to a bound. */
function upTo(most: number, least = 0): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > most) refuse(`It must be at most ${most}.`);
    return number < least ? refuse(`It must be at least ${least}.`) : number;
  };
}

/** What can't be an id is never asked for. */
export function oneUuid(text: string): string {
  const example = '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77';
  return uuidForm.test(text) ? text : refuse(`It must be a UUID, such as ${example}.`);
}

function decimal(text: string): string {
  return parseDecimal(text, maxScale) !== undefined
    ? text
    : refuse('It must be an amount, such as -5.00.');
}

/** Percentage points, as a rate has them. */
function points(text: string): bigint {
  const read = parseDecimal(text, rateScale);
  return read !== undefined && !text.startsWith('-')
    ? read
    : refuse(`It must be percentage points with up to ${rateScale} decimals, such as 0.05.`);
}

function someText(text: string): string {
  return text.trim() === '' ? refuse('It must not be empty.') : text.trim();
}

/** What totals are split by. Throws InvalidArgumentError. */
function splitOf(text: string): 'settlement' | readonly SplitName[] {
  const words = text.split(',').map((word) => oneOf(by, word.trim()));
  const names = words.flatMap((word) => {
    if (word === 'settlement') return [];
    return word === 'group' ? 'account' : word;
  });
  if (words.length === 1) return names.length === 0 ? 'settlement' : names;
  if (names.length < words.length) refuse('settlement cannot be combined with others.');
  if (words.length > 2) refuse('Name at most two, such as month,payment.');
  if (words[0] === words[1]) refuse(`${words[0]} can be given only once.`);
  return names[0] === names[1] ? refuse('group and account mean the same.') : names;
}

/** Words as the service writes them, with commas between. */
function exactValues(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return words.includes('') ? refuse('A value must not be empty.') : words;
}

const bytesPerUnit: Readonly<Record<string, number>> = { MB: 10 ** 6, GB: 10 ** 9 };

/** Bytes of a size such as 500MB or 4GB. */
function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6}) ?([MG]B)$/i.exec(text) ?? [];
  const bytes = Number(number ?? 0) * (bytesPerUnit[unit.toUpperCase()] ?? 0);
  return bytes < 10 ** 8 ? refuse('It must be 100MB or more, such as 4GB.') : bytes;
}

function noteKey(key: string, previous: readonly string[]): readonly string[] {
  if (key === '') refuse('It must not be empty.');
  return previous.includes(key) ? refuse('A key can be given only once.') : [key];
}

function checkCodes(text: string): readonly string[] {
  return text.split(',').map((word) => wordMeant(ignorableChecks, word.trim()));
}

export function formatFlag(about: string, words: readonly Format[]): Flag<Format> {
  return choice('--format <format>', about, words);
}

function hidden<Table extends Readonly<Record<string, Flag>>>(table: Table): Table {
  const all = Object.entries(table).map(([name, flag]) => [name, { ...flag, isHidden: true }]);
  return Object.fromEntries(all);
}

const days = ['today', 'yesterday', '-7d', '-1w', '-1m'];
const from = 'first day: 2026-03-05, today, -7d (recon help dates)';
const colours = ['auto', 'always', 'never'] as const;
const schemes = ['v2', 'v1'] as const;
const by = ['settlement', 'group', ...splitNames] as const;
const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'] as const;
const lineFor = `totals by ${splitNames.join(', ')}`;
const identity = `equation for the pay-in: ${identities.join(', ')}`;
const identityMeant = (text: string) => wordMeant(identities, text);
const tolerance = 'allowed difference per amount, in minor units (default: 0)';
const ignore = `checks to switch off: ${ignorableChecks.join(', ')}`;
const failOn = 'conditions for exit code 1 (default: out-of-balance; +NAME adds to it)';
const note = "add a column for the merchant's notes with this key; repeatable";
const neighbours = 'days to search before and after (default: up to 14)';
const keep = 'superseded versions to keep per day (default: all)';
const parquet = 'also write the days as Parquet tables, for SQL (into lake/)';
const existing = 'with --parquet: write the tables of all days exported before';
const keepEvents = 'days to keep answered events (default: 30)';
const publishIncomplete = 'publish these days even if they cannot be fully read';
const scenario = 'data of the sandbox (recon sandbox --list)';
const fault = 'simulated fault; repeatable (recon sandbox --list)';
const timeout = 'time limit for the whole run: 90s, 10m (default: none)';
const accepted = 'register of accepted differences (default: from the settings)';
const seen = 'the pay-in difference that you have seen: -5.00';
const refundTypes = 'transaction types of refunds, as the service writes them';
const purchaseTypes = 'transaction types of purchases';
const silentDays = 'days without settlements before an account counts as silent (default: 14)';
const engine = `engine that runs the SQL (default: ${engineNames[0]})`;
const master = "Spark's cluster: spark://HOST:7077, local[2]";
const printSql = 'print the SQL of the audit instead of running it';
const allRows = 'with xlsx: add a sheet with all transactions (up to 50,000)';
const compare = 'fee rates against an earlier range: previous, 2026-02';
const drift = 'with --compare: allowed change of a fee rate, in percentage points (default: 0.05)';
const raw = 'JSON from the service, without customer, payer and encrypted details';

/** What most people need. */
const usual = {
  from: once('--from <day>', from, { words: days }),
  to: once('--to <day>', 'last day', { words: days }),
  on: once('--on <day>', 'single day', { words: days }),
  month: once('--month <month>', 'whole month: 2026-03, this, last', { words: ['this', 'last'] }),
  settlement: parsed('--settlement <id>', 'one settlement, instead of a range', oneUuid),
  state: repeated('--state <values>', 'transaction states', exactValues),
  type: repeated('--type <values>', 'transaction types', exactValues),

  by: parsed('--by <what>', lineFor, splitOf, { words: by, many: true }),
  only: choices(
    '--only <verdicts>',
    'show only these verdicts (totals are not filtered)',
    verdicts,
  ),
  compare: once('--compare <range>', compare, { words: ['previous'] }),
  note: repeated('--note <key>', note, noteKey),
  notes: toggle('--notes', 'add all notes of the merchant as JSON in one column'),

  neighbours: parsed('--neighbours <days>', neighbours, upTo(366)),
  neighbourRows: toggle('--neighbour-rows', 'read the rows of all neighbours (default: nearest)'),
  charges: toggle('--charges', 'also read the charges of rows in explanations'),
  raw: toggle('--raw', raw),
  settlements: toggle('--settlements', "find the charges' rows in the settlements of a range"),
  days: parsed('--days <number>', 'days of settlements to check (default: 7)', upTo(366, 1)),

  difference: parsed('--difference <amount>', seen, decimal),
  reason: parsed('--reason <text>', 'why it is accepted', someText),
  until: once('--until <day>', 'last day for which it is accepted (default: no end)'),
  acceptedBy: { ...parsed('--by <name>', 'who accepts it', someText), key: 'acceptedBy' },
  remove: toggle('--remove', 'remove the settlement from the register'),

  out: once('--out <folder>', 'folder for the daily files', { isMandatory: true, ...files }),
  since: once('--since <day>', 'first day to read; needed only for an empty folder', {
    words: days,
  }),
  parquet: toggle('--parquet', parquet),
  existing: toggle('--existing', existing),
  verify: toggle('--verify', 'only check the export, without the service; writes nothing'),

  refundTypes: repeated('--refund-types <types>', refundTypes, exactValues),
  purchaseTypes: repeated('--purchase-types <types>', purchaseTypes, exactValues),
  silentDays: parsed('--silent-days <days>', silentDays, upTo(9_999, 1)),
  engine: choice('--engine <name>', engine, engineNames),
  master: parsed('--master <url>', master, someText),
  memory: parsed('--memory <size>', 'memory for DuckDB, such as 500MB (default: 2GB)', size),
  threads: parsed('--threads <number>', 'threads for DuckDB (default: one per core)', upTo(256, 1)),
  printSql: choice('--print-sql <dialect>', printSql, sqlDialectNames),

  host: once('--host <address>', 'address to listen on (default: 127.0.0.1)'),
  port: parsed('--port <number>', 'port; 0 picks a free one', upTo(65_535)),
  path: once('--path <path>', 'path for webhooks (default: /hook)'),
  journal: once('--journal <folder>', 'folder for events', files),
  notify: once('--notify <url>', 'URL to send webhooks to'),
  list: toggle('--list', 'list scenarios and faults'),

  format: formatFlag('format (default: table on a terminal, csv elsewhere)', formats),
  json: toggle('--json', 'same as --format json', { implies: { format: 'json' } }),
  output: once('-o, --output <path>', 'file to write to; its suffix selects the format', files),
  dialect: choice('--dialect <dialect>', 'csv dialect', dialects),
  quiet: toggle('-q, --quiet', 'print no messages unless something is wrong'),
  verbose: toggle('--verbose', 'log each request to standard error'),

  profile: once('--profile <name>', 'profile in the configuration file', { words: 'profiles' }),
  allProfiles: toggle('--all-profiles', 'every profile in the configuration file'),
  config: once('--config <file>', 'configuration file', files),
  sandbox: toggle('--sandbox', 'use the built-in sandbox; no credentials needed'),
  fromExport: once('--from-export <folder>', 'read an export instead of the service', files),

  all: toggle('--all', 'list all flags of the command'),
};

/** What only `recon help COMMAND --all` lists. */
const rare = hidden({
  mid: parsed('--mid <uuid>', 'merchant', oneUuid),
  cid: parsed('--cid <number>', 'company', wholeNumber),
  chid: parsed('--chid <number>', 'chain', wholeNumber),
  paymentType: repeated('--payment-type <values>', 'payment types', exactValues),

  identity: parsed('--identity <name>', identity, identityMeant, { words: identities }),
  tolerance: once('--tolerance <minor units>', tolerance),
  ignore: repeated('--ignore <codes>', ignore, checkCodes, { words: ignorableChecks, many: true }),
  accepted: once('--accepted <file>', accepted, files),
  failOn: choices('--fail-on <conditions>', failOn, failOnWords),

  drift: parsed('--drift <points>', drift, points),
  /** It is true, and with this flag false. */
  explain: toggle<boolean>('--no-explain', 'do not search for explanations'),
  dryRun: toggle('--dry-run', 'only estimate the number of requests and the time'),
  /** Which scheme charges take is not documented, so that it may have to be tried out. */
  chargeAuth: choice('--charge-auth <scheme>', 'authentication scheme for charges', schemes),
  personal: toggle('--personal', 'with --raw: include customer and payer'),

  deep: toggle('--deep', 'also reread the rows of days whose headers have not changed'),
  keep: parsed('--keep <number>', keep, wholeNumber),
  publishIncomplete: repeated('--publish-incomplete <days>', publishIncomplete, exactValues, {
    words: days,
  }),
  rebind: toggle('--rebind', 'continue an export whose host or profile was renamed'),
  keepEvents: parsed('--keep-events <days>', keepEvents, upTo(36_500)),

  rows: toggle('--rows', allRows),
  paper: choice('--paper <size>', 'paper size of xlsx and html', papers),
  stamp: toggle('--stamp', 'add the time of the report to xlsx and html'),
  color: choice('--color <when>', 'when to use colours', colours),
  noColor: toggle('--no-color', 'same as --color never', { implies: { color: 'never' } }),
  scenario: once('--scenario <name>', scenario, { words: 'scenarios' }),
  fault: repeated('--fault <name>', fault, (text) => [text], { words: 'faults' }),
  concurrency: once('--concurrency <number>', 'requests in parallel (default: 8)'),
  timeout: once('--timeout <duration>', timeout),
});

/** All flags, by the names that commander gives them. */
export const flags = { ...usual, ...rare };

/** Only a night knows what is new. */
export const nightlyFailOn = failOnFlag(nightlyFailOnWords);

/** Only where two ranges are compared can fees drift. */
export const settlementsFailOn = failOnFlag(settlementsFailOnWords);

function failOnFlag(words: readonly FailOn[]): Flag<readonly FailOn[]> {
  return { ...choices('--fail-on <conditions>', failOn, words), isHidden: true };
}

/** Only an audit has findings of its own. */
export const auditFailOn = failOnFlag(auditFailOnWords);

/** The flags of a command line, each understood; absent where it was not given. */
export type Flags = {
  readonly [Name in keyof typeof flags]?: (typeof flags)[Name] extends Flag<infer Value>
    ? Value
    : never;
};

export const dayFlags: FlagGroup = [
  'Range (settlement dates, inclusive):',
  flags.from,
  flags.to,
  flags.on,
  flags.month,
];

export const filterFlags: FlagGroup = [
  'Filters applied by the service:',
  flags.mid,
  flags.cid,
  flags.chid,
];

export const rangeFlags: readonly FlagGroup[] = [dayFlags, filterFlags];

/** How settlements are judged. */
export const judgementFlags: FlagGroup = [
  'Reconciliation:',
  flags.identity,
  flags.tolerance,
  flags.ignore,
];

export const reconcileFlags: FlagGroup = [...judgementFlags, flags.failOn];

/** How settlements are judged where a report is made of them. */
export const reportFlags: FlagGroup = [...reconcileFlags, flags.accepted];

/** What is said on the screen, and how. */
export const screenFlags = [flags.color, flags.noColor, flags.quiet, flags.verbose] as const;

/** Where the data go, in which of the formats of a command. */
export function outputFlags(ofCommand: Flag<Format> = flags.format): FlagGroup {
  return ['Output:', ofCommand, flags.json, flags.output, flags.dialect, ...screenFlags];
}

/** The same where the report can be a workbook or a page. */
export function handedOnFlags(ofCommand: Flag<Format> = handedOnFormat): FlagGroup {
  return [...outputFlags(ofCommand), flags.paper, flags.stamp];
}

const handedOnFormat = formatFlag(
  'format (default: table on a terminal, csv elsewhere)',
  handedOnFormats,
);

/** Which settings of the configuration file count. */
export const profileFlags = [flags.profile, { ...flags.config, isHidden: true }] as const;

/** The same for a command that can do its work for several profiles side by side. */
const profilesFlags = [
  {
    ...flags.profile,
    name: '--profile <names>',
    about: `${flags.profile.about}; several: a,b`,
    many: true,
  },
  flags.allProfiles,
  { ...flags.config, isHidden: true },
] as const;

/** The embedded service in the place of the real one. */
export const sandboxFlags = [flags.sandbox, flags.scenario, flags.fault] as const;

const readingFlags = [...sandboxFlags, flags.concurrency, flags.timeout] as const;

/** Which service to read, with which settings, and how fast. */
export const sourceFlags: FlagGroup = ['Source:', ...profileFlags, ...readingFlags];

/** The same for several profiles. */
export const sourcesFlags: FlagGroup = ['Source:', ...profilesFlags, ...readingFlags];

/** The same for a command that can read an export in place of the service. */
export const sourceOrExportFlags: FlagGroup = [...sourceFlags, flags.fromExport];
