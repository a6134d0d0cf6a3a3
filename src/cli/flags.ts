import { matchWord } from '../base/texts.ts';
import { isSameUuid } from '../base/uuid.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import {
  dialects,
  type Format,
  formats,
  officeFormats,
  papers,
  ticketFormats,
} from '../render/formats.ts';
import { conditionsOf, type FailOn } from './exit-codes.ts';
import {
  choice,
  choices,
  exactValues,
  type Flag,
  type FlagGroup,
  type FlagsOf,
  hidden,
  once,
  oneUuid,
  parsed,
  repeated,
  toggle,
  wholeNumber,
} from './flag.ts';

/** Arguments that are ids, each taken once. */
export function uuids(
  name: string,
  about: string,
  parse: (text: string) => string = oneUuid,
): Flag<readonly string[]> {
  return repeated(name, about, (text, previous) => {
    const id = parse(text);
    return previous.some((one) => isSameUuid(one, id)) ? [] : [id];
  });
}

/** The formats of a command, and the one for a pipe; a terminal gets a table if offered. */
export interface OfferedFormats<Offered extends Format = Format> {
  readonly formats: readonly Offered[];
  readonly piped: Offered;
}

/** `--format` with the formats of a command. */
export function formatFlag({ formats, piped }: OfferedFormats): Flag<Format> {
  const elsewhere = piped === 'table' ? '' : ` on a terminal, ${piped} elsewhere`;
  return choice('--format <format>', `format (default: table${elsewhere})`, formats);
}

export const ordinary = { formats, piped: 'csv' } as const;
export const office = { formats: officeFormats, piped: 'csv' } as const;
export const ticket = { formats: ticketFormats, piped: 'csv' } as const;

/** `--fail-on` with the conditions that a command can meet. */
export function failOnFlag(kind: Parameters<typeof conditionsOf>[0]): Flag<readonly FailOn[]> {
  const conditions = conditionsOf(kind);
  const added = conditions.map((one) => `+${one}` as const);
  const usual = kind === 'fees' ? 'overcharge' : 'out-of-balance';
  const about = `conditions for exit code 1 (default: ${usual}; +NAME adds to it)`;
  return hidden(
    choices<FailOn>('--fail-on <conditions>', about, [...conditions, 'none', ...added]),
  );
}

export const files = { words: 'files' } as const;
export const days = { words: ['today', 'yesterday', '-7d', '-1w', '-1m'] };

/** Without a value, the statements are those of the settings. */
function statementsOf(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

function checkCodes(text: string): readonly string[] {
  return text.split(',').map((word) => matchWord(ignorableChecks, word.trim()));
}

const schemes = ['v2', 'v1'] as const;

/** The flags of a table, all hidden. */
function allHidden<Table extends Readonly<Record<string, Flag>>>(table: Table): Table {
  const flags = Object.entries(table).map(([name, flag]) => [name, hidden(flag)] as const);
  return Object.fromEntries(flags) as Table;
}

/** The flags that several commands share, by the names that commander gives them. */
export const flags = {
  from: once('--from <day>', 'first day: 2026-03-05, today, -7d (recon help dates)', days),
  to: once('--to <day>', 'last day', days),
  on: once('--on <day>', 'single day', days),
  month: once('--month <month>', 'whole month: 2026-03, this, last', { words: ['this', 'last'] }),
  out: once('--out <folder>', 'folder for the daily files', files),
  parquet: toggle('--parquet', 'also write the days as Parquet tables, for SQL (into lake/)'),
  bank: repeated(
    '--bank [statements]',
    'bank statements: files or folders (default: from the settings)',
    statementsOf,
    files,
  ),
  payoutAccounts: repeated(
    '--payout-accounts <payers>',
    'account numbers or names that pay-outs come from',
    exactValues,
  ),
  format: formatFlag(ordinary),
  json: toggle('--json', 'same as --format json', { implies: { format: 'json' } }),
  output: repeated(
    '-o, --output <path>',
    'file to write to; its suffix selects the format',
    (path: string) => [path],
    files,
  ),
  dialect: choice('--dialect <dialect>', 'csv dialect', dialects),
  quiet: toggle('-q, --quiet', 'print no messages unless something is wrong'),
  verbose: toggle('--verbose', 'log each request to standard error'),
  all: toggle('--all', 'list all flags of the command'),
  profile: once('--profile <name>', 'profile in the configuration file', { words: 'profiles' }),
  allProfiles: toggle('--all-profiles', 'every profile in the configuration file'),
  config: once('--config <file>', 'configuration file', files),
  sandbox: toggle('--sandbox', 'use the built-in sandbox; no credentials needed'),
  fromExport: once('--from-export <folder>', 'read an export instead of the service', files),
  failOn: failOnFlag('run'),
  ...allHidden({
    write: toggle('--write', 'with --init: add the lines to the configuration file'),
    mid: parsed('--mid <uuid>', 'merchant', oneUuid),
    cid: parsed('--cid <number>', 'company', wholeNumber),
    chid: parsed('--chid <number>', 'chain', wholeNumber),
    identity: parsed(
      '--identity <name>',
      `how the net pay-out is calculated: ${identities.join(', ')}`,
      (text) => matchWord(identities, text),
      { words: identities },
    ),
    tolerance: once(
      '--tolerance <cents>',
      'allowed difference per amount, in cents or the smallest unit (default: 0)',
    ),
    ignore: repeated(
      '--ignore <codes>',
      `checks to switch off: ${ignorableChecks.join(', ')}`,
      checkCodes,
      { words: ignorableChecks },
    ),
    accepted: once(
      '--accepted <file>',
      'register of accepted differences (default: from the settings)',
      files,
    ),
    booked: once(
      '--booked <file>',
      'register of booked entries (default: from the profile)',
      files,
    ),
    closes: once(
      '--closes <file>',
      'register of closed months (default: from the settings)',
      files,
    ),
    closedThrough: once(
      '--closed-through <day>',
      'last closed day: nothing is posted on it or before',
    ),
    dryRun: toggle('--dry-run', 'only estimate the number of requests and the time'),
    /** Users may have to try both: the document does not say. */
    chargeAuth: choice('--charge-auth <scheme>', 'authentication scheme for charges', schemes),
    deep: toggle('--deep', 'also reread the transactions of days whose totals have not changed'),
    keep: parsed(
      '--keep <number>',
      'superseded versions to keep per day (default: all)',
      wholeNumber,
    ),
    rebind: toggle('--rebind', 'continue an export whose host or profile was renamed'),
    rows: toggle('--rows', 'with xlsx: add a sheet with all transactions (up to 50,000)'),
    paper: choice('--paper <size>', 'paper size of xlsx and html', papers),
    stamp: toggle('--stamp', 'add the time of the report to xlsx and html'),
    color: choice('--color <when>', 'when to use colours', ['auto', 'always', 'never']),
    noColor: toggle('--no-color', 'same as --color never', { implies: { color: 'never' } }),
    scenario: once('--scenario <name>', 'data of the sandbox (recon sandbox --list)', {
      words: 'scenarios',
    }),
    fault: repeated(
      '--fault <name>',
      'simulated fault; repeatable (recon sandbox --list)',
      (text) => [text],
      { words: 'faults' },
    ),
    concurrency: once('--concurrency <number>', 'requests in parallel (default: 8)'),
    timeout: once('--timeout <duration>', 'time limit for the whole run: 90s, 10m (default: none)'),
  }),
};

export type Flags = FlagsOf<typeof flags>;

export const namedDays = [flags.from, flags.to, flags.on, flags.month] as const;

const dayFlags: FlagGroup = ['Range (settlement dates, inclusive):', ...namedDays];

export const filterFlags: FlagGroup = [
  'Filters applied by the service:',
  flags.mid,
  flags.cid,
  flags.chid,
];

export const rangeFlags: readonly FlagGroup[] = [dayFlags, filterFlags];

export const judgementFlags: FlagGroup = [
  'Reconciliation:',
  flags.identity,
  flags.tolerance,
  flags.ignore,
];

export const reportFlags: FlagGroup = [...judgementFlags, flags.failOn, flags.accepted];

export const screenFlags = [flags.color, flags.noColor, flags.quiet, flags.verbose] as const;

/** Where the data go, and in which format. */
export function outputFlags(
  offer: OfferedFormats = ordinary,
  output: Flag = flags.output,
): FlagGroup {
  const { json, dialect } = flags;
  return ['Output:', formatFlag(offer), json, output, dialect, ...screenFlags];
}

/** The same for workbooks and pages too. */
export function officeFlags(offer: OfferedFormats = office): FlagGroup {
  const output = { ...flags.output, about: 'file to write to, of any format; repeatable' };
  return [...outputFlags(offer, output), flags.paper, flags.stamp];
}

export const profileFlags = [flags.profile, { ...flags.config, isHidden: true }] as const;

export const sandboxFlags = [flags.sandbox, flags.scenario, flags.fault] as const;

const readingFlags = [...sandboxFlags, flags.concurrency, flags.timeout] as const;

export const sourceFlags: FlagGroup = ['Source:', ...profileFlags, ...readingFlags];

const severalProfiles = {
  ...flags.profile,
  name: '--profile <names>',
  about: `${flags.profile.about}; several: a,b`,
};

/** The same for commands that take several profiles. */
export const sourcesFlags: FlagGroup = [
  'Source:',
  severalProfiles,
  flags.allProfiles,
  { ...flags.config, isHidden: true },
  ...readingFlags,
];

/** The same for commands that read an export, too, and whose help has no more room. */
export const sourcesOrExportFlags: FlagGroup = [
  'Source:',
  severalProfiles,
  hidden(flags.allProfiles),
  { ...flags.config, isHidden: true },
  ...readingFlags,
  flags.fromExport,
];

export const sourceOrExportFlags: FlagGroup = [...sourceFlags, flags.fromExport];
