import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { contenders, type Explanation, explanationsOf } from '../../explain/explained.ts';
import { answerBlock, facts, listed } from '../common/blocks.ts';
import { present } from '../common/phrase.ts';
import { effectTexts } from '../common/rule-words.ts';
import type { Block, View } from '../common/view.ts';
import { sentence, verdictTones, verdictWords } from '../common/words.ts';
import { causeQuestions } from './cause-words.ts';
import { residualText, rowSections, rowsSection } from './causes.ts';
import { chargeSentence } from './charge-evidence-words.ts';
import { type ExplainReport, finalVerdict, formOf, openEntries, otherEntries } from './report.ts';
import { answerText } from './summary.ts';
import { waterfallSection } from './waterfall.ts';
import { bestText, daysNotSearched, explanationText, rivalsText } from './words.ts';

/** Explanations that a case shows if none stands out. */
const most = 3;

/**
 * A case for the provider, to be pasted into a ticket: ids, numbers, the rows that differ, and what
 * is asked. Nothing personal, no notes, no accounting tokens and not the names given to them.
 */
export function explainForProvider(report: ExplainReport): View {
  const { settlements, settings } = report;
  return settlements.flatMap((one): readonly Block[] => {
    const { reconciled, explained, charges } = one;
    const { settlement } = reconciled;
    const verdict = finalVerdict(one);
    const form = formOf(one);
    const { best } = explained;
    // The best explanation and its rivals; where there is none, those of a part.
    const shown = (best ? contenders(explained) : explanationsOf(explained, 'partly')).slice(
      0,
      most,
    );
    const telling = (charges?.weighed ?? []).filter(({ findings }) => findings.length > 0);
    return [
      answerBlock(
        `Settlement of ${settlement.date}: ${verdictWords[verdict]}`,
        verdictTones[verdict],
        answerText(one),
      ),
      facts([
        ['settlementId', settlement.id],
        ['merchantId', settlement.merchantId],
        ['paymentService', settlement.paymentService],
        ['settlementStatus', settlement.status],
        ['paymentReferences', settlement.paymentReferences.join(', ')],
        ['All rows read', reconciled.complete ? 'yes' : 'NO'],
        ['Neighbouring days not searched', daysNotSearched(one)],
      ]),
      waterfallSection(reconciled, settings.identity),
      ...listed('By our rules', effectTexts(reconciled)),
      ...listed('Other findings', found(one)),
      ...listed(
        'Explanation',
        present(
          bestText(explained, form),
          rivalsText(explained),
          ...shown.filter((one) => one !== best).map((one) => explanationText(one, form)),
        ),
      ),
      ...shown.flatMap(rowBlocks),
      ...listed('Charges of the rows above', telling.map(chargeSentence)),
      ...listed('Residual', shown.length > 0 ? [residualText(explained, form)] : []),
      ...listed('Our request', verdict === 'out_of_balance' ? questions(shown) : []),
    ];
  });
}

/** Values of unknown form stay out: nobody knows what stands in them. */
function found(one: SettlementExplanation): readonly string[] {
  return [...openEntries(one), ...otherEntries(one.reconciled)]
    .filter(({ code }) => code !== 'unknown_value' && code !== 'not_read')
    .map(sentence);
}

function rowBlocks(one: Explanation, index: number): readonly Block[] {
  const single = one.causes.flatMap(({ rows }) => (rows.count === 1 ? rows.examples : []));
  const name = `explanation ${index + 1}`;
  return [
    ...(single.length > 0 ? [rowsSection(`Row of ${name}`, single, single.length)] : []),
    ...rowSections(one, `${name}: `),
  ];
}

function questions(told: readonly Explanation[]): readonly string[] {
  const asked = told.flatMap(({ codes }) => codes.map((code) => causeQuestions[code]));
  return asked.length > 0
    ? [...new Set(asked)]
    : ['Please tell us which rows make up the amounts in the header, or correct the header.'];
}
