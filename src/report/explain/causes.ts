import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { groupedBy } from '../../base/keys.ts';
import { isNothing } from '../../explain/delta.ts';
import {
  contenders,
  type Explained,
  type ExplainedRow,
  type Explanation,
} from '../../explain/explained.ts';
import { alarm, column, plain, remarks, section, unsure, uuid } from '../common/blocks.ts';
import { capitalised, digitsOf, enumerate, many, present } from '../common/phrase.ts';
import type { Block, Remark, Section } from '../common/view.ts';
import { causeNames } from './cause-words.ts';
import { type AmountForm, formOf } from './report.ts';
import { deltaText, explanationText, obstacleText, rivalsText } from './words.ts';

/** A screen has room for so many explanations of one kind, unless more of them are as likely. */
const fewest = 2;
const most = 9;

/** The causes tested: what explains all, what explains some, what is left, and the others. */
export function causeBlocks(one: SettlementExplanation): readonly Block[] {
  const { explained } = one;
  const { target, best } = explained;
  const fitting = contenders(explained).length;
  const form = formOf(one);
  const complete = explanationsOf(explained, 'explains');
  const partly = explanationsOf(explained, 'partly');
  const shown = complete.slice(0, Math.min(most, Math.max(fewest, fitting)));
  const residual = residualText(explained, form);
  return [
    ...remarks('Full explanations', [
      ...(fitting > 1 ? [unsure(rivalsText(fitting))] : []),
      ...shown.map((one, index) => plain(explanationText(one, form), String(index + 1))),
      ...more(complete.length - shown.length, 'full explanation'),
    ]),
    ...shown
      .slice(0, fitting)
      .flatMap((one, index) => rowSections(one, `explanation ${index + 1}`)),
    ...remarks('Partial explanations', [
      ...partly.slice(0, fewest).map((one) => plain(explanationText(one, form), '~')),
      ...more(partly.length - fewest, 'partial explanation'),
    ]),
    ...(target === undefined || isNothing(target)
      ? []
      : remarks('Residual', [best ? plain(residual, '=') : alarm(residual)])),
    ...remarks('Ruled out', ruledOut(explained)),
    ...remarks('Not searched', notSearched(explained)),
  ];
}

/** The explanations of one kind, in their order. */
export function explanationsOf({ hypotheses }: Explained, outcome: Explanation['outcome']) {
  return hypotheses.filter((one): one is Explanation => one.outcome === outcome);
}

/** The rows of an explanation that names several, a section for each of its causes. */
export function rowSections({ causes }: Explanation, of: string): readonly Section[] {
  return causes.flatMap(({ cause, rows: { count, examples } }) => {
    const title = `${capitalised(of)}: ${causeNames[cause.code]} (${count})`;
    return count > 1 ? [rowsSection(title, examples, count)] : [];
  });
}

/** The rows that an explanation is about; `count` are more than are shown, where they are many. */
export function rowsSection(title: string, rows: readonly ExplainedRow[], count: number): Section {
  const rest = count - rows.length;
  return {
    ...section(title, rows, [
      column(1, 'Transaction', 'text', ({ transactionId }) => transactionId, uuid),
      column(5, 'Charge', 'text', ({ chargeId }) => chargeId, uuid),
      column(3, 'Type', 'text', ({ type }) => type),
      column(3, 'State', 'text', ({ state }) => state),
      column(4, 'Currency', 'text', ({ amount }) => amount.currency),
      column(1, 'Gross', 'amount', ({ amount }) => digitsOf(amount)),
      column(2, 'Fees', 'amount', ({ fees }) => digitsOf(fees)),
      column(2, 'Tax', 'amount', ({ tax }) => digitsOf(tax)),
    ]),
    note: rest > 0 ? `... and ${rest} more` : undefined,
  };
}

/** What remains unexplained. */
export function residualText({ best, residual }: Explained, form: AmountForm): string {
  if (residual === undefined) return '';
  if (!isNothing(residual)) return `${deltaText(residual, form)}: not explained.`;
  return best?.assumesAmounts
    ? '0, but only because the best explanation would fit any difference.'
    : '0: fully explained.';
}

/** A remark of little weight. */
function quiet(text: string, mark: string): Remark {
  return { mark, tone: 'quiet', text };
}

function more(count: number, one: string): readonly Remark[] {
  return count > 0 ? [quiet(`${many(count, `more ${one}`)}; --format json lists all`, '-')] : [];
}

/** A line each; causes with nothing to try share one. */
function ruledOut({ hypotheses }: Explained): readonly Remark[] {
  const all = hypotheses.filter((one) => one.outcome === 'ruled_out');
  const tried = all.filter((one) => one.tried > 0);
  const none = all.filter((one) => one.tried === 0).map(({ codes }) => causeNames[codes[0]]);
  return present(
    ...tried.map(({ codes: [code], tried }) => {
      const isByRow = code === 'row_not_counted' || code === 'row_counted_twice';
      return `${causeNames[code]} (${isByRow ? many(tried, 'row') : tried} tried)`;
    }),
    none.length > 0 && `not applicable: ${none.join('; ')}`,
  ).map((text) => quiet(text, 'x'));
}

/** A line for each reason, with all causes that were not searched for it. */
function notSearched({ hypotheses, pairObstacles }: Explained): readonly Remark[] {
  const skipped = hypotheses.filter((one) => one.outcome === 'not_searched');
  const [first] = skipped;
  if (first && skipped.length === hypotheses.length) {
    return [unsure(`all causes: ${obstacleText(first.obstacle)}`)];
  }
  const all = [
    ...skipped.map(({ codes: [code], obstacle }) => ({ what: causeNames[code], obstacle })),
    ...pairObstacles.map((obstacle) => ({ what: 'two causes combined', obstacle })),
  ];
  return [...groupedBy(all, ({ obstacle }) => obstacleText(obstacle))].map(([why, group]) =>
    unsure(`${enumerate(group.map(({ what }) => what))}: ${why}`),
  );
}
