import type { Command } from 'commander';
import { ReconError } from '../base/errors.ts';

/**
 * None of the first flags can be combined with (or works without) one of the others. Rules apply to
 * commands that have them all.
 */
type Rule = readonly [
  flags: string,
  relation: 'excludes' | 'needs',
  others: string,
  hint: string,
  /** Replaces the standard message. */
  message?: string,
];

const days = '--from --to --on --month';
const ways = 'The range is given more than once.';
const oneWay = 'Use --from with --to, or --on, or --month.';
const noService = 'Remove one of them: an export is read without the service.';
const onlySandbox = 'Add --sandbox: only the sandbox has scenarios and faults.';
const acceptance = '--difference --reason --until --by --account --replace';
const noAcceptance = 'Remove --list or --remove to accept a difference.';
const idAlone = 'Remove one of them: --settlement reads one settlement by its id.';
const addTables = 'Add --parquet: --existing writes the tables of earlier days.';
const addRegister = 'Add --booked FILE, the register of booked entries.';
const noExport = 'Remove one of them: --verify writes nothing.';
const existingAlone =
  '--verify --publish-incomplete --deep --rebind --from --to --on --month --mid --cid --chid';
const statementsAlone = 'Remove one of them: --statements writes files and ends.';
const ordersAlone = 'Remove one of them: --orders writes files and ends.';
const inVain = 'A range needs --settlements.';

const journalRun = `${days} --for --per --detail --include-pending --bank --new-register --init`;

const rules: readonly Rule[] = [
  ['--quiet', 'excludes', '--verbose', 'Remove one of them.'],
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
  ['--new-register --batch --reverse-missing', 'needs', '--booked', addRegister],
  ['--batch', 'excludes', journalRun, 'Remove one of them: --batch prints what was written.'],
  ['--settlement', 'excludes', '--dry-run', 'Remove one of them: a dry run needs a range.'],
  ['--settlement', 'excludes', `${days} --mid --cid --chid`, idAlone],
  ['--list', 'excludes', '--remove', 'Remove one of them.'],
  ['--list --remove', 'excludes', acceptance, noAcceptance],
  ['--list', 'excludes', '--bank', 'Remove one of them: --list shows the whole register.'],
  ['--statements', 'excludes', '--list --port --host --fault --notify --orders', statementsAlone],
  ['--orders', 'excludes', '--list --port --host --fault --notify', ordersAlone],
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

/** Checks the flags given to a command. Throws ReconError `usage`. */
export function checkFlags(command: Command): void {
  const keys = new Map(command.options.map((one) => [one.long, one.attributeName()]));
  const isGiven = (flag: string) => command.getOptionValueSource(keys.get(flag) ?? '') === 'cli';
  for (const [flags, relation, others, hint, message] of rules) {
    const flag = flags.split(' ').find(isGiven);
    const known = others.split(' ').filter((one) => keys.has(one));
    const other = known.find(isGiven);
    const isBroken = relation === 'excludes' ? other : known.length > 0 && !other;
    if (flag === undefined || !isBroken) continue;
    const what = other ? `cannot be combined with ${other}` : `needs ${others}`;
    throw new ReconError('usage', message ?? `${flag} ${what}.`, { hint });
  }
}
