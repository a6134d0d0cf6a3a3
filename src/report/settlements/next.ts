import { type BankCheck, isOffOnBank } from '../../app/bank-check.ts';
import type { SettlementsReport } from '../../app/settlements-report.ts';
import { shellWord } from '../../base/texts.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import { adviceForIncomplete } from '../common/partial-words.ts';
import { canBeCopied, command, present } from '../common/phrase.ts';

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
  const [first, ...others] = report.run.settlements.filter(raisesAlarm);
  const dates = rangeFlags(report);
  const isOnlyOne = first && canBeCopied(first.settlement.id) && others.length === 0;
  return present(
    isOnlyOne
      ? command('recon explain', first.settlement.id, report.flags, '# why it does not balance')
      : first &&
          dates &&
          command('recon explain', dates, report.flags, '# why each does not balance'),
    commandForBank(report.bank, dates),
    ...readAgain(report),
  );
}

/** Commands that read what is still missing. */
export function readAgain(report: SettlementsReport): readonly string[] {
  const { run, flags } = report;
  const dates = rangeFlags(report);
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  const again = command('recon settlements', dates, flags, '# try again to read the rest');
  const { feeRates } = run;
  const earlier = feeRates && rangeFlags({ ...report, range: feeRates.range });
  return present(
    ...(run.complete || dates === undefined ? [] : adviceForIncomplete(entries, [again])),
    feeRates?.earlier.complete === false &&
      earlier &&
      command('recon settlements', earlier, flags, '# what the earlier range is missing'),
  );
}

type AskedFor = Pick<SettlementsReport, 'range' | 'settings' | 'flags'>;

/** The command that lists all transactions of a report, however many there are. */
export function commandForRows(report: AskedFor): string {
  return command('recon transactions', rangeFlags(report), report.flags, '--output rows.csv');
}

function rangeFlags({ range, settings: { filters } }: AskedFor): string | undefined {
  if (range === undefined) return undefined;
  const words = Object.entries(filters).map(([name, value]) => `--${name} ${shellWord(value)}`);
  return [`--from ${range.from} --to ${range.to}`, ...words].join(' ');
}

/** The command that shows the entries of the bank; nothing where all is as it should be. */
function commandForBank(bank: BankCheck | undefined, words: string | undefined) {
  if (!isOffOnBank(bank)) return undefined;
  const { paths, flags } = bank.report;
  return command(
    'recon bank',
    ...paths.map(shellWord),
    words,
    flags,
    '# what is on the bank statements',
  );
}
