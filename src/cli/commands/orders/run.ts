import { restsSince } from '../../../app/books-so-far.ts';
import {
  checkOrders,
  countInState,
  daysOfSales,
  daysToRead,
  type OrdersInput,
  type OrdersReport,
  ordersToDecide,
  ordersVerdict,
} from '../../../app/orders-report.ts';
import { ReconError } from '../../../base/errors.ts';
import { keysOf, tableOf } from '../../../base/lists.ts';
import type { ChargeSource } from '../../../model/charge.ts';
import type { DateRange } from '../../../model/source.ts';
import { proposedOrders } from '../../../orders/proposal.ts';
import { columnsWith } from '../../../orders/read-orders.ts';
import { ordersSummary } from '../../../report/orders/summary.ts';
import { ordersViews } from '../../../report/orders/view.ts';
import type { ContextOf } from '../../context.ts';
import { refuseToLoseDecisions, writeEmptyList } from '../../decision-list.ts';
import { namedIn } from '../../exit-codes.ts';
import { printFailures } from '../../failure.ts';
import { ticket } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { readOrdersAt } from '../../orders.ts';
import { endReading, printReport, resolveTarget } from '../../output.ts';
import { printMapping } from '../../print-mapping.ts';
import { describeRange } from '../../range.ts';
import { booksOf, readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOf, reconciliationVerdicts } from '../../run-exit-code.ts';
import { type Opened, withSource } from '../../source.ts';
import type { ordersCommand } from './command.ts';

type OrdersContext = ContextOf<typeof ordersCommand>;

export async function orders(context: OrdersContext, paths: readonly string[]): Promise<number> {
  const { flags } = context;
  if (flags.init) return printMapping(context, paths, proposedOrders);
  const target = resolveTarget(context, ticket);
  const inputs = await resolveInputs(context);
  await refuseToLoseDecisions(flags.decisions, inputs.settings.preferences);
  const { messages } = context;
  const { accepted } = await readAgeingAndAccepted(inputs, context);
  const found = await readOrdersAt(paths, inputs, context, accepted);
  if (!found) {
    throw new ReconError('usage', 'No order file given.', {
      hint: 'Name the file with the orders of the shop, or set orders in the profile.',
    });
  }
  const { input, read } = found;
  const known = inputs.period ?? { from: '', to: inputs.today() };
  const period = daysToRead(input.orders, input.settleDays, known);
  const query = queryOf({ ...inputs, period }, context);
  const sales = query.range === period ? undefined : query.range;
  const range = sales ? await daysRead(sales, input, inputs) : period;
  const work = async ({ source }: Opened, live?: ChargeSource) => {
    await announceRange(range, inputs, context);
    const report = await checkOrders({
      ...input,
      ...query,
      range,
      sales,
      ...inputs.reading,
      source,
      live,
      onLaterDays: (days) =>
        messages.say(`For orders that are still open: settlements ${describeRange(days)}`),
      columnsWith: (texts) => columnsWith(read, input.mapping, texts),
      decidesBy: conditions
        .filter((one) => namedIn(flags.failOn, one))
        .map((one) => stateOfCondition[one]),
    });
    printFailures(report.unreadCharges, context);
    await endReading(source, context);
    return report;
  };
  const report = await withSource(inputs, context, work, flags.charges);
  if (flags.decisions !== undefined) {
    const about = { names: report.names, causes: new Map() };
    await writeEmptyList(flags.decisions, ordersToDecide(report), about, context);
  }
  const verdict = reconciliationVerdicts[ordersVerdict(report)];
  const exitCode = exitCodeOf(verdict, metBy(report), flags.failOn);
  const told = inputs.told(ordersViews(report), ordersSummary(report).conclusion);
  return printReport(target, told.views, context, told.conclusion, exitCode);
}

/** The days whose settlements a close of the range reads for its orders. */
async function daysRead(sales: DateRange, input: OrdersInput, inputs: Inputs) {
  const hasRegister = inputs.settings.preferences.booked !== undefined;
  return daysOfSales(sales, input, restsSince(await booksOf(inputs), sales.from, hasRegister));
}

/** The states that `--fail-on` can name beside those that always decide. */
const stateOfCondition = {
  'unknown-to-shop': 'unknown_to_shop',
  'refund-unknown': 'refund_unknown',
  'charged-back': 'charged_back',
  'not-covered': 'not_covered',
} as const;

const conditions = keysOf(stateOfCondition);

function metBy(report: OrdersReport) {
  return {
    ...tableOf(conditions, (one) => countInState(report, stateOfCondition[one])),
    empty: report.matching.orders === 0,
  };
}
