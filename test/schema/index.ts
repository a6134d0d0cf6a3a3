import { audit } from './audit.ts';
import { bank, bankEntries } from './bank.ts';
import { charge, listen } from './charge.ts';
import { close, closeList } from './close.ts';
import { explain } from './explain.ts';
import { accept, acceptFrom, exported, manifest, months, verified } from './export.ts';
import { fees } from './fees.ts';
import { asFiles, type Fields } from './form.ts';
import { dryRun, nightly, nightlyDryRun, notification, status } from './nightly.ts';
import { orders } from './orders.ts';
import { settlements } from './settlements.ts';
import { config, doctor, error } from './setup.ts';
import { transactions } from './transactions.ts';

/** The schemas of `docs/schema`, by the names of their files. */
export const schemas: Fields = asFiles({
  accept,
  'accept-from': acceptFrom,
  audit,
  bank,
  'bank-entries': bankEntries,
  charge,
  close,
  'close-list': closeList,
  'config-show': config,
  doctor,
  'dry-run': dryRun,
  error,
  explain,
  export: exported,
  'export-verify': verified,
  fees,
  listen,
  manifest,
  months,
  nightly,
  'nightly-dry-run': nightlyDryRun,
  notification,
  orders,
  settlements,
  status,
  transactions,
});
