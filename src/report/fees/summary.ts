import {
  claims,
  type FeesReport,
  type FeesVerdict,
  feeRows,
  feesVerdict,
  feesWithoutRow,
} from '../../app/fees-report.ts';
import { formatMinor } from '../../money/money.ts';
import { answerBlock, facts, remark, remarks } from '../common/blocks.ts';
import { adviceForIncomplete, incompleteSentences } from '../common/partial-words.ts';
import {
  command,
  enumerate,
  filtersText,
  grouped,
  many,
  moneyText,
  present,
  wholeRangeText,
} from '../common/phrase.ts';
import type { Tone } from '../common/view.ts';
import { entrySentence } from '../common/words.ts';
import { completenessText } from '../settlements/summary.ts';

/** The texts of the report other than its tables. */
export function feesSummary(report: FeesReport) {
  const { run, fees, range, agreement, settings } = report;
  const [label, text, notes] = [feesLabel(report), feesHeadline(report), feesNotes(report)];
  const unknown = many(fees.unknownTiers, 'row');
  const completeness =
    fees.unknownTiers === 0 || !run.complete
      ? completenessText({ run })
      : `NO: the volume that decides the tier of ${unknown} is not fully known`;
  const claim = command(
    'recon fees',
    `--from ${range.from} --to ${range.to}`,
    '--output claim.md',
    report.flags,
  );
  return {
    head: [
      answerBlock(label, tones[feesVerdict(report)], text),
      facts([
        ['Range', wholeRangeText(range)],
        ['Agreed rates', enumerate(agreement.rates.map(({ name }) => name))],
        ['Filters', filtersText(settings.filters)],
        ['Profile', settings.profile],
        ['Everything read', completeness],
      ]),
      ...remarks('Findings', run.findings.map(remark)),
    ],
    completeness,
    notes,
    advice: present(
      ...adviceForIncomplete(run.findings, ['Run the command again: not everything was read.']),
      claims(fees).length > 0 && `Claim: ${claim}`,
      feeRows(fees, 'withoutRate') > 0 && 'Without a rate: add the agreed rate of these rows.',
    ),
    /** For standard error, if the report itself is not shown. */
    conclusion: [`${label}. ${text}`, ...run.findings.map(entrySentence), ...notes],
  };
}

const tones: Readonly<Record<FeesVerdict, Tone>> = {
  incomplete: 'unsure',
  overcharged: 'bad',
  not_checked: 'unsure',
  as_agreed: 'good',
};

/** The answer in a few words. */
function feesLabel(report: FeesReport): string {
  const amounts = claims(report.fees).map(
    ({ minor, scale, currency }) => `${currency} ${grouped(formatMinor(minor, scale))}`,
  );
  const rows = many(feeRows(report.fees, 'withoutRate'), 'row');
  return {
    incomplete: 'INCOMPLETE',
    overcharged: `OVERCHARGED (${amounts.join(', ')})`,
    not_checked: `NOT CHECKED (${rows} without a rate)`,
    as_agreed: report.run.settlements.length === 0 ? 'NOTHING FOUND' : 'AS AGREED',
  }[feesVerdict(report)];
}

/** The answer in a few sentences. */
function feesHeadline({ fees }: FeesReport): string {
  const [above, below] = [feeRows(fees, 'overRows'), feeRows(fees, 'underRows')];
  const without = feeRows(fees, 'withoutRate');
  return present(
    `Fees of ${many(feeRows(fees, 'rows') - without, 'row')} were compared with the agreed rates.`,
    above > 0
      ? `${many(above, 'row costs', 'rows cost')} more than agreed: ${enumerate(claims(fees).map(moneyText))} with tax.`
      : 'None costs more than agreed.',
    below > 0 && `${many(below, 'row costs', 'rows cost')} less than agreed.`,
    without > 0 && `${many(without, 'row has', 'rows have')} no agreed rate.`,
  ).join(' ');
}

/** Notes on the figures, each a sentence. */
function feesNotes(report: FeesReport): readonly string[] {
  const { run, openMonths, agreement } = report;
  const { pending } = run.counts;
  const untaxed = agreement.rates.filter(({ tax }) => !tax).map(({ name }) => name);
  return present(
    ...incompleteSentences(run.settlements),
    pending > 0 && `Not checked: ${many(pending, 'pending settlement')}.`,
    openMonths.length > 0 &&
      `The volume of ${enumerate(openMonths)} is not final, so the tiers may still change.`,
    untaxed.length > 0 && `No tax is agreed for ${enumerate(untaxed)}, so it is not checked.`,
    feesWithoutRow(report).length > 0 && 'Fees in headers without a row are in no claim.',
  );
}
