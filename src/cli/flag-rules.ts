import type { Command } from 'commander';
import { ReconError } from '../base/errors.ts';

/**
 * How flags of one command line depend on each other: any of the first ones can't stand beside any of
 * the second ones, or needs one of them. It holds for each command that has them all.
 */
type Rule = readonly [
  flags: string,
  relation: 'excludes' | 'needs',
  others: string,
  hint: string,
  /** What is wrong, where it isn't said by naming the two flags. */
  message?: string,
];

const days = '--from --to --on --month';
const ways = 'The range is given in more than one way.';
const oneWay = 'Use --from with --to, or --on, or --month.';
const noService = 'Leave one of them out: an export is read without any service.';
const onlySandbox = 'Add --sandbox: only the embedded service can do that.';
const idAlone = 'Leave one out: a settlement is asked for by its id alone.';
const loud = '--quiet and --verbose contradict each other.';
const raw = '--raw and --settlements contradict each other.';
const inVain = 'A range is given without --settlements.';

const rules: readonly Rule[] = [
  ['--quiet', 'excludes', '--verbose', 'Leave one of them out.', loud],
  ['--json', 'excludes', '--format', 'Leave one of them out.'],
  ['--no-color', 'excludes', '--color', 'Leave one of them out.'],
  ['--from-export', 'excludes', '--sandbox --scenario --fault --dry-run', noService],
  ['--charges', 'excludes', '--from-export', 'Leave one of them out: an export holds no charges.'],
  ['--scenario --fault', 'needs', '--sandbox', onlySandbox],
  ['--note', 'excludes', '--notes', 'Use --note for some keys, or --notes for all.'],
  ['--settlement', 'excludes', '--dry-run', 'Leave one out: a dry run is about a range.'],
  ['--settlement', 'excludes', `${days} --mid --cid --chid`, idAlone],
  ['--personal', 'needs', '--raw', 'Add --raw: nothing else shows people.'],
  ['--raw', 'excludes', '--settlements', 'Leave one of them out.', raw],
  [days, 'needs', '--settlements', 'Add --settlements, or leave it out.', inVain],
  ['--on', 'excludes', '--from --to --month', oneWay, ways],
  ['--month', 'excludes', '--from --to', oneWay, ways],
  // A lone date filters nothing (doc 4.3): it would read everything there is.
  ['--from', 'needs', '--to', 'Add --to, or use --on for a single day.'],
  ['--to', 'needs', '--from', 'Add --from, or use --on for a single day.'],
];

/** Checks the flags that `command` was given against each other. Throws ReconError `usage`. */
export function checkFlags(command: Command): void {
  const keys = new Map(command.options.map((one) => [one.long, one.attributeName()]));
  const isGiven = (flag: string) => command.getOptionValueSource(keys.get(flag) ?? '') === 'cli';
  for (const [flags, relation, others, hint, message] of rules) {
    const flag = flags.split(' ').find(isGiven);
    const known = others.split(' ').filter((one) => keys.has(one));
    const other = known.find(isGiven);
    const isBroken = relation === 'excludes' ? other : known.length > 0 && !other;
    if (flag === undefined || !isBroken) continue;
    const what = other ? `and ${other} are given together` : `is given without ${others}`;
    throw new ReconError('usage', message ?? `${flag} ${what}.`, { hint });
  }
}
