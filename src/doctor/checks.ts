import type { FailureCause } from '../base/errors.ts';
import { interfaceVersion } from '../model/interface-version.ts';
import type { Checked, CheckFault, CheckName, Level } from './check.ts';
import { judgeCharges, judgeClock, judgeToken } from './checks/access.ts';
import { judgeAddress, judgeLatency, judgeProxy, judgeTls } from './checks/connection.ts';
import { judgeSettlementPages, judgeTransactionPages } from './checks/pages.ts';
import {
  judgeDates,
  judgeIdentity,
  judgeRecords,
  judgeScales,
  judgeSettlements,
} from './checks/settlements.ts';
import { culprit, type Examination } from './examination.ts';

/** The settings are there and make sense: else nothing could have been asked. */
function judgeConfiguration({ setup }: Examination): Checked<'configuration'> {
  const { profile = null, file = null, sandbox = null } = setup;
  return { check: 'configuration', level: 'ok', facts: { profile, file, sandbox } };
}

/** The version that recon follows. How the service tells its own is not shown (doc 9). */
function judgeInterface(): Checked<'interface'> {
  return { check: 'interface', level: 'ok', facts: { version: interfaceVersion } };
}

/** Judges one check; undefined where what it needs did not come. */
type Judge<Name extends CheckName> = (evidence: Examination) => Checked<Name> | undefined;

/** All checks, in the order in which one builds on another. */
const judges: { readonly [Name in CheckName]: Judge<Name> } = {
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

const checkNames = Object.keys(judges) as readonly CheckName[];

/** Each check with what it came to: always all of them, in the same order. */
export function checksOf(evidence: Examination): readonly Checked[] {
  const failed = culprit(evidence);
  const { stop } = evidence;
  return checkNames.map((check): Checked => {
    if (stop && check === failed) return { check, level: 'failure', fault: stop.fault };
    const lacks = failed ?? 'settlement';
    return judges[check](evidence) ?? { check, level: 'not_checked', lacks };
  });
}

/** All checks where nothing could be asked, because what is set is missing or wrong. */
export function checksWithout(fault: CheckFault): readonly Checked[] {
  return checkNames.map((check): Checked => {
    if (check === 'configuration') return { check, level: 'failure', fault };
    if (check === 'interface') return judgeInterface();
    return { check, level: 'not_checked', lacks: 'configuration' };
  });
}

const order: readonly Level[] = ['failure', 'warning', 'ok', 'not_checked'];

/** The worst of them. What wasn't checked has its reason in another check. */
export function worstLevel(checks: readonly Checked[]): Level {
  return order.find((level) => checks.some((one) => one.level === level)) ?? 'ok';
}

/** Why the first check that failed did: the one to be mended first. Undefined where none failed. */
export function causeOfFailure(checks: readonly Checked[]): FailureCause | undefined {
  const first = checks.find(({ level }) => level === 'failure');
  if (!first) return undefined;
  // A failure without a fault is about what the service's own answers hold.
  return 'fault' in first ? first.fault.cause : 'service';
}
