import { addDays, isDayIn, spanOf } from '../base/calendar.ts';
import { drained, mapped } from '../base/ordered.ts';
import { isPaid } from '../match/match.ts';
import type { OrderCase } from '../match/orders/judge.ts';
import { matchOrders, type OrderMatching, type StateSum } from '../match/orders/match-orders.ts';
import type { MonthAsked } from '../match/orders/month-orders.ts';
import {
  asideStates,
  type OrderMatch,
  type OrderState,
  openOrderStates,
  undecidedByLater,
} from '../match/orders/order-match.ts';
import { OrderRows, type RowTypes } from '../match/orders/order-rows.ts';
import { type ReferenceFit, referenceFit } from '../match/orders/reference-fit.ts';
import type { Charge, ChargeSource } from '../model/charge.ts';
import type { Orders, OrdersCsv } from '../model/orders.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../model/source.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { Rules } from '../reconcile/rules.ts';
import type { BankReport, BankVerdict } from './bank-report.ts';
import type { Decision } from './decisions.ts';
import { lastDayOf } from './read-later.ts';
import type { Pass, Reading } from './read-once.ts';
import { type FailedId, readAll } from './read-settlements.ts';
import {
  HeldRows,
  readTransactions,
  TransactionsLedger,
  type TransactionsRead,
} from './read-transactions.ts';
import type { DecidedSettlement } from './reconcile-range.ts';
import { sourceWith } from './source-with.ts';

export interface OrdersReport
  extends Pick<BankReport, 'range' | 'profile' | 'filters' | 'names' | 'flags'> {
  readonly matching: OrderMatching;
  readonly orders: Orders;
  readonly files: readonly string[];
  readonly mapping: OrdersCsv;
  readonly types: RowTypes;
  readonly timeZone: string;
  readonly settleDays: number;
  readonly tolerances: OrderCase['tolerances'];
  readonly accepted: OrderCase['accepted'];
  /** The last day that can be read, and the last one whose settlements were. */
  readonly lastDay: string;
  readonly until: string;
  readonly read: TransactionsRead;
  /** The charges of missing orders, by id; absent unless requested. */
  readonly charges: ReadonlyMap<string, Charge> | undefined;
  readonly unreadCharges: readonly FailedId[];
  /** Why references do not meet, where they do not. */
  readonly fit: ReferenceFit;
  /** If few meet: other columns of the files that have references of rows, and how many. */
  readonly otherColumns: ReadonlyMap<string, number>;
  /** States that also change the verdict, by `--fail-on`. */
  readonly decidesBy: readonly OrderState[];
}

/** The days of the files and those in which their orders should be settled, as far as they are there. */
export function daysToRead({ days }: Orders, settleDays: number, known: DateRange): DateRange {
  if (!days) return { from: known.to, to: known.to };
  const end = addDays(days.to, settleDays);
  const from = days.from > known.from ? days.from : known.from;
  const to = end < known.to ? end : known.to;
  return spanOf([from, to]) ?? days;
}

/**
 * The days whose settlements may have rows of the orders of a range: `settleDays` later and, from the first day on
 * which its close rests, `settleDays` earlier.
 */
export function daysOfSales(
  { from, to }: DateRange,
  { settleDays, lastDay }: Pick<OrdersInput, 'settleDays' | 'lastDay'>,
  since: string,
): DateRange {
  const first = addDays(from, -settleDays);
  return { from: first > since ? first : since, to: lastDayOf(to, settleDays, lastDay) };
}

/** The most days after those of a range whose settlements are read for what is still open. */
const mostLaterDays = 92;

/** What a run finds out. */
type Found = Pick<
  OrdersReport,
  'matching' | 'read' | 'charges' | 'unreadCharges' | 'fit' | 'otherColumns'
>;

/** Orders, and how they are matched with rows. */
export interface OrdersInput
  extends Omit<OrdersReport, keyof Found | 'range' | 'filters' | 'until'> {
  readonly rules: Rules;
}

interface OrdersOptions extends OrdersInput, SettlementQuery, Reading {
  /** Where the charges of missing orders are read; absent unless requested. */
  readonly live: ChargeSource | undefined;
  /** The range of sales; absent if all orders are meant. */
  readonly sales: DateRange | undefined;
  /** Looks for texts in all columns of the files. */
  readonly columnsWith: (texts: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;
  /** Told of later days that are read because of orders that are still open. */
  readonly onLaterDays: (days: DateRange) => void;
}

/** Reads the rows of a range and matches them with orders. Throws ReconError if the run cannot go on. */
export async function checkOrders(options: OrdersOptions): Promise<OrdersReport> {
  const { source, ahead, onProgress, live, sales, onLaterDays, columnsWith, ...asked } = options;
  const { range, filters } = asked;
  const month = sales && { range: sales, isSettled: isPaid };
  const pass = new OrdersPass(asked, { range, filters });
  const reading = { source, ahead, onProgress };
  await OrdersPass.readLater([pass], { range, filters }, reading);
  const later = pass.laterDays(month);
  if (later) {
    onLaterDays(later);
    await OrdersPass.readLater([pass], { range: later, filters }, reading);
  }
  const report = pass.judge(month);
  const { matching, fit } = report;
  const missing = matching.inState('missing_in_settlements').map(matching.match);
  const charges = live && (await chargesOf(missing, live, ahead));
  const isPoor = fit.joined < fit.open && fit.references.size > 0;
  return {
    ...report,
    charges: charges?.found,
    unreadCharges: charges?.failures ?? [],
    otherColumns: isPoor ? await columnsWith(fit.references) : new Map(),
  };
}

/** Settlements whose rows are there: a service may list one for the days before and after its own, too. */
function settlementsIn({ kinds }: OrderRows): ReadonlySet<string> {
  return new Set(kinds.map(({ settlement }) => settlement.id));
}

/** Orders against rows, which are not kept: those of settlements that other use cases read pass by. */
export class OrdersPass implements Pass {
  readonly #asked: OrdersInput;
  readonly #query: SettlementQuery;
  readonly #rows: OrderRows;
  readonly #ledger = new TransactionsLedger();
  /** The rows that passed by, by settlement, and whether corrections came too late for some. */
  readonly #passed = new Map<string, { readonly held: HeldRows; rows: number }>();
  #later: TransactionsRead | undefined;
  /** The last day that was read. */
  #until: string;

  /** The query: all days whose settlements are read. */
  constructor(asked: OrdersInput, query: SettlementQuery) {
    this.#asked = asked;
    this.#query = query;
    this.#until = query.range.to;
    const { orders, rules, types, mapping } = asked;
    this.#rows = new OrderRows(orders, { rules, types, note: mapping.note });
  }

  /** A source whose rows pass by. */
  passing(source: Source): Source {
    return sourceWith(source, {
      rows: (settlement, ...asked) => {
        const reading = source.rows(settlement, ...asked);
        return this.#isAsked(settlement) ? this.#pass(settlement, reading) : reading;
      },
    });
  }

  readonly add = ({ reconciled: { settlement, verdict }, outcome }: DecidedSettlement): void => {
    if (!this.#isAsked(settlement)) return;
    const { held, rows = 0 } = this.#passed.get(settlement.id) ?? {};
    const isCorrected = !held?.areTooMany && !('notRead' in outcome);
    const ended = isCorrected ? { ...outcome, corrections: [] } : outcome;
    this.#ledger.end({ settlement, isPending: verdict === 'pending', rows }, ended);
    this.#passed.delete(settlement.id);
  };

  /** Reads the settlements of days, later than others if there are any, which no other use case needs. */
  static async readLater(passes: readonly OrdersPass[], of: SettlementQuery, how: Reading) {
    const known = new Map(passes.map((pass) => [pass, settlementsIn(pass.#rows)]));
    const read = await drained(readTransactions({ ...how, of }), ({ settlement, rows }) => {
      for (const [pass, ids] of known)
        if (!ids.has(settlement.id)) pass.#rows.add(settlement, rows);
    });
    for (const pass of passes) {
      pass.#later = pass.#later ? bothReadings(pass.#later, read) : read;
      pass.#until = of.range.to;
    }
  }

  /** The days after those read whose settlements may settle what is still open; undefined if there are none. */
  laterDays(month?: MonthAsked): DateRange | undefined {
    const { lastDay } = this.#asked;
    const most = addDays(this.#until, mostLaterDays);
    const days = { from: addDays(this.#until, 1), to: most < lastDay ? most : lastDay };
    if (days.from > days.to) return undefined;
    const { matching, read } = this.#match(month);
    const isOpen = undecidedByLater.some((state) => matching.inState(state).length > 0);
    return isOpen && read.complete ? days : undefined;
  }

  /** The orders, all or those of a range of sales, against all that was read. */
  judge(month?: MonthAsked, headers?: HeaderList): OrdersReport {
    const range = this.#range;
    return {
      ...this.#asked,
      ...this.#match(month, headers),
      range: month?.range ?? range,
      until: range.to,
      filters: this.#query.filters,
      charges: undefined,
      unreadCharges: [],
      fit: referenceFit(this.#asked.orders, this.#rows),
      otherColumns: new Map(),
    };
  }

  get #range(): DateRange {
    return { from: this.#query.range.from, to: this.#until };
  }

  #match(month?: MonthAsked, headers?: HeaderList) {
    const { orders, lastDay: end } = this.#asked;
    const own = this.#ledger.read(headers ? headerFindings(headers) : []);
    const read = this.#later ? bothReadings(own, this.#later) : own;
    const [range, areRowsWhole] = [this.#range, read.complete];
    const lastDay = this.#until < end ? this.#until : end;
    const asked = { ...this.#asked, range, areRowsWhole, lastDay, month };
    return { read, matching: matchOrders(orders, this.#rows, asked) };
  }

  #isAsked({ date }: Settlement): boolean {
    return isDayIn(this.#query.range, date);
  }

  async *#pass(settlement: Settlement, reading: ReturnType<Source['rows']>) {
    const passed = { held: new HeldRows(), rows: 0 };
    this.#passed.set(settlement.id, passed);
    const addAll = (batches: readonly RowBatch[]) => {
      for (const batch of batches) this.#rows.add(settlement, batch);
    };
    try {
      const outcome = yield* mapped(reading, (batch) => {
        passed.rows += batch.length;
        addAll(passed.held.add(batch));
        return batch;
      });
      addAll(passed.held.end(outcome.corrections));
      return outcome;
    } finally {
      addAll(passed.held.end([]));
    }
  }
}

function bothReadings(one: TransactionsRead, other: TransactionsRead): TransactionsRead {
  return {
    settlements: one.settlements + other.settlements,
    transactions: one.transactions + other.transactions,
    partial: [...one.partial, ...other.partial],
    conflicting: [...one.conflicting, ...other.conflicting],
    findings: [...one.findings, ...other.findings],
    complete: one.complete && other.complete,
  };
}

/** Charges that a run reads at most, one a second with V1 (doc 5.1). */
const mostCharges = 50;

/** The charges that the files name for missing orders, by id. */
async function chargesOf(missing: readonly OrderMatch[], live: ChargeSource, ahead: number) {
  const documents = missing.flatMap((one) => one.documents);
  const ids = documents.flatMap(({ chargeId }) => chargeId || []).slice(0, mostCharges);
  const ask = (id: string) => live.charge(id);
  const { results, failures } = await readAll({ of: 'charge', ids, ahead, ask });
  return { found: new Map(results.map(({ id, result }) => [id, result])), failures };
}

/** The verdict. Waiting orders do not change it; rows unknown to the shop do so only by `--fail-on`. */
export function ordersVerdict(report: OrdersReport): BankVerdict {
  if (!report.read.complete || report.orders.unreadableLines > 0) return 'incomplete';
  const isOpen = decidingStates(report).some((state) => countInState(report, state) > 0);
  return isOpen ? 'not_reconciled' : 'reconciled';
}

/** The orders that need a decision, as a list of decisions has them. */
export function ordersToDecide(report: OrdersReport): readonly Decision[] {
  const { matching, orders } = report;
  return decidingStates(report)
    .flatMap((state) => matching.inState(state))
    .filter((number) => number < orders.size)
    .map((number) => {
      const match = matching.match(number);
      const { reference: orderRef, account: accountingToken, currency, scale, net } = match;
      const expected = net - (match.difference ?? 0n);
      const order = { orderRef, orderDate: match.documents[0]?.day ?? '', accountingToken };
      const difference = { ...order, currency, scale, expected, settled: net };
      return { difference, codes: [match.state], isAccepted: false, order: number };
    });
}

/** The states that need a decision, the most urgent first. */
export function decidingStates({ decidesBy }: Pick<OrdersReport, 'decidesBy'>) {
  const aside = asideStates.filter((state) => decidesBy.includes(state));
  return [...openOrderStates, ...aside] as const;
}

/** The sums of a state, by currency; orders and rows apart. */
export function sumsOfState(
  { matching }: Pick<OrdersReport, 'matching'>,
  state: OrderState,
  isOfRows?: boolean,
) {
  return matching.ladders.flatMap(({ currency, scale, states }) =>
    states
      .filter((one) => one.state === state && one.isOfRows === (isOfRows ?? one.isOfRows))
      .map((one): StateSum & { readonly currency: string; readonly scale: number } => {
        return { ...one, currency, scale };
      }),
  );
}

/** How many orders and rows are in a state, or only the rows or the orders of them. */
export function countInState(
  report: Pick<OrdersReport, 'matching'>,
  state: OrderState,
  isOfRows?: boolean,
): number {
  return sumsOfState(report, state, isOfRows).reduce((sum, { count }) => sum + count, 0);
}

/** The first matches in these states. */
export function matchesIn(
  { matching }: Pick<OrdersReport, 'matching'>,
  states: readonly OrderState[],
  limit: number,
): readonly NumberedMatch[] {
  const numbers = states.flatMap((state) => matching.inState(state).slice(0, limit));
  return numbers.slice(0, limit).map((number) => numbered(number, matching.match(number)));
}

/** A match with its number. */
export function numbered(number: number, match: OrderMatch): NumberedMatch {
  return { number, match, scale: match.scale };
}

export interface NumberedMatch {
  readonly number: number;
  readonly match: OrderMatch;
  /** Of the match. */
  readonly scale: number;
}

/** All that counts: orders in the order of the files, then the rows without an order. */
export function* allMatches(
  { matching }: Pick<OrdersReport, 'matching'>,
  part?: 'orders' | 'rows',
): Generator<OrderMatch> {
  for (const number of matching.counted) {
    const own = number < matching.orders ? 'orders' : 'rows';
    if (own === (part ?? own)) yield matching.match(number);
  }
}

/** The status of the charge of a missing order, if it was requested. */
export function chargeStatus(
  { documents }: OrderMatch,
  { charges }: Pick<OrdersReport, 'charges'>,
) {
  return documents.flatMap(({ chargeId }) => charges?.get(chargeId)?.status ?? [])[0];
}
