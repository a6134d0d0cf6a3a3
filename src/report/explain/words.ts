import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { Obstacle } from '../../explain/case.ts';
import type { Cause } from '../../explain/cause.ts';
import { type Delta, isNothing } from '../../explain/delta.ts';
import {
  contenders,
  type Explained,
  type ExplainedCause,
  type ExplainedRow,
  type Explanation,
  type Hypothesised,
} from '../../explain/explained.ts';
import type { Figure } from '../../explain/tally.ts';
import {
  capitalised,
  daysText,
  digitsOf,
  enumerate,
  many,
  moneyText,
  present,
  signedText,
  withoutStop,
} from '../common/phrase.ts';
import { measures, measureWords } from '../common/words.ts';
import { causeNames, causePhrase } from './cause-words.ts';
import type { AmountForm } from './report.ts';

const figureWords: Readonly<Record<Figure, string>> = { count: 'transactions', ...measureWords };

/** So few rows are named in the sentence itself. */
const namedInSentence = 3;

/**
 * The best explanation in short, for a report of many settlements: empty where there is none.
 * If others are as likely, it says that the data do not show which is right.
 */
export function explanationSentence(explained: Explained, currency: string): string {
  const { best, hypotheses, scale, target } = explained;
  if (target === undefined || (best === undefined && isNothing(target))) return '';
  if (best === undefined) {
    const skipped = hypotheses.flatMap((one) => ('obstacle' in one ? [one.obstacle] : []));
    const [why] = skipped.length === hypotheses.length ? skipped : [];
    return why ? `Not searched for explanations: ${obstacleText(why)}.` : '';
  }
  const text = explanationText(best, { scale, currency });
  const fitting = contenders(explained).length;
  return fitting > 1 ? `${text} ${rivalsText(fitting)}` : text;
}

/**
 * The best explanation of one settlement out of balance among many: that nothing was found is
 * said too, so that it can be told from a search that was not made.
 */
export function briefExplanation(explained: Explained, currency: string): string {
  const found = explanationSentence(explained, currency);
  if (found !== '') return found;
  return explained.target !== undefined && isNothing(explained.target)
    ? 'Nothing to explain: all sums agree.'
    : 'No explanation found. recon explain searches further.';
}

/** That several explanations are about as likely as each other. */
export function rivalsText(fitting: number): string {
  return `${fitting} explanations are about equally likely; the data do not show which is right.`;
}

/** What an explanation says: what the differences equal, how sure that is, and what it leaves. */
export function explanationText(one: Explanation, form: AmountForm): string {
  return present(
    `${statement(one, form)}.`,
    certainty(one),
    one.outcome === 'partly' && `Remaining: ${deltaText(one.residual, form)}.`,
  ).join(' ');
}

/** `transactions +1, gross +84.50, fees +1.43 EUR`: the figures that are not zero, or `0`. */
export function deltaText(delta: Delta, { scale, currency }: AmountForm): string {
  const { count } = delta;
  const amounts = measures
    .filter((measure) => delta[measure] !== 0n)
    .map((measure) => `${measureWords[measure]} ${signedText(delta[measure], scale)}`);
  const transactions = count !== 0 && `transactions ${count > 0 ? '+' : ''}${count}`;
  const all = present(transactions, ...amounts).join(', ') || '0';
  return amounts.length === 0 ? all : `${all} ${currency}`;
}

function statement(one: Explanation, form: AmountForm): string {
  const { figures, outcome, causes } = one;
  if (figures.length === 0) {
    return capitalised(causes.map((cause) => phrase(cause, form)).join('; and '));
  }
  const isAll = causes.length === 1;
  const said = causes.map((one) => `${phrase(one, form)}: ${whatItIs(one, form, isAll)}`);
  const names = enumerate(figures.map((figure) => figureWords[figure]));
  const differences =
    figures.length === 1
      ? `The difference in ${names} equals`
      : `The differences ${outcome === 'explains' ? '' : `in ${names} `}equal`;
  return `${differences} ${said.join('; and ')}`;
}

function phrase({ cause, rows, explained }: ExplainedCause, form: AmountForm): string {
  return causePhrase(cause, { ...form, rows: rows.count, transactions: explained.count });
}

/** A row with its amounts where it is all; else rows by name where they are few, and their part. */
function whatItIs({ rows, explained }: ExplainedCause, form: AmountForm, isAll: boolean): string {
  const { count, examples } = rows;
  const [row] = examples;
  if (isAll && count === 1 && row) return rowText(row);
  if (count === 0 || count > namedInSentence) return deltaText(explained, form);
  const ids = enumerate(examples.map(({ transactionId }) => transactionId));
  return `${count === 1 ? 'transaction' : 'transactions'} ${ids}, ${deltaText(explained, form)}`;
}

function rowText({ transactionId, type, state, amount, fees, tax }: ExplainedRow): string {
  const kind = present(type, state).join(', ');
  const named = `transaction ${transactionId}${kind && ` (${kind})`}`;
  return `${named} with gross ${digitsOf(amount)}, fees ${digitsOf(fees)}, tax ${moneyText(tax)}`;
}

/** How sure it is: what fits among many candidates may fit by chance. */
function certainty(one: Explanation): string {
  const { candidates, tried, figures, assumesAmounts } = one;
  if (assumesAmounts) return 'This would fit any difference, so it is not proof.';
  if (tried < 2) return '';
  const found = `${candidates} of ${tried}${isCombination(one) ? ' combinations' : ''} tried`;
  if (candidates > 1) return `${found} fit equally well. The one with the smallest id is shown.`;
  const isOneAmount = figures.filter((figure) => figure !== 'count').length === 1;
  const chance = isOneAmount ? '; with only one amount to match, this may be a coincidence' : '';
  return `${found} fits${chance}.`;
}

/** Whether candidates were put together: several causes, or several single rows. */
function isCombination({ causes }: Explanation): boolean {
  return causes.length > 1 || causes.some(({ cause, rows }) => rows.count > 1 && isByRow(cause));
}

function isByRow({ code, facts }: Cause): boolean {
  if (code === 'scale_slip') return facts.of === 'row';
  return (
    code === 'row_not_counted' ||
    code === 'row_counted_twice' ||
    code === 'row_sign' ||
    code === 'neighbour'
  );
}

/** The days around it that nobody could look at, in words; empty where there are none. */
export function daysNotSearched({ missingDays }: SettlementExplanation): string {
  return missingDays.length === 0 ? '' : `${daysText(missingDays)} (not in the export)`;
}

/** What became of a hypothesis, in a sentence or more. */
export function hypothesisText(one: Hypothesised, form: AmountForm): string {
  if ('explained' in one) return explanationText(one, form);
  const became =
    one.outcome === 'ruled_out'
      ? `ruled out; none of ${one.tried} tried fits`
      : `not searched; ${obstacleText(one.obstacle)}`;
  return `${capitalised(causeNames[one.codes[0]])}: ${became}.`;
}

/** Why a cause was not searched for, to follow on what it is. */
export function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.reason) {
    case 'incomplete':
      return 'the rows were not fully read';
    case 'no_neighbours':
      return 'none were read';
    case 'no_neighbour_rows':
      return 'their rows were not read';
    case 'missing_days':
      return `not in the export: ${daysText(obstacle.days)}`;
    case 'neighbours_not_read':
      return `they could not be listed: ${withoutStop(obstacle.failure)}`;
    case 'neighbours_uncertain':
      return 'the list of them may be incomplete';
    case 'neighbour_rows_not_read': {
      const { unread, neighbours } = obstacle;
      return `the rows of ${unread} of ${many(neighbours, 'settlement')} could not be read`;
    }
    case 'too_many_rows': {
      const { rows, limit, atOnce } = obstacle;
      return atOnce === 1
        ? `the settlement has ${rows} rows; the limit is ${limit}`
        : `sets of ${atOnce} rows are tried up to ${limit} rows, and it has ${rows}; beyond that, some fit by chance`;
    }
    case 'too_many_candidates':
      return `too many candidates (${obstacle.candidates})`;
  }
}
