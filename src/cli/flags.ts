import { sqlDialectNames } from '../audit/dialects.ts';
import { engineNames } from '../audit/engine.ts';
import { isSameUuid } from '../base/uuid.ts';
import { journalFormats } from '../books/formats.ts';
import { wordMeant } from '../config/nearest.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { splitNames } from '../reconcile/split.ts';
import { dialects, type Format, formats, handedOnFormats, papers } from '../render/formats.ts';
import {
  auditFailOnWords,
  bankFailOnWords,
  type FailOn,
  failOnWords,
  nightlyFailOnWords,
  settlementsFailOnWords,
} from './exit-codes.ts';
import {
  choice,
  choices,
  type Flag,
  type FlagGroup,
  hidden,
  once,
  parsed,
  repeated,
  toggle,
} from './flag.ts';
import {
  byWords,
  checkCodes,
  decimal,
  exactValues,
  noteKey,
  oneUuid,
  points,
  size,
  someText,
  splitOf,
  statementsOf,
  upTo,
  wholeNumber,
} from './flag-values.ts';

/** Arguments that are ids, each taken once. */
export function uuids(name: string, about: string): Flag<readonly string[]> {
  return repeated(name, about, (text, previous) => {
    const id = oneUuid(text);
    return previous.some((one) => isSameUuid(one, id)) ? [] : [id];
  });
}

export function formatFlag(about: string, words: readonly Format[]): Flag<Format> {
  return choice('--format <format>', about, words);
}

const files = { words: 'files' } as const;
const days = ['today', 'yesterday', '-7d', '-1w', '-1m'];
const from = 'first day: 2026-03-05, today, -7d (recon help dates)';
const colours = ['auto', 'always', 'never'] as const;
const schemes = ['v2', 'v1'] as const;
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
const seen = 'the difference that you have seen: -5.00';
const refundTypes = 'transaction types of refunds, as the service writes them';
const purchaseTypes = 'transaction types of purchases';
const silentDays = 'days without settlements before an account counts as silent (default: 14)';
const engine = `SQL engine (default: ${engineNames[0]})`;
const master = 'Spark cluster: spark://HOST:7077, or local[2] for this machine';
const printSql = 'print the SQL of the audit instead of running it';
const bank = 'bank statements: files or folders (default: from the settings)';
const statements =
  "only write the scenario's bank statements to this folder (camt.053, MT940, CSV)";
const payoutAccounts =
  'account numbers that the service pays from, besides those of matched entries';
const booked = 'register of booked entries: write only what is new, as a numbered batch';
const reverseMissing = 'with --booked: reverse settlements that are no longer listed as settled';
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

  by: parsed('--by <what>', lineFor, splitOf, { words: byWords, many: true }),
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
  account: parsed('--account <text>', 'account in the books for the difference', someText),
  remove: toggle('--remove', 'remove the difference from the register'),
  replace: toggle(
    '--replace',
    'drop what an earlier acceptance said: by whom, until when, account',
  ),

  bank: repeated('--bank [statements]', bank, statementsOf, files),
  payoutAccounts: repeated('--payout-accounts <numbers>', payoutAccounts, exactValues),

  for: choice('--for <format>', 'format of the journal', journalFormats),
  per: choice('--per <what>', 'one entry per', ['settlement', 'day']),
  detail: toggle('--detail', 'book each transaction on lines of its own'),
  includePending: toggle('--include-pending', 'book pending settlements too, marked as pending'),
  booked: once('--booked <file>', booked, files),
  newRegister: toggle('--new-register', 'with --booked: start a new register'),
  batch: parsed('--batch <number>', 'with --booked: print this batch again', upTo(999_999, 1)),
  init: toggle('--init', 'print a first mapping of accounts, to adapt'),

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
  memory: parsed('--memory <size>', 'memory limit, such as 500MB (default: 2GB)', size),
  threads: parsed('--threads <number>', 'threads for DuckDB (default: one per core)', upTo(256, 1)),
  printSql: choice('--print-sql <dialect>', printSql, sqlDialectNames),

  host: once('--host <address>', 'address to listen on (default: 127.0.0.1)'),
  port: parsed('--port <number>', 'port; 0 picks a free one', upTo(65_535)),
  path: once('--path <path>', 'path for webhooks (default: /hook)'),
  journal: once('--journal <folder>', 'folder for events', files),
  notify: once('--notify <url>', 'URL to send webhooks to'),
  list: toggle('--list', 'list scenarios and faults'),
  statements: once('--statements <folder>', statements, files),

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
  reverseMissing: toggle('--reverse-missing', reverseMissing),
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

/** Only where statements are read can something be missing there. */
export const bankFailOn = failOnFlag(bankFailOnWords);

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
