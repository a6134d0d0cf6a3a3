import type { OrdersInput } from '../app/orders-report.ts';
import { ReconError } from '../base/errors.ts';
import type { NamedFile } from '../base/text-reader.ts';
import { settingTable } from '../config/table.ts';
import { readOrders } from '../orders/read-orders.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import type { Context } from './context.ts';
import type { Inputs } from './inputs.ts';
import { filesAt, refuseToReplace } from './named-files.ts';
import { setElsewhere } from './profile-table.ts';

/** Orders that were read, and the files that they stand in. */
interface OrdersRead {
  readonly input: OrdersInput;
  readonly read: readonly NamedFile[];
}

/** Reads the order files at the paths, or else of the settings or the sandbox; undefined if there are none. */
export async function readOrdersAt(
  paths: readonly string[],
  inputs: Inputs,
  context: Context,
  accepted: AcceptedDifferences | undefined,
): Promise<OrdersRead | undefined> {
  const { preferences } = inputs.settings;
  const named = await filesAndMapping(paths, inputs, context);
  if (!named) return undefined;
  const { files, mapping, types } = named;
  const { time_zone: zone, settle_days: settleDays, rules, order_tolerance } = preferences;
  const orders = await readOrders(files, {
    mapping,
    // UTC, the default, need not be the time of the shop.
    timeZone: mapping.time_zone ?? (zone === 'UTC' ? undefined : zone),
    tokens: new Map([...inputs.names].map(([token, name]) => [name, token])),
  });
  return {
    read: files,
    input: {
      ...inputs.whose,
      rules,
      orders,
      mapping,
      types,
      settleDays,
      tolerances: order_tolerance,
      accepted,
      timeZone: mapping.time_zone ?? zone,
      lastDay: inputs.period?.to ?? inputs.today(),
      files: files.map(({ name }) => name),
      decidesBy: [],
    },
  };
}

/** The files and how they are written. */
async function filesAndMapping(
  paths: readonly string[],
  { settings }: Inputs,
  { flags, host }: Context,
) {
  const { preferences } = settings;
  const { orders, orders_csv, purchase_types, refund_types, chargeback_types } = preferences;
  const types = {
    purchases: purchase_types,
    refunds: refund_types,
    chargebacks: chargeback_types,
  };
  const places = paths.length === 0 && orders !== undefined ? [orders] : paths;
  if (places.length === 0 && flags.sandbox) {
    const { ordersOfSandbox } = await import('./sandbox.ts');
    const own = await ordersOfSandbox(flags.scenario);
    const given = { key: 'orders_csv', text: own.mapping, origin: 'default' } as const;
    const mapping = orders_csv ?? settingTable.orders_csv.parse(given);
    if (mapping) return { ...own, mapping };
  }
  if (places.length === 0) return undefined;
  const setting = paths.length === 0 ? 'orders' : undefined;
  const files = await filesAt(places, 'Order file', setting);
  await refuseToReplace(
    flags.output,
    files.map(({ name }) => name),
  );
  if (!orders_csv) {
    const hint =
      (await setElsewhere('orders_csv', { settings }, { flags, host })) ||
      `Set orders_csv in the profile. To see a mapping that fits: recon orders --init ${places[0]}.`;
    throw new ReconError('configuration', 'The columns of order files are not known.', { hint });
  }
  return { files, mapping: orders_csv, types };
}
