import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import type { BankMatch } from '../match/match.ts';
import {
  amountsCompared,
  differenceKey,
  differenceKinds,
  type OpenDifference,
  orderKey,
  type PayoutDecision,
} from '../model/accepted-difference.ts';
import { accountNumber } from '../model/bank.ts';
import { atScale, type Decimal, writtenAmount } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { rescale } from '../money/money.ts';
import {
  type AcceptanceChange,
  discrepanciesAmong,
  isExpired,
  onlyChanged,
} from '../reconcile/acceptance.ts';
import { daysWritten, type WrittenDecision } from '../register/decisions-file.ts';
import {
  type Decision,
  type Decisions,
  decidedPayout,
  decisionId,
  type PayoutRequest,
} from './decisions.ts';
import { type PlacedChange, pastLastDay, placeLine, type RegisterState } from './place-line.ts';

/**
 * The status of a line in a list of decisions:
 * - `accepted`: goes into the register; `already_accepted`: the register says the same
 * - `undecided`: the decision is empty
 * - `changed`: its figures differ from those in the list
 * - `not_found`, `not_read`, `not_out_of_balance`: nothing to accept
 * - `twice_in_the_file`, `reason_missing`, `closed`, `invalid`
 */
type DecisionStatus =
  | ('accepted' | 'already_accepted' | 'undecided' | 'changed' | 'not_found' | 'not_read')
  | ('not_out_of_balance' | 'twice_in_the_file' | 'reason_missing' | 'closed' | 'invalid');

export interface JudgedDecision {
  readonly written: WrittenDecision;
  readonly status: DecisionStatus;
  /** The difference as it is now; absent if none was found. */
  readonly decision?: Decision | undefined;
  readonly changes?: readonly AcceptanceChange[];
  /** Why it cannot be accepted, as a sentence. */
  readonly problem?: string;
  readonly placedChange?: PlacedChange;
}

/** Whether a line needs no correction. */
export function isInOrder({ status }: JudgedDecision): boolean {
  return ['accepted', 'already_accepted', 'undecided'].includes(status);
}

/** Whether a line has a decision. */
export function isDecided({ cells }: WrittenDecision): boolean {
  return cells.decision !== '' || cells.reason !== '';
}

/** What a list of decisions is compared with. */
export interface FoundNow {
  readonly decisions: Decisions;
  /** All that is on the bank statements. */
  readonly matches: readonly BankMatch[];
}

type JudgedAgainst = RegisterState & FoundNow;

/** Compares all lines of a list with the differences found now and with the register. Unless `isPartial`, one problem stops all. */
export function judgeDecisions(
  written: readonly WrittenDecision[],
  against: JudgedAgainst,
  isPartial: boolean,
) {
  const orders = new Map(written.flatMap(orderSeen));
  const foundFor = new Map(
    written.map((one) => [one, orders.get(keyOfOrder(one)) ?? decisionFor(one, against.decisions)]),
  );
  const times = groupedBy(written.filter(isDecided), (one) => foundFor.get(one));
  // An entry that one line confirms is taken for the next ones.
  const lines = [...against.lines];
  const judged = written.map((one): JudgedDecision => {
    const found = foundFor.get(one);
    if (!found || found instanceof ReconError || !isDecided(one)) {
      return { written: one, ...judgeUnready(one, found) };
    }
    const isTwice = (times.get(found) ?? []).length > 1;
    const judgement = isTwice
      ? ({ status: 'twice_in_the_file' } as const)
      : judge(one, found, { ...against, lines });
    if (judgement.placedChange) lines.push(judgement.placedChange.line);
    return { written: one, decision: found, ...judgement };
  });
  const isStopped = !isPartial && !judged.every(isInOrder);
  const placedChanges = isStopped
    ? []
    : judged.flatMap(({ status, placedChange }) => (status === 'accepted' && placedChange) || []);
  const replaced = new Set(placedChanges.map(({ before }) => before));
  const current = against.lines.filter((line) => !isExpired(line, against.today));
  return {
    judged,
    isStopped,
    placedChanges,
    /** The lines of the register that have not expired. */
    before: current,
    after: [
      ...current.filter((line) => !replaced.has(line)),
      ...placedChanges.map(({ line }) => line),
    ],
  };
}

/** Whether a line is about an order. What it says of it is compared when the orders are next checked. */
export function isOfOrder({ cells }: WrittenDecision): boolean {
  return cells.kind.toLowerCase() === 'order';
}

const keyOfOrder = ({ cells }: WrittenDecision) => orderKey(cells.account, cells.settlement_id);

function orderSeen(one: WrittenDecision): readonly (readonly [key: string, Decision])[] {
  const { cells } = one;
  if (!isOfOrder(one) || cells.settlement_id === '') return [];
  const [date = ''] = daysWritten(cells.date);
  const currency = cells.currency.toUpperCase();
  const scale = minorUnitsOf(currency) ?? 2;
  const amount = (text: string) => {
    const [seen] = amountsWritten(text, scale);
    return seen && seen.scale <= scale ? atScale(seen, scale) : 0n;
  };
  const difference = {
    orderRef: cells.settlement_id,
    orderDate: date,
    accountingToken: cells.account,
    currency,
    scale,
    expected: amount(cells.expected_seen),
    settled: amount(cells.received_seen),
  };
  const codes = inOrder(cells.codes_seen.split('|'));
  return [[keyOfOrder(one), { difference, codes, isAccepted: false }]];
}

type Judgement = Pick<JudgedDecision, 'status' | 'changes' | 'problem' | 'placedChange'>;

function decisionFor({ cells }: WrittenDecision, decisions: Decisions) {
  const kind = differenceKinds.find((one) => one === cells.kind.toLowerCase());
  return kind && decisions.get(decisionId({ kind, id: cells.settlement_id }));
}

function judgeUnready(one: WrittenDecision, found: Decision | ReconError | undefined): Judgement {
  if (!isDecided(one)) return { status: 'undecided' };
  if (!(found instanceof ReconError)) return { status: 'not_found' };
  const status = found.failure === 'service' ? 'not_read' : 'not_out_of_balance';
  return { status, problem: found.message };
}

function judge(written: WrittenDecision, found: Decision, against: JudgedAgainst): Judgement {
  const { cells } = written;
  const decided = decidedIn(cells);
  if (!decided) {
    const others = 'accept, confirm, "written off" or "settled with" and an id';
    return invalid(`decision must be ${others}, not "${cells.decision}".`);
  }
  if (decided === 'accept' && found.refusal) return judgeUnready(written, found.refusal);
  const needsReason = decided === 'accept' || decided.decision === 'written_off';
  if (cells.reason === '' && needsReason) return { status: 'reason_missing' };
  const changes = changesSince(cells, found);
  if (typeof changes === 'string') return invalid(changes);
  if (changes.length > 0) return { status: 'changed', changes };
  const [until, other] = cells.until === '' ? [] : daysWritten(cells.until);
  if (cells.until !== '' && (until === undefined || other !== undefined)) {
    return invalid(`until must be a date such as 2026-03-05, not "${cells.until}".`);
  }
  const refused = pastLastDay(until, against.today);
  if (refused) return invalid(`until: ${refused.message}`);
  const { reason, by, books_account: account } = cells;
  const difference = differenceIn(decided, cells.settlement_id, found, against);
  if (difference instanceof ReconError) return invalid(difference.message);
  if ('decision' in difference && by === '') return invalid('by must say who decides it.');
  const line = { ...difference, reason, by, account, until, on: against.today };
  const placedChange = placeLine(line, against);
  if (placedChange instanceof ReconError) {
    const status = placedChange.failure === 'configuration' ? 'closed' : 'invalid';
    return { status, problem: placedChange.message };
  }
  return {
    status: placedChange.done === 'unchanged' ? 'already_accepted' : 'accepted',
    placedChange,
  };
}

/** What the decision of a line says; undefined if it cannot be understood. */
function decidedIn({
  decision: text,
}: WrittenDecision['cells']): Omit<PayoutRequest, 'settlementId'> | 'accept' | undefined {
  const [, other] = /^settled[ _]with +(\S+)$/i.exec(text) ?? [];
  if (other !== undefined) return { decision: 'settled_with', other };
  if (/^written[ _]off$/i.test(text)) return { decision: 'written_off' };
  const [isConfirmed, places = ''] = /^confirm(?:ed)?(?:\s+(.+))?$/is.exec(text) ?? [];
  if (isConfirmed === undefined) return /^accept(ed)?$/i.test(text) ? 'accept' : undefined;
  const entries = places.split('|').map((place) => place.trim());
  return { decision: 'confirmed', entries: entries.filter(Boolean) };
}

/** What a line says of a decision, as it is understood again; `of` are bank entries or another settlement. */
export function decisionCell(choice: 'accept' | PayoutDecision, of = ''): string {
  const words = {
    accept: 'accept',
    confirmed: 'confirm',
    settled_with: 'settled with',
    written_off: 'written off',
  } as const;
  return `${words[choice]} ${of}`.trim();
}

/** The decisions of a list on pay-outs. */
export function payoutRequestsIn(written: readonly WrittenDecision[]): readonly PayoutRequest[] {
  return written.flatMap(({ cells }) => {
    const decided = decidedIn(cells);
    return decided && decided !== 'accept' ? { ...decided, settlementId: cells.settlement_id } : [];
  });
}

function differenceIn(
  decided: NonNullable<ReturnType<typeof decidedIn>>,
  settlementId: string,
  { difference, match }: Decision,
  { matches }: JudgedAgainst,
): OpenDifference | ReconError {
  if (decided === 'accept') return difference;
  if ('entryId' in difference || 'orderRef' in difference || !match) {
    return new ReconError('usage', `Only a pay-out can be ${decided.decision.replace('_', ' ')}.`);
  }
  return decidedPayout({ ...decided, settlementId }, matches);
}

function invalid(problem: string): Judgement {
  return { status: 'invalid', problem };
}

/** The figures that changed since the list was written, to the minor unit; a sentence if a cell cannot be read. */
function changesSince(
  cells: WrittenDecision['cells'],
  { difference, codes }: Decision,
): readonly AcceptanceChange[] | string {
  const { scale, currency } = difference;
  const { account } = differenceKey(difference);
  const amounts = amountsCompared(difference);
  const seen = inOrder(cells.codes_seen.split('|'));
  const before = 'codes' in difference ? discrepanciesAmong(seen) : seen;
  const changes: AcceptanceChange[] = [
    { field: 'currency', before: cells.currency.toUpperCase(), after: currency },
    { field: 'codes', before, after: inOrder(codes) },
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

/** The amounts that a cell may mean; if some fit `scale`, only those: `1,234` euros is a thousand. */
function amountsWritten(text: string, scale: number): readonly Decimal[] {
  const read = amountForms.flatMap((form) => writtenAmount(text, form) ?? []);
  const all = [...new Map(read.map((one) => [`${one.digits} ${one.scale}`, one])).values()];
  const fitting = all.filter((one) => one.scale <= scale);
  return fitting.length > 0 ? fitting : all;
}
