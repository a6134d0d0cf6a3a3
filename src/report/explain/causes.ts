import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { groupedBy } from '../../base/lists.ts';
import { isUsualOfRows } from '../../explain/cause.ts';
import type { ChargeFinding, ChargesSeen, WeighedCharge } from '../../explain/charge-evidence.ts';
import { isNothing } from '../../explain/delta.ts';
import {
  contenders,
  type Explained,
  type ExplainedRow,
  type Explanation,
  explanationsOf,
  type Hypothesised,
} from '../../explain/explained.ts';
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
import type { Block, Remark, Section } from '../common/view.ts';
import { causeNames } from './cause-words.ts';
import { formOf } from './summary.ts';
import {
  bestClause,
  bestText,
  causeTitle,
  deltaText,
  explanationText,
  obstacleText,
} from './words.ts';

const mostRivals = 9;
const mostParts = 2;

/** The cause and its rows, other possible causes, and how many were ruled out; with `listsAll`, all that was tested. */
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
    ...remarks('Other causes', othersInShort(explained)),
    // Where the cause is certain, it makes no difference.
    ...remarks('Not searched', certainty === 'certain' ? [] : notSearched(explained)),
  ];
}

function othersInShort({ hypotheses, certainty }: Explained): readonly Remark[] {
  const count = (outcome: Hypothesised['outcome']) =>
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
    ...(isOff ? remarks('Residual', [best ? plain(residual, '=') : alarm(residual)]) : []),
    ...remarks('Ruled out', ruledOut(explained)),
    ...remarks('Not searched', notSearched(explained)),
  ];
}

/** The rows of an explanation that names several, a section for each of its causes. */
export function rowSections({ causes }: Explanation, of = ''): readonly Section[] {
  return causes.flatMap(({ cause, rows: { count, examples } }) => {
    const title = `${of}${causeNames[cause.code]} (${grouped(count)})`;
    return count > 1 ? [rowsSection(capitalised(title), examples, count)] : [];
  });
}

/** The rows that an explanation is about; `count` are more than are shown, where they are many. */
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

/** What remains unexplained. */
export function residualText({ best, residual }: Explained, form: Unit): string {
  if (residual === undefined) return '';
  if (!isNothing(residual)) return `${deltaText(residual, form)}: not explained.`;
  return best?.assumesAmounts
    ? '0, but the explanation assumes amounts that no row shows.'
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
      const counted = isUsualOfRows(code) ? many(tried, 'row') : grouped(tried);
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

/** What the charges of the rows in the explanations say, a line each; and how many could not be read. */
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
    ...(named === 0 ? [plain('no explanation involves a row with a charge')] : []),
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
        `settled ${moneyText(one.settled)}, its rows here ${moneyText(one.rows)} ` +
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
      return 'its row is approved, but the charge was never completed';
  }
}
