import type { FailureCause } from '../base/errors.ts';
import type { Check, CheckName, Fault, Level } from './check.ts';
import { judges } from './checks/index.ts';
import { judgeInterface } from './checks/interface.ts';
import { culprit } from './culprit.ts';
import type { Evidence } from './evidence.ts';

const checkNames = Object.keys(judges) as readonly CheckName[];

/** Each check with what it came to: always all of them, in the same order. */
export function checksOf(evidence: Evidence): readonly Check[] {
  const failed = culprit(evidence);
  const { stop } = evidence;
  return checkNames.map((check): Check => {
    if (stop && check === failed) return { check, level: 'failure', fault: stop.fault };
    const lacks = failed ?? 'settlement';
    return judges[check](evidence) ?? { check, level: 'not_checked', lacks };
  });
}

/** The same where nothing could be asked: what is set is missing, or wrong. */
export function checksWithout(fault: Fault): readonly Check[] {
  return checkNames.map((check): Check => {
    if (check === 'configuration') return { check, level: 'failure', fault };
    if (check === 'interface') return judgeInterface();
    return { check, level: 'not_checked', lacks: 'configuration' };
  });
}

const order: readonly Level[] = ['failure', 'warning', 'ok', 'not_checked'];

/** The worst of them. What wasn't checked has its reason in another check. */
export function worstLevel(checks: readonly Check[]): Level {
  return order.find((level) => checks.some((one) => one.level === level)) ?? 'ok';
}

/** Why the first check that failed did: the one to be mended first. Undefined where none failed. */
export function causeOfFailure(checks: readonly Check[]): FailureCause | undefined {
  const first = checks.find(({ level }) => level === 'failure');
  if (!first) return undefined;
  // A failure without a fault is about what the service's own answers hold.
  return 'fault' in first ? first.fault.cause : 'service';
}
