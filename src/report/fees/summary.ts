import {
  claims,
  type FeesReport,
  feesVerdict,
  feesWithoutRow,
  rowsBelow,
  rowsWithoutRate,
} from '../../app/fees-report.ts';
import { formatMinor, type Money } from '../../money/money.ts';
import { adviceForIncomplete, incompleteSentences } from '../common/partial-words.ts';
import { command, enumerate, grouped, many, moneyText, present } from '../common/phrase.ts';
import { entrySentence } from '../common/words.ts';

/** The answer in a few words. */
export function feesLabel(report: FeesReport): string {
  const { fees, run } = report;
  switch (feesVerdict(report)) {
    case 'incomplete':
      return 'INCOMPLETE';
    case 'overcharged':
      return `OVERCHARGED (${claims(fees).map(labelAmount).join(', ')})`;
    case 'not_checked': {
      const rows = rowsWithoutRate(fees);
      return `NOT CHECKED (${many(rows, 'row')} without a rate)`;
    }
    case 'as_agreed':
      return run.settlements.length === 0 ? 'NOTHING FOUND' : 'AS AGREED';
  }
}

/** `EUR 92.82`. */
function labelAmount({ minor, scale, currency }: Money): string {
  return `${currency} ${grouped(formatMinor(minor, scale))}`;
}

/** The answer in a few sentences. */
export function feesHeadline({ fees }: FeesReport): string {
  const rows = fees.lines.reduce((sum, one) => sum + one.rows, 0);
  const above = fees.lines.reduce((sum, one) => sum + one.overRows, 0);
  const [below, without] = [rowsBelow(fees), rowsWithoutRate(fees)];
  return present(
    `Fees of ${many(rows - without, 'row')} were compared with the agreed rates.`,
    above > 0
      ? `${many(above, 'row costs', 'rows cost')} more than agreed: ${enumerate(claims(fees).map(moneyText))}, tax included.`
      : 'None costs more than agreed.',
    below > 0 && `${many(below, 'row costs', 'rows cost')} less than agreed.`,
    without > 0 && `${many(without, 'row has', 'rows have')} no agreed rate.`,
  ).join(' ');
}

/** Whether everything was read, in words. */
export function feesCompleteness({ run, fees }: FeesReport): string {
  const all = `${many(run.settlements.length, 'settlement')}, ${many(run.transactions, 'transaction')}`;
  const reasons = present(
    run.counts.incomplete > 0 && `${many(run.counts.incomplete, 'settlement')} not fully read`,
    run.findings.some(({ weight }) => weight === 'incomplete') &&
      'the list of settlements may be incomplete',
    fees.unknownTiers > 0 &&
      `the volume that decides the tier of ${many(fees.unknownTiers, 'row')} is not fully known`,
  );
  return reasons.length === 0 ? `yes: ${all}` : `NO: ${reasons.join('; ')}`;
}

/** What `recon fees` comes to, for those who do not see the report. */
export function feesConclusion(report: FeesReport): readonly string[] {
  return [
    `${feesLabel(report)}. ${feesHeadline(report)}`,
    ...report.run.findings.map(entrySentence),
    ...feesNotes(report),
  ];
}

/** What a reader has to know beside the figures, each a sentence. */
export function feesNotes(report: FeesReport): readonly string[] {
  const { run, openMonths, agreement } = report;
  const { pending } = run.counts;
  const untaxed = agreement.rates.filter(({ tax }) => !tax).map(({ name }) => name);
  return present(
    ...incompleteSentences(run.settlements),
    pending > 0 &&
      `${many(pending, 'pending settlement is', 'pending settlements are')} not checked.`,
    openMonths.length > 0 &&
      `The volume of ${enumerate(openMonths)} is not final, so the tiers may still change.`,
    untaxed.length > 0 && `No tax is agreed for ${enumerate(untaxed)}, so it is not checked.`,
    feesWithoutRow(report).length > 0 &&
      'Fees in headers without a row are listed apart. They are in no claim.',
  );
}

/** What to do next, each a sentence. */
export function feesAdvice(report: FeesReport): readonly string[] {
  const { run, fees, flags, range } = report;
  const { from, to } = range;
  return present(
    ...adviceForIncomplete(run.findings, ['Run the command again: not everything was read.']),
    claims(fees).length > 0 &&
      `Claim: ${command('recon fees --from', from, '--to', to, '--output claim.md', flags)}`,
    rowsWithoutRate(fees) > 0 && 'Without a rate: add the agreed rate of these rows.',
  );
}
