import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { CauseCode } from '../../explain/cause.ts';
import { isNothing } from '../../explain/delta.ts';
import type { Explained, ExplainedRow, Explanation } from '../../explain/explained.ts';
import { column, remarks, section, unsure, uuid } from '../common/blocks.ts';
import { capitalised, digitsOf, enumerate, many } from '../common/phrase.ts';
import type { Block, Remark, Section } from '../common/view.ts';
import { causeWords } from './cause-words.ts';
import { type AmountForm, deltaText, equalsText, explanationText, obstacleText } from './words.ts';

/** A screen has room for so many explanations of one kind, unless more of them are equal. */
const fewest = 2;
const most = 9;

/** The causes tested: what explains all, what explains some, what is left, and the others. */
export function causeBlocks({ reconciled, explained }: SettlementExplanation): readonly Block[] {
  const { target, equals } = explained;
  const form = { scale: explained.scale, currency: reconciled.settlement.currency };
  const complete = explanationsOf(explained, 'explains');
  const partly = explanationsOf(explained, 'partly');
  const shown = complete.slice(0, Math.min(most, Math.max(fewest, equals)));
  return [
    ...remarks('Full explanations', [
      ...(equals > 1 ? [unsure(equalsText(equals))] : []),
      ...explanationRemarks(shown, (index) => String(index + 1), form),
      ...more(complete.length - shown.length, 'full explanation'),
    ]),
    ...shown.slice(0, equals).flatMap((one, index) => rowSections(one, `explanation ${index + 1}`)),
    ...remarks('Partial explanations', [
      ...explanationRemarks(partly.slice(0, fewest), () => '~', form),
      ...more(partly.length - fewest, 'partial explanation'),
    ]),
    ...(target === undefined || isNothing(target)
      ? []
      : remarks('Residual', [residual(explained, form)])),
    ...remarks('Ruled out', ruledOut(explained)),
    ...remarks('Not searched', notSearched(explained)),
  ];
}

/** The explanations of one kind, in their order. */
export function explanationsOf(
  { hypotheses }: Explained,
  outcome: Explanation['outcome'],
): readonly Explanation[] {
  return hypotheses.filter((one): one is Explanation => one.outcome === outcome);
}

/** The rows of an explanation that names several, a section for each of its causes. */
export function rowSections({ causes }: Explanation, of: string): readonly Section[] {
  return causes
    .filter(({ rows }) => rows.count > 1)
    .map(({ cause, rows }) =>
      rowsSection(
        `${capitalised(of)}: ${causeWords[cause.code].name} (${rows.count})`,
        rows.examples,
        rows.count,
      ),
    );
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
  return best?.fitsAnything
    ? '0, but only because the best explanation would fit any difference.'
    : '0: fully explained.';
}

function residual(explained: Explained, form: AmountForm): Remark {
  const text = residualText(explained, form);
  return explained.best === undefined
    ? { mark: '!', tone: 'bad', text }
    : { mark: '=', tone: 'plain', text };
}

function explanationRemarks(
  explanations: readonly Explanation[],
  mark: (index: number) => string,
  form: AmountForm,
): readonly Remark[] {
  return explanations.map((one, index) => ({
    mark: mark(index),
    tone: 'plain',
    text: explanationText(one, form),
  }));
}

function more(count: number, one: string): readonly Remark[] {
  if (count <= 0) return [];
  const text = `${many(count, `more ${one}`)}; --format json lists all`;
  return [{ mark: '-', tone: 'quiet', text }];
}

/** A line each; causes with nothing to try share one. */
function ruledOut({ hypotheses }: Explained): readonly Remark[] {
  const all = hypotheses.filter((one) => one.outcome === 'ruled_out');
  const tried = all.filter((one) => one.tried > 0);
  const none = all.filter((one) => one.tried === 0).map(({ codes }) => causeWords[codes[0]].name);
  return [
    ...tried.map(
      ({ codes, tried }) => `${causeWords[codes[0]].name} (${triedText(codes[0], tried)})`,
    ),
    ...(none.length > 0 ? [`not applicable: ${none.join('; ')}`] : []),
  ].map((text) => ({ mark: 'x', tone: 'quiet', text }));
}

function triedText(code: CauseCode, tried: number): string {
  const isByRow = code === 'row_not_counted' || code === 'row_counted_twice';
  return `${isByRow ? many(tried, 'row') : tried} tried`;
}

/** A line for each reason, with all causes that were not searched for it. */
function notSearched({ hypotheses, pairObstacles }: Explained): readonly Remark[] {
  const skipped = hypotheses.filter((one) => one.outcome === 'not_searched');
  const [first] = skipped;
  if (first && skipped.length === hypotheses.length) {
    return [unsure(`all causes: ${obstacleText(first.obstacle)}`)];
  }
  const names = new Map<string, readonly string[]>();
  const add = (why: string, what: string) => names.set(why, [...(names.get(why) ?? []), what]);
  for (const { codes, obstacle } of skipped) add(obstacleText(obstacle), causeWords[codes[0]].name);
  for (const obstacle of pairObstacles) add(obstacleText(obstacle), 'two causes combined');
  return [...names].map(([why, what]) => unsure(`${enumerate(what)}: ${why}`));
}
