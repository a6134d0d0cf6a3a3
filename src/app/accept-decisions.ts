import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { amountsCompared, differenceKey, differenceKinds } from '../model/accepted-difference.ts';
import { accountNumber } from '../model/bank.ts';
import { atScale, type Decimal, writtenAmount } from '../money/decimal.ts';
import { rescale } from '../money/money.ts';
import { type AcceptanceChange, isExpired, onlyChanged } from '../reconcile/acceptance.ts';
import { daysWritten, type WrittenDecision } from '../register/decisions-file.ts';
import { type Decision, type Decisions, decisionId } from './decisions.ts';
import { type Placing, placeLine, type RegisterNow, refusedLastDay } from './place-line.ts';

/**
 * What becomes of a line of a list of decisions:
 * - `accepted`: goes into the register; `already_accepted`: the register says the same
 * - `undecided`: nobody has filled it in
 * - `changed`: it is not as it was seen
 * - `not_found`, `not_read`, `not_out_of_balance`: there is nothing to accept
 * - `twice_in_the_file`, `reason_missing`, `closed`, `invalid`: as they say
 */
type DecisionStatus =
  | ('accepted' | 'already_accepted' | 'undecided' | 'changed' | 'not_found' | 'not_read')
  | ('not_out_of_balance' | 'twice_in_the_file' | 'reason_missing' | 'closed' | 'invalid');

/** A line of a list of decisions, compared with what is found now. */
export interface JudgedDecision {
  readonly written: WrittenDecision;
  readonly status: DecisionStatus;
  /** What it is about, as it is now; absent if nothing was found. */
  readonly decision?: Decision | undefined;
  readonly changes?: readonly AcceptanceChange[];
  /** What stands against it, as a sentence. */
  readonly problem?: string;
  readonly placing?: Placing;
}

/** Whether a line is as its writer meant it. */
export function isInOrder({ status }: JudgedDecision): boolean {
  return ['accepted', 'already_accepted', 'undecided'].includes(status);
}

/** Whether somebody has filled in a line. */
export function isDecided({ cells }: WrittenDecision): boolean {
  return cells.decision !== '' || cells.reason !== '';
}

interface JudgedAgainst extends RegisterNow {
  readonly decisions: Decisions;
}

/** Judges all lines of a list by what is found now and by the register; all must be in order, unless in part. */
export function judgeDecisions(
  written: readonly WrittenDecision[],
  against: JudgedAgainst,
  isPartial: boolean,
) {
  const foundFor = new Map(written.map((one) => [one, decisionFor(one, against.decisions)]));
  const times = groupedBy(written.filter(isDecided), (one) => foundFor.get(one));
  const judged = written.map((one): JudgedDecision => {
    const found = foundFor.get(one);
    if (!found || found instanceof ReconError || !isDecided(one)) {
      return { written: one, ...unfit(one, found) };
    }
    const isTwice = (times.get(found) ?? []).length > 1;
    const judgement = isTwice
      ? ({ status: 'twice_in_the_file' } as const)
      : judge(one, found, against);
    return { written: one, decision: found, ...judgement };
  });
  const isStopped = !isPartial && !judged.every(isInOrder);
  const placings = isStopped
    ? []
    : judged.flatMap(({ status, placing }) => (status === 'accepted' && placing) || []);
  const replaced = new Set(placings.map(({ before }) => before));
  const current = against.lines.filter((line) => !isExpired(line, against.today));
  return {
    judged,
    isStopped,
    placings,
    /** The lines of the register that have not expired. */
    before: current,
    after: [...current.filter((line) => !replaced.has(line)), ...placings.map(({ line }) => line)],
  };
}

type Judgement = Pick<JudgedDecision, 'status' | 'changes' | 'problem' | 'placing'>;

function decisionFor({ cells }: WrittenDecision, decisions: Decisions) {
  const kind = differenceKinds.find((one) => one === cells.kind.toLowerCase());
  return kind && decisions.get(decisionId({ kind, id: cells.settlement_id }));
}

function unfit(one: WrittenDecision, found: Decision | ReconError | undefined): Judgement {
  if (!isDecided(one)) return { status: 'undecided' };
  if (!(found instanceof ReconError)) return { status: 'not_found' };
  const status = found.failure === 'service' ? 'not_read' : 'not_out_of_balance';
  return { status, problem: found.message };
}

function judge({ cells }: WrittenDecision, found: Decision, against: JudgedAgainst): Judgement {
  if (!/^accept(ed)?$/i.test(cells.decision)) {
    return invalid(`decision must be accept, not "${cells.decision}".`);
  }
  if (cells.reason === '') return { status: 'reason_missing' };
  const changes = changesSince(cells, found);
  if (typeof changes === 'string') return invalid(changes);
  if (changes.length > 0) return { status: 'changed', changes };
  const [until, other] = cells.until === '' ? [] : daysWritten(cells.until);
  if (cells.until !== '' && (until === undefined || other !== undefined)) {
    return invalid(`until must be a date such as 2026-03-05, not "${cells.until}".`);
  }
  const refused = refusedLastDay(until, against.today);
  if (refused) return invalid(`until: ${refused.message}`);
  const { reason, by, books_account: account } = cells;
  const line = { ...found.difference, reason, by, account, until, on: against.today };
  const placing = placeLine(line, against);
  if (placing instanceof ReconError) {
    const status = placing.failure === 'configuration' ? 'closed' : 'invalid';
    return { status, problem: placing.message };
  }
  return { status: placing.done === 'unchanged' ? 'already_accepted' : 'accepted', placing };
}

function invalid(problem: string): Judgement {
  return { status: 'invalid', problem };
}

/** What is not as it was seen, to the minor unit; a sentence if that cannot be told. */
function changesSince(
  cells: WrittenDecision['cells'],
  { difference, codes }: Decision,
): readonly AcceptanceChange[] | string {
  const { scale, currency } = difference;
  const { account } = differenceKey(difference);
  const amounts = amountsCompared(difference);
  const changes: AcceptanceChange[] = [
    { field: 'currency', before: cells.currency.toUpperCase(), after: currency },
    { field: 'codes', before: inOrder(cells.codes_seen.split('|')), after: inOrder(codes) },
  ];
  if ('entryId' in difference) {
    const [before, after] = [accountNumber(cells.account), accountNumber(account)];
    changes.push({ field: 'account', before, after });
  }
  for (const field of ['expected', 'received', 'difference'] as const) {
    const text = cells[`${field}_seen`];
    const [seen, other] = amountsWritten(text, scale);
    if (seen === undefined) return `${field}_seen must be an amount, not "${text}".`;
    if (other !== undefined) return `${field}_seen can be read in two ways: "${text}".`;
    const most = Math.max(seen.scale, scale);
    const amount = (minor: bigint) => ({ minor, scale: most });
    const after = amount(rescale(amounts[field], scale, most));
    changes.push({ field, before: amount(atScale(seen, most)), after });
  }
  return onlyChanged(changes);
}

function inOrder(codes: readonly string[]): readonly string[] {
  return codes
    .map((one) => one.trim())
    .filter(Boolean)
    .sort();
}

const amountForms = [
  { decimal: '.' },
  { decimal: ',' },
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '.' },
] as const;

/** The amounts that a cell may mean: only those that fit `scale`, if any do; `1,234` euros is a thousand. */
function amountsWritten(text: string, scale: number): readonly Decimal[] {
  const read = amountForms.flatMap((form) => writtenAmount(text, form) ?? []);
  const all = [...new Map(read.map((one) => [`${one.digits} ${one.scale}`, one])).values()];
  const fitting = all.filter((one) => one.scale <= scale);
  return fitting.length > 0 ? fitting : all;
}
