import { parseDecimal } from '../../../money/money.ts';
import { rateScale } from '../../../money/rate.ts';
import type { SplitName } from '../../../reconcile/split.ts';
import { splitNames } from '../../../reconcile/split.ts';
import type { CommandSpec } from '../../context.ts';
import { choices, hidden, once, parsed, refuse, repeated, toggle, wordOf } from '../../flag.ts';
import {
  failOnFlag,
  files,
  flags,
  judgementFlags,
  officeFlags,
  rangeFlags,
  sourcesFlags,
} from '../../flags.ts';

function points(text: string): bigint {
  const read = parseDecimal(text, rateScale);
  return read !== undefined && !text.startsWith('-')
    ? read
    : refuse(`It must be percentage points with up to ${rateScale} decimals, such as 0.05.`);
}

const byWords = ['settlement', 'group', ...splitNames] as const;

function splitOf(text: string): 'settlement' | readonly SplitName[] {
  const words = text.split(',').map((word) => wordOf(byWords, word.trim()));
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

const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'] as const;

const settlementsFlags = {
  by: parsed('--by <what>', `totals by ${splitNames.join(', ')}`, splitOf, {
    words: byWords,
  }),
  only: choices(
    '--only <verdicts>',
    'show only these verdicts (totals are not filtered)',
    verdicts,
  ),
  all: { ...flags.all, about: 'list each settlement, however many there are', isHidden: true },
  compare: once('--compare <range>', 'fee rates against an earlier range: previous, 2026-02', {
    words: ['previous'],
  }),
  drift: hidden(
    parsed(
      '--drift <points>',
      'with --compare: allowed change of a fee rate, in percentage points (default: 0.05)',
      points,
    ),
  ),
  bank: { ...flags.bank, about: 'bank statements to match the pay-outs with' },
  payoutAccounts: hidden(flags.payoutAccounts),
  explain: hidden(toggle<boolean>('--no-explain', 'do not search for explanations')),
  dryRun: flags.dryRun,
  init: hidden(
    repeated(
      '--init <file>',
      "print a first settlements_csv for a provider's file; with a second, for its pay-outs",
      (path: string) =>
        path.startsWith('-') ? refuse('Name the file after it: --init lines.csv --write.') : [path],
      files,
    ),
  ),
  write: flags.write,
};

export const settlementsCommand = {
  name: 'settlements',
  summary: 'reconcile the settlements of a range and their transactions',
  examples: [
    'recon settlements --sandbox',
    'recon settlements --from -7d --to yesterday --output week.csv',
    'recon settlements --month last --output month.xlsx',
    'recon settlements --month last --by month,payment --profile spain',
    'recon settlements --on yesterday --all-profiles --output yesterday.csv',
  ],
  own: settlementsFlags,
  flags: [
    ...rangeFlags,
    [...judgementFlags, failOnFlag('settlements'), flags.accepted, flags.closes],
    ['Report:', ...Object.values(settlementsFlags)],
    [...officeFlags(), flags.rows],
    [...sourcesFlags, flags.fromExport],
  ],
} satisfies CommandSpec;
