import { spanOf } from '../base/calendar.ts';
import { accountsIn, hasTypes } from '../books/accounts.ts';
import { bookRun } from '../books/book.ts';
import { type BookedFigures, transactionFigures, typeFigures } from '../books/book-settlement.ts';
import { carriedFrom, openingAmounts } from '../books/carried.ts';
import { clearingsOf } from '../books/clearing.ts';
import { controlTotals } from '../books/control.ts';
import type { JournalFormat } from '../books/example-mapping.ts';
import { journalForms } from '../books/journal-forms.ts';
import { newTypes } from '../books/new-types.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import { bankMatchesIn } from '../match/match.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import type { Names } from '../model/settlement.ts';
import type { IdentityName } from '../reconcile/identity.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { BankReport } from './bank-report.ts';
import { bookableRun } from './book-batch.ts';
import { adjacentBasis, type BooksSoFar, earlierPayouts, lastClosedDay } from './books-so-far.ts';
import { closedRanges } from './closed-range.ts';
import { type BankInput, matchBank } from './match-bank.ts';
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
  /** Whether each transaction is booked by itself. */
  readonly isDetailed?: boolean | undefined;
  readonly includesPending?: boolean | undefined;
  /** Why a run cannot be booked. */
  readonly refusalOf: (run: ReconciledRun) => Error | undefined;
}

export type JournalReport = ReturnType<Booking['finish']>;

/** A journal in the making: add each settlement of the range, then book the run. */
export class Booking implements Pass {
  readonly #options: BookingOptions;
  readonly #onBank: BankReport | undefined;
  readonly #apart = new Map<string, readonly BookedFigures[]>();

  constructor(options: BookingOptions, onBank: BankReport | undefined) {
    this.#options = options;
    this.#onBank = onBank;
  }

  readonly add = ({ reconciled: { settlement }, rows }: DecidedSettlement): void => {
    const { isDetailed, mapping, settings } = this.#options;
    const { id } = settlement;
    if (isDetailed) this.#apart.set(id, transactionFigures(rows, settings.rules));
    else if (hasTypes(mapping)) this.#apart.set(id, typeFigures(rows, settings.rules));
  };

  /** Throws what `refusalOf` says of the run. */
  finish(run: ReconciledRun) {
    const { query, identity, names, books, mapping, format, refusalOf } = this.#options;
    const { per = 'settlement', includesPending = false } = this.#options;
    const { range } = query;
    const [onBank, apart] = [this.#onBank, this.#apart];
    const refusal = refusalOf(run);
    if (refusal) throw refusal;
    const before = adjacentBasis(books, range.from);
    const form = journalForms[format];
    const accountFor = accountsIn(mapping, form.accounts);
    const onlyCurrency = form.onlyCurrency?.(mapping);
    const matches = onBank ? bankMatchesIn(onBank.matching) : [];
    const carried = carriedFrom(before, matches);
    const isSettled = includesPending ? () => true : undefined;
    const how = { carried, isSettled };
    const all = onBank
      ? clearingsOf(matches, { ...onBank.statements, ...how, businessDays: onBank.businessDays })
      : [];
    // Settlements that a filter leaves out may explain the others.
    const isWhole = Object.keys(query.filters).length === 0;
    const clearings = isWhole ? all : all.filter(({ match }) => match.settlements.length > 0);
    const booked = bookRun({
      run,
      identity,
      accountFor,
      names,
      per,
      includesPending,
      apart,
      clearings,
      range,
      acceptedOnBank: (match) => acceptingLine(match, this.#options.ageingAndAccepted?.accepted),
      onlyCurrency,
      opening:
        before &&
        openingAmounts(before).map(({ accountingToken, ...money }) => ({
          ...money,
          account: accountFor('in_transit', { accountingToken, currency: money.currency }),
        })),
    });
    const { entries } = booked;
    const ofSettlements = entries.filter((one) => !booked.foreign.has(one));
    const settled = run.settlements.flatMap((one) =>
      one.verdict === 'pending' ? [] : one.settlement,
    );
    return {
      run,
      booked,
      control: controlTotals(ofSettlements, run, identity),
      onBank,
      /** How many receipts are not booked because only some settlements were read. */
      withoutPayout: all.length - clearings.length,
      newTypes: newTypes(booked.settlements, { apart, mapping, accountFor, onlyCurrency }),
      mapping,
      names,
      /** With the days of all entries: the service may return settlements of other days. */
      range: spanOf([range.from, range.to, ...entries.map(({ date }) => date)]) ?? range,
      closed: closedRanges(books.closes, range, settled),
      closedThrough: lastClosedDay(books),
      /** The currency of the books, if their format has only one. */
      onlyCurrency,
      bookable: bookableRun(booked, { range, run, isWhole, bank: onBank }),
    };
  }
}

interface BookRangeOptions extends BookingOptions, Reading {
  readonly bank: BankInput | undefined;
}

/** Reads a range, matches it with the bank and books it. Throws ReconError if not all could be read. */
export async function bookRange(options: BookRangeOptions): Promise<JournalReport> {
  const { source, query, bank, books, ageingAndAccepted } = options;
  const before = earlierPayouts(books, query.range.from);
  const known = { accepted: ageingAndAccepted?.accepted, before };
  const onBank = bank && (await matchBank(source, query, { ...bank, ...known }));
  const booking = new Booking(options, onBank);
  const run = await readOnce([booking], { ...options, explains: false, isForVerdicts: true });
  return booking.finish(run);
}
