import {
  checkOrders,
  countInState,
  daysToRead,
  type OrdersReport,
  ordersToDecide,
  ordersVerdict,
} from '../../../app/orders-report.ts';
import { ReconError } from '../../../base/errors.ts';
import { keysOf, tableOf } from '../../../base/lists.ts';
import { settingTable } from '../../../config/table.ts';
import type { ChargeSource } from '../../../model/charge.ts';
import { proposedOrders } from '../../../orders/proposal.ts';
import { columnsWith, readOrders } from '../../../orders/read-orders.ts';
import { ordersSummary } from '../../../report/orders/summary.ts';
import { ordersViews } from '../../../report/orders/view.ts';
import type { ContextOf } from '../../context.ts';
import { writeEmptyList } from '../../decision-list.ts';
import { namedIn } from '../../exit-codes.ts';
import { printFailures } from '../../failure.ts';
import { ticket } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { endReading, printReport, resolveTarget } from '../../output.ts';
import { printMapping } from '../../print-mapping.ts';
import { setElsewhere } from '../../profile-table.ts';
import { describeRange } from '../../range.ts';
import { readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOf, reconciliationVerdicts } from '../../run-exit-code.ts';
import { type Opened, withSource } from '../../source.ts';
import type { ordersCommand } from './command.ts';

type OrdersContext = ContextOf<typeof ordersCommand>;

export async function orders(context: OrdersContext, paths: readonly string[]): Promise<number> {
  const { flags } = context;
  if (flags.init) return printMapping(context, paths, proposedOrders);
  const target = resolveTarget(context, ticket);
  const inputs = await resolveInputs(context);
  const { preferences } = inputs.settings;
  const { files, mapping, types } = await filesAndMapping(inputs, context, paths);
  const { time_zone: zone, settle_days: settleDays, rules } = preferences;
  const orders = await readOrders(files, {
    mapping,
    // UTC, the default, need not be the time of the shop.
    timeZone: mapping.time_zone ?? (zone === 'UTC' ? undefined : zone),
    tokens: new Map([...inputs.names].map(([token, name]) => [name, token])),
  });
  const known = inputs.period ?? { from: '', to: inputs.today() };
  const period = daysToRead(orders, settleDays, known);
  const query = queryOf({ ...inputs, period }, context);
  const { messages } = context;
  const { accepted } = await readAgeingAndAccepted(inputs, { messages, flags: {} });
  const work = async ({ source }: Opened, live?: ChargeSource) => {
    await announceRange(query.range, inputs, context);
    const report = await checkOrders({
      ...query,
      ...inputs.whose,
      ...inputs.reading,
      source,
      live,
      rules,
      orders,
      mapping,
      types,
      settleDays,
      tolerances: preferences.order_tolerance,
      accepted,
      timeZone: mapping.time_zone ?? zone,
      lastDay: known.to,
      onLaterDays:
        query.range === period
          ? (days) =>
              context.messages.say(`Refunds may be later: settlements ${describeRange(days)}`)
          : undefined,
      files: files.map(({ name }) => name),
      columnsWith: (texts) => columnsWith(files, mapping, texts),
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
  const { conclusion } = ordersSummary(report);
  return printReport(target, ordersViews(report), context, conclusion, exitCode);
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

/** The files that are named, or those of the sandbox, and how they are written. */
async function filesAndMapping(
  { settings }: Inputs,
  { flags, host }: OrdersContext,
  paths: readonly string[],
) {
  const { orders_csv, purchase_types, refund_types, chargeback_types } = settings.preferences;
  const types = {
    purchases: purchase_types,
    refunds: refund_types,
    chargebacks: chargeback_types,
  };
  if (paths.length === 0 && flags.sandbox) {
    const { ordersOfSandbox } = await import('../../sandbox.ts');
    const own = await ordersOfSandbox(flags.scenario);
    const given = { key: 'orders_csv', text: own.mapping, origin: 'default' } as const;
    const mapping = orders_csv ?? settingTable.orders_csv.parse(given);
    if (mapping) return { ...own, mapping };
  }
  if (paths.length === 0) {
    throw new ReconError('usage', 'No order file given.', {
      hint: 'Name the file with the orders of the shop.',
    });
  }
  const files = await filesAt(paths, 'Order file');
  if (!orders_csv) {
    const hint =
      (await setElsewhere('orders_csv', { settings }, { flags, host })) ||
      `Set orders_csv in the profile. To see a mapping that fits: recon orders --init ${paths[0]}.`;
    throw new ReconError('configuration', 'The columns of order files are not known.', { hint });
  }
  return { files, mapping: orders_csv, types };
}
