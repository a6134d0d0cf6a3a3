import type { Explained } from '../explain/explained.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { bankCheckOf } from './bank-check.ts';
import type { BooksSoFar } from './books-so-far.ts';
import { closedRanges, closesOver, RowDigests } from './closed-range.ts';
import { type BankOptions, matchBank } from './match-bank.ts';
import { type Explaining, type Pass, type ReadOnceOptions, readOnce } from './read-once.ts';
import type { RangeRun } from './reconcile-range.ts';
import type { SettlementsReport } from './settlements-report.ts';

/** A report before its settlements are read: how it was asked for, and what is on the bank. */
export type AskedReport = Omit<
  SettlementsReport,
  'run' | 'patterns' | 'explanations' | 'facts' | 'causes' | 'closed'
>;

/** What is told of an explanation. */
interface Told {
  readonly explanation: string;
  /** In few words. */
  readonly cause: string;
  readonly facts: object | undefined;
}

interface Telling {
  readonly tell: (explained: Explained, currency: string) => Told;
  /** Gets every settlement as soon as it is reconciled. */
  readonly each?:
    | ((one: ReconciledSettlement, told: Partial<Told>, asked: AskedReport) => void | Promise<void>)
    | undefined;
}

/** A report in the making: explain each settlement, in order, then finish it with the run. */
export class Collecting implements Pass {
  readonly #asked: AskedReport;
  readonly #telling: Telling;
  readonly #told = {
    explanations: new Map<string, string>(),
    causes: new Map<string, string>(),
    facts: new Map<string, object>(),
  };

  constructor(asked: AskedReport, telling: Telling) {
    this.#asked = asked;
    this.#telling = telling;
  }

  readonly explainAgain = (one: Explaining) => {
    const { id, currency } = one.reconciled.settlement;
    const told = one.explained && this.#telling.tell(one.explained, currency);
    if (!told) return undefined;
    this.#told.explanations.set(id, told.explanation);
    this.#told.causes.set(id, told.cause);
    if (told.facts) this.#told.facts.set(id, told.facts);
    return told;
  };

  readonly explain: NonNullable<Pass['explain']> = async ({ reconciled, explained }) => {
    const told = this.explainAgain({ reconciled, explained });
    await this.#telling.each?.(reconciled, told ?? {}, this.#asked);
  };

  finish(run: RangeRun): SettlementsReport {
    return { ...this.#asked, ...this.#told, run, patterns: run.patterns };
  }
}

interface SettlementsOptions extends ReadOnceOptions, Telling {
  readonly bank?: BankOptions | undefined;
  readonly books?: BooksSoFar | undefined;
}

/** Reads a range, matches it with the bank and collects its report. Throws ReconError if the run cannot go on. */
export async function reconcileSettlements(
  asked: AskedReport,
  { bank, books, ...options }: SettlementsOptions,
): Promise<SettlementsReport> {
  const { source, query, kept } = options;
  const onBank = bank && bankCheckOf(await matchBank(source, query, bank));
  const collecting = new Collecting({ ...asked, bank: onBank, rows: kept?.bySettlement }, options);
  const closes = books && closesOver(query.range, books.closes);
  if (!closes || closes.length === 0)
    return collecting.finish(await readOnce([collecting], options));
  const digests = new RowDigests();
  const run = await readOnce([collecting, digests], options);
  const listed = digests.listed(run.settlements);
  const { accepted } = options.ageingAndAccepted ?? {};
  const closed = closedRanges(closes, query.range, listed, { ...books, accepted });
  return { ...collecting.finish(run), closed };
}
