import type { CommandSpec } from '../../context.ts';
import { once, toggle } from '../../flag.ts';
import {
  failOnFlag,
  files,
  filterFlags,
  flags,
  namedDays,
  officeFlags,
  sourceOrExportFlags,
  ticket,
} from '../../flags.ts';

const ordersFlags = {
  charges: toggle('--charges', 'also read the charges of missing orders, if the files name them'),
  decisions: once('--decisions <file>', 'CSV of orders to decide on, for recon accept', files),
  init: toggle('--init', 'print a first orders_csv for an order file'),
  write: flags.write,
};

export const ordersCommand = {
  name: 'orders',
  summary: 'check that every order of the shop is in the settlements',
  examples: [
    'recon orders --sandbox',
    'recon orders --init orders.csv',
    'recon orders march.csv --output orders.xlsx',
    'recon orders march.csv --from-export /var/recon --profile spain',
  ],
  argument: {
    name: '[file...]',
    about: 'order files of the shop (CSV, .xlsx), or folders',
  },
  own: ordersFlags,
  flags: [
    ["Range (settlement dates; default: the files' days, and settle_days more):", ...namedDays],
    filterFlags,
    [
      'Orders:',
      ordersFlags.charges,
      ordersFlags.decisions,
      ordersFlags.init,
      ordersFlags.write,
      failOnFlag('orders'),
    ],
    officeFlags(ticket),
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
