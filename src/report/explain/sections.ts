import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { groupedBy } from '../../base/lists.ts';
import { isUsualOfRows } from '../../explain/cause.ts';
import type { ChargeFinding, ChargesSeen, WeighedCharge } from '../../explain/charge-evidence.ts';
import {
  type CauseOutcome,
  contenders,
  type Explained,
  type ExplainedRow,
  type Explanation,
  explanationsOf,
} from '../../explain/explained.ts';
import { isNothing } from '../../explain/tally.ts';
import { allStated, type Figures } from '../../reconcile/computed.ts';
import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { alarm, column, listed, plain, remarks, section, unsure } from '../common/blocks.ts';
import {
  capitalised,
  enumerate,
  grouped,
  many,
  moneyText,
  present,
  signedDigitsOf,
  type Unit,
} from '../common/phrase.ts';
import type { Block, Chart, Remark, Section } from '../common/view.ts';
import { identityWords } from '../common/words.ts';
import { type DifferencePart, differenceChart, partsByAmount } from '../settlements/charts.ts';
import { causeNames } from './cause-words.ts';
import {
  bestClause,
  bestText,
  causeTitle,
  deltaText,
  explanationText,
  formOf,
  obstacleText,
} from './words.ts';

const mostRivals = 9;
const mostParts = 2;

/** The cause and its rows, other possible causes, and how many were ruled out; with `listsAll`, all tested causes. */
export function causeBlocks(one: SettlementExplanation, listsAll: boolean): readonly Block[] {
  if (listsAll) return allCauseBlocks(one);
  const { explained } = one;
  const form = formOf(one);
  const { best, target, certainty } = explained;
  const rivals = contenders(explained).slice(1);
  const parts = best ? [] : explanationsOf(explained, 'partly');
  const isOff = target !== undefined && !isNothing(target);
  return [
    ...remarks(causeTitle(explained), [
      ...(best ? [plain(capitalised(bestClause(explained, form)), '=')] : []),
      ...(isOff && !best ? [alarm('Not found.')] : []),
      ...parts.slice(0, mostParts).map((part) => plain(explanationText(part, form), '~')),
    ]),
    ...(best ? rowSections(best) : []),
    ...remarks('Other possible causes', [
      ...rivals.slice(0, mostRivals).map((rival) => plain(explanationText(rival, form))),
      ...more(rivals.length - mostRivals, 'other possible cause'),
    ]),
    ...remarks('Other causes', otherCauseRemarks(explained)),
    // It does not matter if the cause is certain.
    ...remarks('Not searched', certainty === 'certain' ? [] : notSearched(explained)),
  ];
}

function otherCauseRemarks({ hypotheses, certainty }: Explained): readonly Remark[] {
  const count = (outcome: CauseOutcome['outcome']) =>
    hypotheses.filter((one) => one.outcome === outcome).length;
  const ruledOut = count('ruled_out');
  const skipped = certainty === 'certain' ? count('not_searched') : 0;
  const said = present(
    ruledOut > 0 && `${many(ruledOut, 'other cause was', 'other causes were')} ruled out`,
    skipped > 0 && `${many(skipped, 'was', 'were')} not searched`,
  );
  return said.length > 0 ? [quiet(`${enumerate(said)}; --all lists them.`, 'x')] : [];
}

function allCauseBlocks(one: SettlementExplanation): readonly Block[] {
  const { explained } = one;
  const { target, best } = explained;
  const form = formOf(one);
  const complete = explanationsOf(explained, 'explains');
  const parts = explanationsOf(explained, 'partly').map((each) => explanationText(each, form));
  const isOff = target !== undefined && !isNothing(target);
  const residual = residualText(explained, form);
  return [
    ...remarks(
      'Full explanations',
      complete.map((each, index) => {
        const text = each === best ? bestText(explained, form) : explanationText(each, form);
        return plain(text, `${index + 1}`);
      }),
    ),
    ...complete.flatMap((each, index) => rowSections(each, `explanation ${index + 1}: `)),
    ...listed('Partial explanations', parts, '~'),
    ...(isOff ? remarks('Unexplained', [best ? plain(residual, '=') : alarm(residual)]) : []),
    ...remarks('Ruled out', ruledOut(explained)),
    ...remarks('Not searched', notSearched(explained)),
  ];
}

/** The rows of an explanation, a section for each cause that names several. */
export function rowSections({ causes }: Explanation, of = ''): readonly Section[] {
  return causes.flatMap(({ cause, rows: { count, examples } }) => {
    const title = `${of}${causeNames[cause.code]} (${grouped(count)})`;
    return count > 1 ? [rowsSection(capitalised(title), examples, count)] : [];
  });
}

/** The rows of a cause. It has `count` rows, of which `rows` may be only the first. */
export function rowsSection(title: string, rows: readonly ExplainedRow[], count: number): Section {
  const rest = count - rows.length;
  return {
    ...section(title, rows, [
      column.id('Transaction', ({ transactionId }) => transactionId),
      column.id('Charge', ({ chargeId }) => chargeId, { priority: 5 }),
      column.text('Type', ({ type }) => type, { priority: 3 }),
      column.text('State', ({ state }) => state, { priority: 3 }),
      column.text('Currency', ({ amount }) => amount.currency, { priority: 4 }),
      column.amount('Gross', ({ amount }) => amount),
      column.amount('Fees', ({ fees }) => fees, { priority: 2 }),
      column.amount('Tax', ({ tax }) => tax, { priority: 2 }),
    ]),
    note: rest > 0 ? `... and ${grouped(rest)} more` : undefined,
  };
}

export function residualText({ best, residual }: Explained, form: Unit): string {
  if (residual === undefined) return '';
  if (!isNothing(residual)) return `${deltaText(residual, form)}: not explained.`;
  return best?.assumesAmounts
    ? '0, but the explanation assumes amounts that no transaction shows.'
    : '0: fully explained.';
}

function quiet(text: string, mark: string): Remark {
  return { mark, tone: 'quiet', text };
}

function more(count: number, one: string): readonly Remark[] {
  return count > 0 ? [quiet(`${many(count, `more ${one}`)}; --all lists them.`, '-')] : [];
}

function ruledOut({ hypotheses }: Explained): readonly Remark[] {
  const all = hypotheses.filter((one) => one.outcome === 'ruled_out');
  const tried = all.filter((one) => one.tried > 0);
  const none = all.filter((one) => one.tried === 0).map(({ codes }) => causeNames[codes[0]]);
  return present(
    ...tried.map(({ codes: [code], tried }) => {
      const counted = isUsualOfRows(code) ? many(tried, 'transaction') : grouped(tried);
      return `${causeNames[code]} (${counted} tried)`;
    }),
    none.length > 0 && `not applicable: ${none.join('; ')}`,
  ).map((text) => quiet(text, 'x'));
}

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

const mostUnread = 3;

/** Findings about the charges of the rows in the explanations, a line each, and how many charges could not be read. */
export function chargeRemarks({ named, weighed, unread }: ChargesSeen): readonly Remark[] {
  const telling = weighed.filter(({ findings }) => findings.length > 0);
  const quiet = weighed.length - telling.length;
  const left = named - weighed.length - unread.length;
  const few = unread.slice(0, mostUnread);
  return [
    ...telling.map(remarkOf),
    ...present(quiet > 0 && `${many(quiet, 'charge')} without findings`).map((one) => plain(one)),
    ...present(
      ...few.map(({ id, notRead }) => `charge ${id} could not be read: ${notRead}`),
      unread.length > 0 &&
        `${unread.length} of ${many(named, 'charge')} could not be read; no verdict depends on them`,
      left > 0 && `${many(left, 'more charge')} not read`,
    ).map(unsure),
    ...(named === 0 ? [plain('no explanation involves a transaction with a charge')] : []),
  ];
}

/** A refund alone is no alarm: the merchant made it. */
function remarkOf(one: WeighedCharge): Remark {
  const text = chargeSentence(one);
  return one.findings.every(({ code }) => code === 'refunded') ? plain(text) : alarm(text);
}

/** `charge X (settled), transaction Y: 25.00 EUR disputed`. */
export function chargeSentence(one: WeighedCharge): string {
  const { chargeId, status, transactionIds, findings } = one;
  const of = transactionIds.length === 1 ? 'transaction' : 'transactions';
  const found = findings.map(findingText).join('; ');
  return `charge ${chargeId} (${status}), ${of} ${enumerate(transactionIds)}: ${found}`;
}

function findingText(one: ChargeFinding): string {
  switch (one.code) {
    case 'settled_differs':
      return (
        `settled ${moneyText(one.settled)}, its transactions here ${moneyText(one.rows)} ` +
        `(difference ${grouped(signedDigitsOf(one.difference))})`
      );
    case 'disputed':
    case 'reversed':
    case 'canceled':
      return `${moneyText(one.amount)} ${one.code}`;
    case 'refunded':
      return `${moneyText(one.amount)} refunded (${one.whole ? 'in full' : 'in part'})`;
    case 'out_of_balance': {
      const amounts = enumerate([...one.amounts.map(moneyText), ...one.others]);
      return amounts ? `out of balance by ${amounts}` : 'the service reports it as out of balance';
    }
    case 'status_contradicts':
      return 'its transaction is approved, but the charge was never completed';
  }
}

const stepWords = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  pay_in_that_follows: '= net pay-out that follows',
  carried: '+ carried over and reserves',
  pay_in_reported: 'net pay-out reported',
} as const;

type Step = keyof typeof stepWords;
type WaterfallStep = ReturnType<typeof waterfall>[number];

/** The steps from gross to pay-in. The pay-in by the identity is computed from the header and from the rows. */
export function waterfall(one: ReconciledSettlement, identity: Identity) {
  const { reported, computed, difference } = one;
  /** Minor units at the settlement's scale; `computed` only if the rows were read completely. */
  const line = (step: Step, sign: bigint, pick: (figures: Figures) => bigint | undefined) => ({
    step,
    /** Whether it is added to the pay-in (1), subtracted (-1) or neither (0). */
    sign: Number(sign),
    reported: pick(reported),
    computed: computed && pick(computed),
    difference: difference && pick(difference),
  });
  const payIn = line('pay_in_reported', 0n, (figures) => figures.payIn);
  const follows = (fees: bigint, tax: bigint, gross = 0n) =>
    identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
  const followsFrom = (figures: Figures) => {
    const { gross, fees, tax } = allStated(figures) ?? {};
    return gross === undefined ? undefined : follows(fees ?? 0n, tax ?? 0n, gross);
  };
  const steps = [
    line('gross', 1n, ({ gross }) => gross),
    line('fees', follows(1n, 0n), ({ fees }) => fees),
    line('tax', follows(0n, 1n), ({ tax }) => tax),
  ];
  if (identity === 'off') return [...steps, payIn];
  const all = line('pay_in_that_follows', 0n, followsFrom);
  const carried = line('carried', 1n, (figures) => {
    const following = followsFrom(figures);
    return figures === computed && following !== undefined && computed.payIn !== undefined
      ? computed.payIn - following
      : undefined;
  });
  return [...steps, all, ...(carried.computed ? [carried] : []), payIn];
}

export function waterfallSection(one: ReconciledSettlement, identity: Identity): Section {
  const { scale, settlement, reported, computed, difference } = one;
  const equation = identity === 'off' ? '' : ` (net pay-out = ${identityWords(identity)})`;
  const lines = [
    ...waterfall(one, identity).map((line) => ({ ...line, label: labelOf(line, identity), scale })),
    {
      label: `Transactions${notStated(reported.transactions)}`,
      scale: 0,
      reported: wholeOf(reported.transactions),
      computed: wholeOf(computed?.transactions),
      difference: wholeOf(difference?.transactions),
    },
  ];
  return section(`Arithmetic in ${settlement.currency}${equation}`, lines, [
    column.text('', ({ label }) => label),
    column.amount('Reported', ({ reported }) => reported),
    column.amount('Computed', ({ computed }) => computed),
    column.difference('Difference', ({ difference }) => difference),
  ]);
}

const wholeOf = (count: number | undefined) => (count === undefined ? undefined : BigInt(count));

const notStated = (reported: unknown) => (reported === undefined ? ' (not stated)' : '');

function labelOf({ step, sign, reported }: WaterfallStep, identity: Identity): string {
  const isOfRows = step === 'pay_in_that_follows' || step === 'carried';
  const label = `${stepWords[step]}${isOfRows ? '' : notStated(reported)}`;
  if (step !== 'fees' && step !== 'tax') return capitalised(label);
  if (sign === 0) return `${capitalised(label)}${identity === 'off' ? '' : ' (not included)'}`;
  return `${sign < 0 ? '-' : '+'} ${label}`;
}

/** The parts of a difference in pay-in: by amount and, if something explains a part, by cause. */
export function explainCharts(one: SettlementExplanation, identity: Identity): readonly Chart[] {
  const { reconciled } = one;
  const { difference } = reconciled;
  const byAmount = difference ? partsByAmount(difference, identity) : [];
  if (byAmount.length === 0) return [];
  const chart = (by: string, added: string, parts: readonly DifferencePart[]) =>
    differenceChart(reconciled, parts, {
      title: `Difference in net pay-out by ${by}`,
      text: `Starts at zero, adds ${added}, and ends at the difference in net pay-out.`,
      ...formOf(one),
    });
  const byCause = partsByCause(one);
  return [
    chart('amount', 'what the differences in gross, fees and tax change', byAmount),
    ...(byCause.length > 0 ? [chart('cause', 'what each cause changes', byCause)] : []),
  ];
}

function partsByCause({ explained }: SettlementExplanation): readonly DifferencePart[] {
  const [best] = explained.best ? [explained.best] : explanationsOf(explained, 'partly');
  if (best === undefined) return [];
  const all: readonly DifferencePart[] = [
    ...best.causes.map(
      ({ cause, explained }) => [capitalised(causeNames[cause.code]), explained.payIn] as const,
    ),
    ['Unexplained', best.residual.payIn],
  ];
  return all.filter(([, change]) => change !== 0n);
}
