import type { BooksSoFar } from '../app/books-so-far.ts';
import { Closing } from '../app/close-range.ts';
import type { CloseReport } from '../app/close-report.ts';
import type { BankStatements } from '../model/bank.ts';
import type { SettlementQuery } from '../model/source.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { batchesAt } from '../register/booked-register.ts';
import { briefExplanation } from '../report/explain/words.ts';
import { agreementAt } from './agreed.ts';
import { readBank } from './bank.ts';
import type { Context } from './context.ts';
import { announceRange, type Inputs } from './inputs.ts';
import { readOrdersAt } from './orders.ts';
import { endReading } from './output.ts';
import { readAgeingAndAccepted, saleMonthsOf, traceOfBooked } from './registers.ts';
import { withSource } from './source.ts';

/** The range to close, what is closed before it, and the statements that the command line names. */
export interface AskedClose {
  readonly query: SettlementQuery;
  readonly books: BooksSoFar;
  /** Undefined: without any statements. */
  readonly paths: readonly string[] | undefined;
}

interface ReadClose {
  readonly report: CloseReport;
  readonly host: string;
  readonly accepted: AcceptedDifferences | undefined;
}

/** What stands against closing a range, as it is now, the service that says so, and what is accepted. */
export async function readClosing(
  asked: AskedClose,
  inputs: Inputs,
  context: Context,
): Promise<ReadClose> {
  const { closing, run, host, accepted } = await openClosing(asked, inputs, context);
  return { report: await closing.judge(run), host, accepted };
}

/** Reads a range to close, to be matched with the statements: those that were read, if any. */
export async function openClosing(
  { query, books, paths }: AskedClose,
  inputs: Inputs,
  context: Context,
  read?: BankStatements,
) {
  const { booked: register, books: mapping } = inputs.settings.preferences;
  // Before anything is read.
  const booked =
    register === undefined
      ? undefined
      : { register, batches: await batchesAt(register, traceOfBooked(books)) };
  const bank = await readBank(paths, inputs, context, read);
  return withSource(inputs, context, async ({ source, host }) => {
    const ageingAndAccepted = await readAgeingAndAccepted(inputs, context);
    const { judgement: settings, reading } = inputs;
    await announceRange(query.range, inputs, context);
    const today = inputs.today();
    const saleMonths = saleMonthsOf(mapping, inputs);
    const about = { query, books, settings, ageingAndAccepted, bank, today };
    const { accepted } = ageingAndAccepted;
    const orders = await readOrdersAt([], inputs, context, accepted);
    const agreed = await agreementAt(inputs, context.flags);
    const closing = new Closing({
      ...about,
      booked,
      mapping,
      saleMonths,
      causeOf: briefExplanation,
      orders: orders?.read.length ? orders.input : undefined,
      fees: agreed && {
        ...agreed,
        settleDays: inputs.settings.preferences.settle_days,
        lastDay: inputs.period?.to ?? today,
      },
    });
    const run = await closing.read({ source, ...reading });
    await endReading(source, context);
    return { closing, run, host, accepted };
  });
}
