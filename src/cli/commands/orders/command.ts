import type { CommandSpec } from '../../context.ts';
import { hidden, once, toggle } from '../../flag.ts';
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
  accepted: hidden(flags.accepted),
  closes: hidden(flags.closes),
  booked: hidden(flags.booked),
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
    ['Range (days of sale; default: all orders of the files):', ...namedDays],
    filterFlags,
    [
      'Orders:',
      ordersFlags.charges,
      ordersFlags.decisions,
      ordersFlags.init,
      ordersFlags.write,
      ordersFlags.accepted,
      ordersFlags.closes,
      ordersFlags.booked,
      failOnFlag('orders'),
    ],
    officeFlags(ticket),
    sourceOrExportFlags,
  ],
} satisfies CommandSpec;
