import { addDays, isDayIn, spanOf } from '../base/calendar.ts';
import { accountsIn } from '../books/accounts.ts';
import { bookRun } from '../books/book.ts';
import type { BookedFigures } from '../books/book-settlement.ts';
import { bridge } from '../books/bridge.ts';
import { carriedFrom, settlementsClosed, withGone } from '../books/carried.ts';
import { clearingsOf } from '../books/clearing.ts';
import { controlOf, withRegister } from '../books/control.ts';
import { changesSince, closedSettlements } from '../books/drift.ts';
import { openingNotSet } from '../books/opening.ts';
import { rollForward } from '../books/roll-forward.ts';
import { accruedBy } from '../books/sale-month.ts';
import type { Explained } from '../explain/explained.ts';
import { acceptingLine, explainingDaysOf, writesOff } from '../match/bank-acceptance.ts';
import { type BankMatch, bankMatchesIn, isPaid } from '../match/match.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../model/source.ts';
import type { FeeCheck } from '../reconcile/agreed/check-fees.ts';
import type { AgeingAndAccepted } from '../reconcile/as-reported.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import type { BankReport } from './bank-report.ts';
import { comparedWith, type KeptBatches } from './book-batch.ts';
import { type BooksSoFar, basisOf, lastClosedDay, restsSince } from './books-so-far.ts';
import { decidedIn } from './close-accepted.ts';
import { carriedPoints } from './close-carried.ts';
import { type CloseStep, stepOf } from './close-checklist.ts';
import { closeDigests } from './close-digests.ts';
import { closeLadders } from './close-ladder.ts';
import { blockersOf, type CloseReport, decisionsOnBank, type FoundFaults } from './close-report.ts';
import { closedRanges, RowDigests, toTell } from './closed-range.ts';
import { decisionsDue, decisionsOf } from './decisions.ts';
import { type FeesAsked, type FeesReport, feeCheckFor, feesFound } from './fees-report.ts';
import { type BankInput, type BankMatcher, bankMatcher, headersIn } from './match-bank.ts';
import { daysOfSales, type OrdersInput, OrdersPass, ordersToDecide } from './orders-report.ts';
import {
  figuresApart,
  type LaterRun,
  lastDayOf,
  readLater,
  type SaleMonths,
} from './read-later.ts';
import { type Pass, type Reading, readOnce } from './read-once.ts';
import { type DecidedSettlement, type RangeOptions, requireIdentity } from './reconcile-range.ts';
import { sourceWith } from './source-with.ts';

interface CloseOptions {
  readonly query: SettlementQuery;
  readonly settings: ReconcileSettings;
  readonly ageingAndAccepted: AgeingAndAccepted;
  readonly bank: BankInput;
  readonly books: BooksSoFar;
  /** YYYY-MM-DD. */
  readonly today: string;
  /** The register of bookings, in which nothing may be missing. */
  readonly booked?: KeptBatches | undefined;
  /** The accounts of the books, if they are set. */
  readonly mapping?: AccountMapping | undefined;
  /** Absent unless what was sold in an earlier month is accrued. */
  readonly saleMonths?: SaleMonths | undefined;
  /** A cause in few words. */
  readonly causeOf: (explained: Explained, currency: string) => string;
  /** The orders and the agreed rates, where the settings name them. */
  readonly orders?: OrdersInput | undefined;
  readonly fees?: FeesAsked | undefined;
}

/** What clears what is in transit of a profile. */
type ClearedBank = ReturnType<Closing['clear']>;

/** A close in the making: read its range once, match, clear and judge it. */
export class Closing implements Pass {
  readonly #options: CloseOptions;
  readonly #identity;
  readonly #basis;
  readonly #digests = new RowDigests();
  readonly #causes = new Map<string, string>();
  readonly #apart = new Map<string, readonly BookedFigures[]>();
  readonly #orders: OrdersPass | undefined;
  /** The orders of all days since the first close, where one was forced over some. */
  readonly #ordersBefore: OrdersPass | undefined;
  #fees: FeeCheck | undefined;
  /** The fees of closed days, where a close was forced over some. */
  #feesBefore: FeeCheck | undefined;
  #all: HeaderList = { settlements: [], conflicts: [], unreadable: [] };
  /** Of the days that concern the books. */
  #listed = this.#all;
  /** With those that closes knew and that are gone. */
  #headers = this.#listed;
  #earlier: ReconciledRun | undefined;
  #later: LaterRun | undefined;

  /** Throws ReconError `usage` without an identity, or if the books begin later. */
  constructor(options: CloseOptions) {
    this.#options = options;
    const { settings, books, query, orders } = options;
    this.#identity = requireIdentity(settings, 'the roll-forward cannot tell fees from tax');
    this.#basis = basisOf(books, query.range.from);
    const range = this.#ordersRange;
    this.#orders = orders && new OrdersPass(orders, { range, filters: query.filters });
    const { range: since, filters } = this.#since;
    this.#ordersBefore =
      orders && this.#isForcedOver('orders')
        ? new OrdersPass(orders, { range: { from: since.from, to: range.to }, filters })
        : undefined;
  }

  #isForcedOver(step: CloseStep): boolean {
    const points = this.#basis.closes.flatMap(({ forced }) => forced);
    return points.some(({ code, items }) => items.length > 0 && stepOf({ code }) === step);
  }

  /** The days whose settlements may have rows of the orders of the range: earlier ones only where they are read anyway. */
  get #ordersRange(): DateRange {
    const { query, orders } = this.#options;
    return orders ? daysOfSales(query.range, orders, this.#restsSince) : query.range;
  }

  /** The headers of the range. Lists the days since the books begin, and those around that orders and the bank need too. */
  async list(source: Source): Promise<HeaderList> {
    const { range, filters } = this.#since;
    const { ageingAndAccepted, query, saleMonths } = this.#options;
    const days = explainingDaysOf(range, ageingAndAccepted.accepted);
    const { settleDays = 0, lastDay = range.to } = saleMonths ?? {};
    const { from, to } = this.#ordersRange;
    const all = [days.from, days.to, from, to, lastDayOf(range.to, settleDays, lastDay)];
    this.#all = await source.headers({ range: spanOf(all) ?? days, filters });
    this.#listed = this.#orders || saleMonths ? headersIn(days, this.#all) : this.#all;
    const { settlements } = this.#listed;
    this.#headers = { ...this.#listed, settlements: withGone(settlements, this.#basis.closes) };
    return headersIn(query.range, this.#listed);
  }

  /** The days since the first close, or since the books begin. */
  get #since(): SettlementQuery {
    const { range, filters } = this.#options.query;
    const { closes, through } = this.#basis;
    return { range: { from: closes[0]?.from ?? addDays(through, 1), to: range.to }, filters };
  }

  /** The days before the range on which it rests: closed ones, and those that the register of bookings has. */
  get #before(): DateRange | undefined {
    const to = addDays(this.#options.query.range.from, -1);
    const from = this.#restsSince;
    return from <= to ? { from, to } : undefined;
  }

  get #restsSince(): string {
    const { booked, books, query } = this.#options;
    return restsSince(books, query.range.from, booked !== undefined);
  }

  readonly add = (one: DecidedSettlement): void => this.#keep(one);

  readonly explain: NonNullable<Pass['explain']> = ({ reconciled, explained }) => {
    const { id, currency } = reconciled.settlement;
    if (explained) this.#causes.set(id, this.#options.causeOf(explained, currency));
  };

  readonly explainAgain = this.explain;

  /** Keeps what is compared of a settlement: its rows and, where they are booked by type or month, their sums. */
  readonly #keep = (one: DecidedSettlement): void => {
    this.#digests.add(one);
    this.#keepApart(one);
  };

  readonly #keepApart = (one: DecidedSettlement): void => {
    const { mapping = {}, settings, saleMonths } = this.#options;
    const apart = figuresApart(one, { mapping, rules: settings.rules, saleMonths });
    if (apart) this.#apart.set(one.reconciled.settlement.id, apart);
  };

  /** Reads each settlement once: for the close, for its orders, and for its fees. */
  async read(reading: Reading): Promise<ReconciledRun> {
    const headers = await this.list(reading.source);
    const orders = this.#orderPasses;
    const source = orders.reduce((from, pass) => pass.passing(from), reading.source);
    const { query, settings, ageingAndAccepted, saleMonths, fees } = this.#options;
    const keepsDetails = saleMonths !== undefined;
    const options = { ...reading, source, query, settings, ageingAndAccepted, keepsDetails };
    this.#fees = fees && (await feeCheckFor({ ...options, ...fees }));
    await this.#readBefore(options);
    await this.#readLater(reading, options);
    const how = { headers, fees: this.#fees, explains: true, isForVerdicts: true };
    const run = await readOnce([this, ...orders], { ...options, ...how });
    await this.#readOn(reading);
    return run;
  }

  /** Reads days after all others if orders are still open that may be settled then. */
  async #readOn(reading: Reading): Promise<void> {
    const { query } = this.#options;
    const ranges = [query.range, this.#before ?? query.range];
    const open = [this.#orders, this.#ordersBefore].flatMap((pass, at) => {
      const range = pass?.laterDays({ range: ranges[at] ?? query.range, isSettled: isPaid });
      return pass && range ? { pass, range } : [];
    });
    const [first] = open;
    if (!first) return;
    const passes = open.map(({ pass }) => pass);
    await OrdersPass.readLater(passes, { ...query, range: first.range }, reading);
  }

  get #orderPasses(): readonly OrdersPass[] {
    return [this.#orders ?? [], this.#ordersBefore ?? []].flat();
  }

  /** Reads the days before the range on which it rests. */
  async #readBefore(options: Omit<RangeOptions, 'explains'>): Promise<void> {
    const range = this.#before;
    if (!range) return;
    const { fees } = this.#options;
    const query = { ...options.query, range };
    const isForced = this.#isForcedOver('fees');
    this.#feesBefore =
      fees && isForced ? await feeCheckFor({ ...options, query, ...fees }) : undefined;
    this.#earlier = await readOnce([{ add: this.#keep }, ...this.#orderPasses], {
      ...options,
      query,
      fees: this.#feesBefore,
      headers: headersIn(range, this.#listed),
      explains: false,
      isForVerdicts: true,
    });
  }

  /** Reads the days after the range, in which what was sold in it may be settled. */
  async #readLater(reading: Reading, options: Omit<RangeOptions, 'explains'>): Promise<void> {
    const { saleMonths, query } = this.#options;
    const orders = this.#orderPasses;
    const range = { from: addDays(query.range.to, 1), to: this.#ordersRange.to };
    const headers: Source['headers'] = async ({ range }) => headersIn(range, this.#all);
    if (!saleMonths) {
      const source = sourceWith(reading.source, { headers });
      const isAny = orders.length > 0 && range.from <= range.to;
      if (isAny) await OrdersPass.readLater(orders, { ...query, range }, { ...reading, source });
      return;
    }
    const source = sourceWith(options.source, { headers });
    const add = (one: DecidedSettlement) => {
      this.#keepApart(one);
      for (const pass of orders) pass.add(one);
    };
    this.#later = await readLater({ add }, saleMonths, { ...options, source });
  }

  /** Matches all that was listed with the statements, books it and says what stands against closing. */
  async judge(run: ReconciledRun): Promise<CloseReport> {
    return this.report(this.clear(run, (await this.matcher())()));
  }

  /** Matches all that was listed with the statements. */
  matcher(): Promise<BankMatcher> {
    const { bank, ageingAndAccepted } = this.#options;
    const { accepted } = ageingAndAccepted;
    const listed = { headers: async () => this.#headers };
    return bankMatcher(listed, this.#since, { ...bank, accepted });
  }

  /** How the money on the statements clears what is in transit. */
  clear(run: ReconciledRun, bank: BankReport) {
    const { query, ageingAndAccepted } = this.#options;
    const { range } = query;
    const pending = new Set(
      run.settlements.flatMap(({ verdict, settlement }) =>
        verdict === 'pending' ? settlement.id : [],
      ),
    );
    const isSettled = (one: Settlement) =>
      isDayIn(range, one.date) ? !pending.has(one.id) : isPaid(one);
    const { statements, businessDays } = bank;
    const matches = bankMatchesIn(bank.matching);
    const carried = carriedFrom(this.#basis);
    const acceptedOnBank = (match: BankMatch) => acceptingLine(match, ageingAndAccepted.accepted);
    const isWrittenOff = (match: BankMatch) => writesOff(acceptedOnBank(match));
    const how = { businessDays, isSettled, carried, isWrittenOff };
    const clearings = clearingsOf(matches, { ...statements, ...how });
    const movements = { range, statements, matches, clearings, businessDays };
    return { run, bank, isSettled, carried, acceptedOnBank, movements };
  }

  /** Books it and says what stands against closing. The accounts of the bank add up over all profiles that share them. */
  report(own: ClearedBank, all: readonly ClearedBank[] = [own]): CloseReport {
    const { run, bank, isSettled, carried, acceptedOnBank, movements } = own;
    const { query, settings, books, ageingAndAccepted, today } = this.#options;
    const { booked, mapping } = this.#options;
    const { range } = query;
    const [basis, identity] = [this.#basis, this.#identity];
    const { settlements } = this.#headers;
    const { accepted } = ageingAndAccepted;
    const { profile, names, flags } = bank;
    const { clearings } = movements;
    const earlier = this.#earlier?.settlements ?? [];
    const before = this.#digests.listed(earlier);
    const changes = changesSince([...settlementsClosed(basis.closes).values()], before);
    const forward = rollForward({
      ...movements,
      basis,
      changes,
      identity,
      settlements: settlements.filter(isSettled),
      reconciled: run.settlements,
    });
    const bookedIn = (days: DateRange, all: readonly ReconciledSettlement[]) =>
      bookRun({
        run: { ...run, settlements: all },
        identity,
        names,
        per: 'settlement',
        includesPending: false,
        clearings,
        range: days,
        later: this.#later?.run?.settlements,
        apart: this.#apart,
        accountFor: mapping ? accountsIn(mapping, anyForm) : (purpose) => purpose,
        acceptedOnBank,
      });
    const now = this.#digests.listed(run.settlements);
    const onBank = {
      range,
      run,
      bank,
      rollForward: forward,
      bridge: bridge({
        ...movements,
        matches: all.flatMap((one) => one.movements.matches),
        clearings: all.flatMap((one) => one.movements.clearings),
      }),
    };
    const read = [...earlier, ...run.settlements];
    const { range: days } = this.#since;
    const kept =
      booked === undefined
        ? undefined
        : comparedWith(booked, bookedIn(days, read), {
            from: range.from,
            range: days,
            later: this.#later,
            run: { settlements: read },
            bank,
            carriedThrough: carried?.through,
            mapping,
          });
    const control = controlOf(forward, bookedIn(range, run.settlements).entries, basis);
    const checked = kept ? withRegister(control, kept.entries, range.to, books.opening) : control;
    const { fees: asked } = this.#options;
    const orders = this.#orders?.judge(
      { range, isSettled },
      headersIn(this.#ordersRange, this.#all),
    );
    const found = { ...onBank, orders, fees: asked && this.#feesReport(run, asked) };
    const blockers = blockersOf({
      ...found,
      books: checked,
      earlier,
      later: this.#later?.run,
      closes: basis.closes,
      today,
      owed: kept?.owed,
      closedThrough: lastClosedDay(books),
      openingNotSet: openingNotSet(movements.matches, basis),
    });
    const soldByThen = kept?.entries.filter(({ date }) => date <= range.to);
    const decisions = decisionsOf(run.settlements, decisionsOnBank(onBank), accepted);
    return {
      ...found,
      books: checked,
      accruedSales: this.#later && {
        until: this.#later.until,
        sums: accruedBy(soldByThen ?? bookedIn(range, []).entries),
      },
      clearings,
      names,
      closes: books.closes,
      closed: toTell(
        closedRanges(books.closes, days, [...before, ...now], { ...books, accepted }),
        range,
      ),
      causes: this.#causes,
      profile,
      flags,
      takesZero: basis.takesZero,
      pending: settlements.filter((one) => one.date <= range.to && !isSettled(one)),
      blockers,
      carried: carriedPoints({
        ...onBank,
        closes: basis.closes,
        blockers,
        found: this.#foundBefore(isSettled),
      }),
      decisions: decisionsDue(decisions, orders && ordersToDecide(orders)),
      booking: kept?.booking,
      ladders: closeLadders({
        ...onBank,
        books: checked,
        months: orders?.read.complete ? orders.matching.months : undefined,
        settlements: run.settlements.filter(({ verdict }) => verdict !== 'pending'),
      }),
      known: closedSettlements(now, before, changes),
      digests: closeDigests({ range, run, bank, names }, now, {
        settings,
        orders: orders?.orders,
        agreement: asked?.agreement,
      }),
      decisionsMade: decidedIn({ ...found, closes: basis.closes }),
      recorded: undefined,
    };
  }

  /** What is found now of the days before the range. */
  #foundBefore(isSettled: (one: Settlement) => boolean): FoundFaults | undefined {
    const range = this.#before;
    const { fees } = this.#options;
    if (!range || !this.#earlier) return undefined;
    const headers = headersIn(this.#since.range, this.#all);
    return {
      run: this.#earlier,
      orders: this.#ordersBefore?.judge({ range, isSettled }, headers),
      fees: fees && this.#feesBefore && feesFound(this.#feesBefore, fees),
    };
  }

  #feesReport(run: ReconciledRun, asked: FeesAsked): FeesReport | undefined {
    const { query, settings, bank } = this.#options;
    const { profile, names, flags } = bank;
    const { range, filters } = query;
    const { agreement } = asked;
    const how = { settings: { ...settings, profile, filters }, names, flags, range, agreement };
    return this.#fees && { run, ...feesFound(this.#fees, asked), ...how };
  }
}

/** Accounts are only compared: their form is checked when they are written. */
const anyForm = { pattern: /^/, says: 'a name' };
