import type { Check, CheckName } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { judgeAddress } from './address.ts';
import { judgeCharges } from './charges.ts';
import { judgeClock } from './clock.ts';
import { judgeConfiguration } from './configuration.ts';
import { judgeDates } from './dates.ts';
import { judgeIdentity } from './identity.ts';
import { judgeInterface } from './interface.ts';
import { judgeLatency } from './latency.ts';
import { judgeSettlementPages, judgeTransactionPages } from './pages.ts';
import { judgeProxy } from './proxy.ts';
import { judgeRecords } from './records.ts';
import { judgeScales } from './scales.ts';
import { judgeSettlements } from './settlements.ts';
import { judgeTls } from './tls.ts';
import { judgeToken } from './token.ts';

/** Judges one check; undefined where what it needs did not come. */
type Judge<Name extends CheckName> = (evidence: Evidence) => Check<Name> | undefined;

/** All checks, in the order in which one builds on another. */
export const judges: { readonly [Name in CheckName]: Judge<Name> } = {
  configuration: judgeConfiguration,
  proxy: judgeProxy,
  address: judgeAddress,
  tls: judgeTls,
  clock: judgeClock,
  token: judgeToken,
  settlements: judgeSettlements,
  settlement_pages: judgeSettlementPages,
  transaction_pages: judgeTransactionPages,
  latency: judgeLatency,
  records: judgeRecords,
  dates: judgeDates,
  scales: judgeScales,
  identity: judgeIdentity,
  charges: judgeCharges,
  interface: judgeInterface,
};
