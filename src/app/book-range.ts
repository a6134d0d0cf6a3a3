import { addDays, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { accountsIn } from '../books/accounts.ts';
import { bookRun, inCurrency } from '../books/book.ts';
import type { BookedFigures } from '../books/book-settlement.ts';
import { carriedFrom, openingAmounts, withGone } from '../books/carried.ts';
import { clearingsOf } from '../books/clearing.ts';
import { controlTotals } from '../books/control.ts';
import type { JournalFormat } from '../books/example-mapping.ts';
import { journalForms } from '../books/journal-forms.ts';
import { newTypes } from '../books/new-types.ts';
import { acceptingLine, explainingDaysOf, writesOff } from '../match/bank-acceptance.ts';
import { type BankMatch, bankMatchesIn } from '../match/match.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { Names } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { IdentityName } from '../reconcile/identity.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { BankReport } from './bank-report.ts';
import { bookableRun } from './book-batch.ts';
import { adjacentBasis, type BooksSoFar, earlierPayouts, lastClosedDay } from './books-so-far.ts';
import { closedRanges, RowDigests, toTell } from './closed-range.ts';
import { type BankInput, headersIn, matchBank } from './match-bank.ts';
import { figuresApart, type LaterRun, readLater, type SaleMonths } from './read-later.ts';
import { type Pass, type Reading, readOnce } from './read-once.ts';
import type { DecidedSettlement, RangeOptions } from './reconcile-range.ts';

interface BookingOptions extends Pick<RangeOptions, 'query' | 'settings' | 'ageingAndAccepted'> {
  readonly identity: IdentityName;
  readonly names: Names;
  readonly books: BooksSoFar;
  readonly format: JournalFormat;
  readonly mapping: AccountMapping;
  /** `settlement` if absent. */
  readonly per?: 'settlement' | 'day' | undefined;
  /** Absent unless what was sold in an earlier month is accrued. */
  readonly saleMonths?: SaleMonths | undefined;
  /** Whether each transaction is booked by itself. */
  readonly isDetailed?: boolean | undefined;
  readonly includesPending?: boolean | undefined;
  /** Only what is in this currency is booked; everything is read, since it may explain the rest. */
  readonly currency?: string | undefined;
  /** The first day of the register of bookings in which the journal is continued. */
  readonly bookedSince?: string | undefined;
  /** Why a run cannot be booked. */
  readonly refusalOf: (run: ReconciledRun) => Error | undefined;
}

/** What a register of bookings has before the range, as it is now. */
interface EarlierRun {
  /** Undefined if the register begins with the range. */
  readonly run: ReconciledRun | undefined;
  readonly days: DateRange;
}

export type JournalReport = ReturnType<Booking['finish']>;

/** A journal in the making: add each settlement of the range, then book the run. */
export class Booking implements Pass {
  readonly #options: BookingOptions;
  readonly #onBank: BankReport | undefined;
  readonly #apart = new Map<string, readonly BookedFigures[]>();
  readonly #digests = new RowDigests();

  constructor(options: BookingOptions, onBank: BankReport | undefined) {
    this.#options = options;
    this.#onBank = onBank;
  }

  readonly add = (one: DecidedSettlement): void => {
    this.#digests.add(one);
    this.addLater(one);
  };

  /** Adds a settlement of the days after the range. */
  readonly addLater = (one: DecidedSettlement): void => {
    const { isDetailed, mapping, settings, saleMonths } = this.#options;
    const apart = figuresApart(one, { isDetailed, mapping, rules: settings.rules, saleMonths });
    if (apart) this.#apart.set(one.reconciled.settlement.id, apart);
  };

  /** Books the run of the range and, for the register, that of the days before it. Throws what `refusalOf` says. */
  finish(run: ReconciledRun, later?: LaterRun, earlier?: EarlierRun) {
    const { query, identity, names, books, mapping, format, refusalOf } = this.#options;
    const { per = 'settlement', includesPending = false, currency } = this.#options;
    const { range } = query;
    const [onBank, apart] = [this.#onBank, this.#apart];
    for (const one of [run, earlier?.run, later?.run]) {
      const refusal = one && refusalOf(one);
      if (refusal) throw refusal;
    }
    const before = adjacentBasis(books, range.from);
    const form = journalForms[format];
    const accountFor = accountsIn(mapping, form.accounts);
    const onlyCurrency = form.onlyCurrency?.(mapping);
    const matches = onBank ? bankMatchesIn(onBank.matching) : [];
    const carried = carriedFrom(earlier ? books : before);
    const isSettled = includesPending ? () => true : undefined;
    const acceptedOnBank = (match: BankMatch) =>
      acceptingLine(match, this.#options.ageingAndAccepted?.accepted);
    const isWrittenOff = (match: BankMatch) => writesOff(acceptedOnBank(match));
    const how = { isSettled, isWrittenOff };
    // Settlements that a filter leaves out may explain the others.
    const isWhole = Object.keys(query.filters).length === 0;
    const clearingsAfter = (closed: typeof carried) => {
      const bank = onBank && { ...onBank.statements, businessDays: onBank.businessDays };
      const all = bank ? clearingsOf(matches, { ...bank, ...how, carried: closed }) : [];
      const own = isWhole ? all : all.filter(({ match }) => match.settlements.length > 0);
      return { all, own };
    };
    const { all, own: clearings } = clearingsAfter(carried);
    const rules = {
      identity,
      accountFor,
      names,
      per,
      includesPending,
      apart,
      clearings,
      acceptedOnBank,
      onlyCurrency,
      later: later?.run?.settlements,
      // A register takes what it lacks, whatever its day.
      accruesFrom: earlier ? '' : range.from,
      begin: books.begin,
      opening:
        before &&
        openingAmounts(before).map(({ accountingToken, ...money }) => ({
          ...money,
          account: accountFor('in_transit', { accountingToken, currency: money.currency }),
        })),
    } as const;
    // What is in transit at the end starts from what was before the range, even if its days are closed.
    const sinceOpening = earlier && before ? clearingsAfter(carriedFrom(before)).own : clearings;
    const everything = bookRun({ ...rules, clearings: sinceOpening, run, range });
    const booked = inCurrency(everything, currency);
    const whole = {
      range: { from: earlier?.days.from ?? range.from, to: range.to },
      run: { ...run, settlements: [...(earlier?.run?.settlements ?? []), ...run.settlements] },
    };
    const { entries } = booked;
    const ofSettlements = everything.entries.filter(
      (one) => !everything.foreign.has(one) && !everything.accruals.has(one),
    );
    return {
      run,
      booked,
      later,
      control: controlTotals(ofSettlements, run, identity).filter(
        (one) => currency === undefined || one.currency === currency,
      ),
      onBank,
      /** How many receipts are not booked because only some settlements were read. */
      withoutPayout: all.length - clearings.length,
      newTypes: newTypes(booked.settlements, { apart, mapping, accountFor, onlyCurrency }),
      /** The entries in other currencies than the one asked for, by currency. */
      elsewhere: groupedBy(
        everything.entries.filter((one) => currency !== undefined && one.currency !== currency),
        (one) => one.currency,
      ),
      format,
      mapping,
      names,
      /** With the days of all entries: the service may return settlements of other days. */
      range: spanOf([range.from, range.to, ...entries.map(({ date }) => date)]) ?? range,
      closed: toTell(
        closedRanges(books.closes, whole.range, this.#digests.listed(whole.run.settlements), {
          ...books,
          accepted: this.#options.ageingAndAccepted?.accepted,
        }),
        range,
      ),
      closedThrough: lastClosedDay(books),
      /** The currency of the books, if their format has only one. */
      onlyCurrency,
      bookable: bookableRun(
        earlier ? inCurrency(bookRun({ ...rules, ...whole }), currency) : booked,
        {
          ...whole,
          later,
          isWhole,
          bank: onBank,
          carriedThrough: carried?.through,
        },
      ),
    };
  }
}

interface BookRangeOptions extends BookingOptions, Reading {
  readonly bank: BankInput | undefined;
}

/**
 * Reads a range, matches it with the bank and books it; for a register of bookings also the days since it began, of
 * which something may have changed. Throws ReconError if not all could be read.
 */
export async function bookRange(options: BookRangeOptions): Promise<JournalReport> {
  const { source, query, bank, books, ageingAndAccepted, bookedSince } = options;
  const accepted = ageingAndAccepted?.accepted;
  const { saleMonths } = options;
  const keepsDetails = saleMonths !== undefined;
  const rest = { ...options, keepsDetails, explains: false, isForVerdicts: true } as const;
  const laterOf = ({ addLater: add }: Booking) =>
    saleMonths && readLater({ add }, saleMonths, options);
  if (bookedSince === undefined) {
    const before = earlierPayouts(books, query.range.from);
    const onBank = bank && (await matchBank(source, query, { ...bank, accepted, before }));
    const booking = new Booking(options, onBank);
    return booking.finish(await readOnce([booking], rest), await laterOf(booking));
  }
  const since = spanOf([bookedSince, query.range.from, ...books.closes.map(({ from }) => from)]);
  const days = { from: since?.from ?? query.range.from, to: query.range.to };
  const list = await source.headers({ ...query, range: explainingDaysOf(days, accepted) });
  const headers = async () => ({ ...list, settlements: withGone(list.settlements, books.closes) });
  const onBank =
    bank && (await matchBank({ headers }, { ...query, range: days }, { ...bank, accepted }));
  const booking = new Booking(options, onBank);
  const readIn = (range: DateRange) =>
    readOnce([booking], { ...rest, query: { ...query, range }, headers: headersIn(range, list) });
  const run = await readIn(query.range);
  const before = { from: days.from, to: addDays(query.range.from, -1) };
  const hasEarlier = before.from <= before.to;
  const earlier = { run: hasEarlier ? await readIn(before) : undefined, days };
  return booking.finish(run, await laterOf(booking), earlier);
}
