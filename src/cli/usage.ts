import type { Command, CommanderError } from 'commander';
import { ReconError } from '../base/errors.ts';
import { didYouMean } from '../base/texts.ts';
import { commands } from './commands/index.ts';

/** Of commands that have them all: none of the first flags goes with (or without) one of the others. */
type Rule = readonly [
  flags: string,
  relation: 'excludes' | 'needs',
  others: string,
  hint: string,
  message?: string,
];

const days = '--from --to --on --month';
const ways = 'The range is given more than once.';
const oneWay = 'Use --from with --to, or --on, or --month.';
const noService = 'Remove one of them: an export is read without the service.';
const onlySandbox = 'Add --sandbox: only the sandbox has scenarios and faults.';
const acceptance = '--difference --reason --until --by --account --replace';
const noAcceptance = 'Remove --list or --remove to accept a difference.';
const listSays = 'Remove one of them: the list of --from says what is accepted, and why.';
const idAlone = 'Remove one of them: --settlement reads one settlement by its id.';
const addTables = 'Add --parquet: --existing writes the tables of earlier days.';
const addBy = 'Add --by NAME: the register keeps who has done it.';
const noExport = 'Remove one of them: --verify writes nothing.';
const existingAlone =
  '--verify --publish-incomplete --deep --rebind --from --to --on --month --mid --cid --chid';
const filesAlone = 'Remove one of them: recon sandbox writes files and ends.';
const inVain = 'A range needs --settlements.';

const journalRun = `${days} --for --per --detail --include-pending --bank --new-register --init`;

const rules: readonly Rule[] = [
  ['--quiet', 'excludes', '--verbose', 'Remove one of them.'],
  ['--init', 'excludes', '--entries', 'Remove one of them.'],
  ['--write', 'needs', '--init', 'Add --init: only a first mapping can be written.'],
  ['--write', 'excludes', '--sandbox', 'Remove one of them: the sandbox needs no configuration.'],
  ['--all-profiles', 'excludes', '--profile', 'Remove one of them.'],
  ['--json', 'excludes', '--format', 'Remove one of them.'],
  ['--no-color', 'excludes', '--color', 'Remove one of them.'],
  ['--from-export', 'excludes', '--sandbox --scenario --fault --dry-run', noService],
  ['--charges', 'excludes', '--from-export', 'Remove one of them: an export contains no charges.'],
  ['--verify', 'excludes', '--publish-incomplete', noExport],
  ['--existing', 'needs', '--parquet', addTables],
  ['--existing', 'excludes', existingAlone, 'Remove one of them: --existing covers every day.'],
  ['--verify', 'excludes', '--parquet', noExport],
  ['--scenario --fault', 'needs', '--sandbox', onlySandbox],
  ['--note', 'excludes', '--notes', 'Use --note for some keys, or --notes for all.'],
  ['--new-register', 'needs', '--record', 'Add --record: without it, nothing is recorded.'],
  ['--batch', 'excludes', journalRun, 'Remove one of them: --batch prints what was written.'],
  ['--settlement', 'excludes', '--dry-run', 'Remove one of them: a dry run needs a range.'],
  ['--settlement', 'excludes', `${days} --mid --cid --chid`, idAlone],
  [
    '--reopen',
    'excludes',
    `${days} --record --force --items`,
    'Remove one of them: the last close is reopened.',
  ],
  ['--force', 'needs', '--record', 'Add --record: without it, nothing is recorded.'],
  ['--record --reopen', 'needs', '--by', addBy, 'No --by given.'],
  ['--reopen --force', 'needs', '--note', 'Add --note TEXT: why.'],
  ['--list', 'excludes', '--remove', 'Remove one of them.'],
  ['--partial', 'needs', '--from', 'Add the list of decisions: --from FILE.'],
  ['--difference --reason --until --account --list --remove', 'excludes', '--from', listSays],
  ['--list --remove', 'excludes', acceptance, noAcceptance],
  ['--list', 'excludes', '--bank', 'Remove one of them: --list shows the whole register.'],
  ['--list', 'excludes', '--record --reopen', 'Remove one of them: --list changes nothing.'],
  ['--statements --orders', 'excludes', '--list --port --host --fault --notify', filesAlone],
  ['--statements', 'excludes', '--orders', filesAlone],
  ['--drift', 'needs', '--compare', 'Add a range: --compare previous.'],
  ['--compare', 'excludes', '--dry-run', 'Remove one of them: an estimate is for one range.'],
  ['--personal', 'needs', '--raw', 'Add --raw: only raw output can include customer and payer.'],
  ['--print-sql', 'excludes', '--engine --master', 'Remove one of them: --print-sql runs nothing.'],
  ['--raw', 'excludes', '--settlements', 'Remove one of them.'],
  [days, 'needs', '--settlements', 'Add --settlements, or remove the range.', inVain],
  ['--on', 'excludes', '--from --to --month', oneWay, ways],
  ['--month', 'excludes', '--from --to', oneWay, ways],
  // A lone date filters nothing (doc 4.3).
  ['--from', 'needs', '--to', 'Add --to, or use --on for a single day.'],
  ['--to', 'needs', '--from', 'Add --from, or use --on for a single day.'],
];

/** Throws ReconError `usage` for flags that do not go together. */
export function checkFlags(command: Command): void {
  const keys = new Map(command.options.map((one) => [one.long, one.attributeName()]));
  const isGiven = (flag: string) => command.getOptionValueSource(keys.get(flag) ?? '') === 'cli';
  for (const [flags, relation, others, hint, message] of rules) {
    const flag = flags.split(' ').find(isGiven);
    const known = others.split(' ').filter((one) => keys.has(one));
    const other = known.find(isGiven);
    const isBroken = relation === 'excludes' ? other : known.length > 0 && !other;
    if (flag === undefined || !isBroken) continue;
    const what = other ? `cannot be combined with ${other}` : `needs ${known.join(' or ')}`;
    throw new ReconError('usage', message ?? `${flag} ${what}.`, { hint });
  }
}

/** What commander found wrong with the words of the command at `path`. */
export function usageError(
  { code, message }: CommanderError,
  { commands, options, parent, args, registeredArguments }: Command,
  path: string,
): ReconError {
  // The value of an unknown flag may be a secret.
  const what = message
    .replace(/^error: /, '')
    .replace(/^required option '(--[\w-]+).*' not specified/, '$1 is missing')
    .replace(/^(unknown option '[^'=]*)=.*'/s, "$1'")
    .replace(
      /^command-argument value '(.*?)' is invalid for argument '(\w+)'/s,
      "'$1' is not a valid $2",
    );
  const [, name = ''] = /^unknown \w+ '([^'=]*)/.exec(what) ?? [];
  if (code === 'commander.unknownCommand') {
    return unknownCommand(
      name,
      commands.map((one) => one.name()),
    );
  }
  let hint = `recon ${path} --help says what it takes.`.replace('  ', ' ');
  if (code === 'commander.unknownOption') {
    const all = parent
      ? `recon help ${path} --all lists all flags.`
      : 'Start with a command: recon --help lists them.';
    hint =
      hintFor(
        name,
        options.flatMap(({ long }) => long ?? []),
      ) ??
      ownersOf(name) ??
      all;
  }
  if (code === 'commander.excessArguments') {
    if (options.some(({ long }) => long === '--month')) {
      hint = 'Write a month as --month 2026-03, and put words with spaces in quotes.';
    }
    const first = args[registeredArguments.length] ?? '';
    return new ReconError('usage', `Too many arguments: "${first}".`, { hint });
  }
  return new ReconError('usage', sentence(what), { hint });
}

const mostOwners = 3;

/** The commands that have a flag, if they are few. */
function ownersOf(flag: string): string | undefined {
  const owners = commands
    .filter(({ flags = [] }) =>
      flags.some(([, ...group]) => group.some(({ name }) => name.split(/[ ,]+/).includes(flag))),
    )
    .map(({ name }) => `recon ${name}`);
  const isFew = owners.length > 0 && owners.length <= mostOwners;
  return isFew ? `${flag} belongs to ${owners.join(' and ')}.` : undefined;
}

export function unknownCommand(word: string, known: readonly string[]): ReconError {
  const hint = hintFor(word, known) ?? 'recon help lists the commands.';
  return new ReconError('usage', `Unknown command '${word}'.`, { hint });
}

/** Words of other tools, by ours or by what to do instead. */
const otherWords: Readonly<Record<string, string>> = {
  '--from': '--start --since --after --begin',
  '--to': '--end --until --before',
  '--on': '--date --day',
  '--output': '--out --file --output-file',
  '--format csv': '--csv',
  '--format ndjson': '--json --ndjson',
  '--format markdown': '--markdown',
  '--format': '-f',
  '--quiet': '--silent',
  '--verbose': '--debug -v -V',
  '--version': '-v',
  '--only': '--status --verdict',
  '--state': '--status',
  '--mid': '--merchant',
  '--cid': '--company',
  '--chid': '--chain',
  '--profile': '--env --environment -p',
  settlements: 'reconcile report list',
  config: 'configure settings',
  'config init': 'init setup',
  'export --verify': 'verify',
  listen: 'webhook webhooks',
  'Set time_zone in the profile, or RECON_TIME_ZONE.': '--timezone --time-zone --tz',
  'Filter the output by its currency column.': '--currency',
  'Set it in the profile or the environment: recon help environment.':
    '--url --base-url --client-id --client-secret --token --audience --notify-url',
};

/** What to try instead of an unknown word; undefined if no known word is near. */
function hintFor(word: string, known: readonly string[]): string | undefined {
  const synonym = Object.keys(otherWords).find(
    (one) =>
      otherWords[one]?.split(' ').includes(word) &&
      (one.endsWith('.') || known.includes(one.replace(/ .*/, ''))),
  );
  if (synonym) return synonym.endsWith('.') ? synonym : `Did you mean ${synonym}?`;
  // The first letter of a word is seldom mistyped.
  const first = (text: string) => text.replace(/^-+/, '').charAt(0);
  return didYouMean(
    word,
    known.filter((one) => first(one) === first(word)),
  );
}

/** A text with a capital letter and a full stop. */
export function sentence(text: string): string {
  const whole = text === '' || /[.?!]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}
