import type { Check } from '../check.ts';
import { isAboutCharges } from '../culprit.ts';
import type { Evidence } from '../evidence.ts';

/** Whether a charge can be read by the scheme that is set for it: which one it takes is not shown (doc 5.4). */
export function judgeCharges(evidence: Evidence): Check<'charges'> | undefined {
  const { answers, chargeId, stop, setup } = evidence;
  if (chargeId === undefined) {
    return answers.rows && !stop
      ? { check: 'charges', level: 'not_checked', lacks: 'charge_id' }
      : undefined;
  }
  const facts = { scheme: setup.schemes.charges, chargeId };
  if (answers.charge !== undefined) return { check: 'charges', level: 'ok', facts };
  return stop && isAboutCharges(evidence)
    ? { check: 'charges', level: 'warning', facts: { ...facts, refusal: stop.fault } }
    : undefined;
}
