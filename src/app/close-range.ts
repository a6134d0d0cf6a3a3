import { addDays, isDayIn } from '../base/calendar.ts';
import { DigestSum } from '../base/digest-sum.ts';
import { bookRun } from '../books/book.ts';
import { bridge } from '../books/bridge.ts';
import { carriedFrom, payoutsClosed } from '../books/carried.ts';
import { clearingsOf } from '../books/clearing.ts';
import { controlOf } from '../books/control.ts';
import { rollForward } from '../books/roll-forward.ts';
import type { Explained } from '../explain/explained.ts';
import { acceptingLine } from '../match/bank-acceptance.ts';
import { explainingDays } from '../match/business-days.ts';
import { bankMatchesIn, isPaid } from '../match/match.ts';
import { openOf } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import type { HeaderList, SettlementQuery, Source } from '../model/source.ts';
import type { AgeingAndAccepted } from '../reconcile/as-reported.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { notBookedIn } from './book-batch.ts';
import { type BooksSoFar, basisOf, lastClosedDay } from './books-so-far.ts';
import { addRows, closeDigests } from './close-digests.ts';
import { blockersOf, type CloseReport, decisionsOnBank } from './close-report.ts';
import { decisionsDue, decisionsOf } from './decisions.ts';
import { type BankInput, headersIn, matchBank } from './match-bank.ts';
import { type Pass, type Reading, readOnce } from './read-once.ts';
import { type DecidedSettlement, requireIdentity } from './reconcile-range.ts';

interface CloseOptions {
  readonly query: SettlementQuery;
  readonly settings: ReconcileSettings;
  readonly ageingAndAccepted: AgeingAndAccepted;
  readonly bank: BankInput;
  readonly books: BooksSoFar;
  /** YYYY-MM-DD. */
  readonly today: string;
  /** The register of bookings, in which nothing may be missing. */
  readonly booked?: string | undefined;
  /** A cause in few words. */
  readonly causeOf: (explained: Explained, currency: string) => string;
}

/** A close in the making: list its headers, add each settlement of the range, and judge the run. */
export class Closing implements Pass {
  readonly #options: CloseOptions;
  readonly #identity;
  readonly #basis;
  readonly #rows = new DigestSum();
  readonly #causes = new Map<string, string>();
  #headers: HeaderList = { settlements: [], conflicts: [], unreadable: [] };

  /** Throws ReconError `usage` without an identity, or if the books begin later. */
  constructor(options: CloseOptions) {
    this.#options = options;
    const { settings, books, query } = options;
    this.#identity = requireIdentity(settings, 'the roll-forward cannot tell fees from tax');
    this.#basis = basisOf(books, query.range.from);
  }

  /** The headers of the range. Reads those of the days around it too, and of what the last close left open. */
  async list(source: Source): Promise<HeaderList> {
    const { range, filters } = this.#since;
    const list = await source.headers({ range: explainingDays(range), filters });
    const known = new Set(list.settlements.map(({ id }) => id));
    const open = [...payoutsClosed(this.#basis).values()]
      .filter((one) => openOf(one) !== 0n)
      .flatMap(({ settlementIds }) => settlementIds.filter((id) => !known.has(id)));
    const others = await Promise.all(open.map((id) => source.header(id)));
    this.#headers = {
      ...list,
      settlements: [...list.settlements, ...others.flatMap(({ settlements }) => settlements)],
      unreadable: [...list.unreadable, ...others.flatMap(({ unreadable }) => unreadable)],
    };
    return headersIn(this.#options.query.range, this.#headers);
  }

  /** The days since the books begin, or since the last close. */
  get #since(): SettlementQuery {
    const { range, filters } = this.#options.query;
    const { closes, through } = this.#basis;
    return { range: { from: closes.at(-1)?.from ?? addDays(through, 1), to: range.to }, filters };
  }

  readonly add = ({ reconciled: { settlement }, rows, explained }: DecidedSettlement): void => {
    addRows(this.#rows, settlement.id, rows);
    const { causeOf } = this.#options;
    if (explained) this.#causes.set(settlement.id, causeOf(explained, settlement.currency));
  };

  /** Reads the range for this close alone. */
  async read(reading: Reading): Promise<ReconciledRun> {
    const headers = await this.list(reading.source);
    const { query, settings, ageingAndAccepted } = this.#options;
    const options = { ...reading, query, settings, ageingAndAccepted, headers };
    return readOnce([this], { ...options, explains: true, isForVerdicts: true });
  }

  /** Matches all that was listed with the statements, books it and says what stands against closing. */
  async judge(run: ReconciledRun): Promise<CloseReport> {
    const { query, settings, books, ageingAndAccepted, today, booked: register } = this.#options;
    const { range } = query;
    const [basis, identity] = [this.#basis, this.#identity];
    const { settlements } = this.#headers;
    const { accepted } = ageingAndAccepted;
    const listed = { headers: async () => this.#headers };
    const bank = await matchBank(listed, this.#since, { ...this.#options.bank, accepted });
    const { profile, names, flags, statements, businessDays } = bank;
    const pending = new Set(
      run.settlements.flatMap(({ verdict, settlement }) =>
        verdict === 'pending' ? settlement.id : [],
      ),
    );
    const isSettled = (one: Settlement) =>
      isDayIn(range, one.date) ? !pending.has(one.id) : isPaid(one);
    const matches = bankMatchesIn(bank.matching);
    const carried = carriedFrom(basis, matches);
    const clearings = clearingsOf(matches, { ...statements, businessDays, isSettled, carried });
    const movements = { range, statements, matches, clearings, businessDays };
    const forward = rollForward({
      ...movements,
      basis,
      carried,
      identity,
      settlements: settlements.filter(isSettled),
      reconciled: run.settlements,
    });
    const booked = bookRun({
      run,
      identity,
      names,
      per: 'settlement',
      includesPending: false,
      clearings,
      range,
      accountFor: (purpose) => purpose,
      acceptedOnBank: (match) => acceptingLine(match, accepted),
    });
    const found = {
      range,
      run,
      bank,
      rollForward: forward,
      bridge: bridge(movements),
      books: controlOf(forward, booked.entries, basis),
    };
    const decisions = decisionsOf(run.settlements, decisionsOnBank(found), accepted);
    return {
      ...found,
      clearings,
      names,
      closes: books.closes,
      causes: this.#causes,
      profile,
      flags,
      takesZero: basis.takesZero,
      pending: settlements.filter((one) => one.date <= range.to && !isSettled(one)),
      blockers: blockersOf({
        ...found,
        closes: basis.closes,
        today,
        notBooked: register === undefined ? undefined : await notBookedIn(register, booked, found),
        closedThrough: lastClosedDay(books),
      }),
      decisions: decisionsDue(decisions),
      digests: closeDigests({ range, run, bank, names }, this.#rows, settings),
      recorded: undefined,
    };
  }
}
