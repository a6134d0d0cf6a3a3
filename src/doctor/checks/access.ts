import type { Fault } from '../../base/errors.ts';
import type { Exchange } from '../../model/probe.ts';
import { finding, notChecked, warningIf } from '../check.ts';
import { chargeSeen, type Examination, isAboutCharges } from '../examination.ts';

/** Tokens of V1 carry the time (doc 5.1); otherwise it is only about which day it is. */
const tolerable = { signing: 1, otherwise: 60 };

/** How far this clock is ahead of the service's, by the Date of the answer that came fastest. */
export function judgeClock({ setup, sightings }: Examination) {
  const { exchanges } = sightings;
  if (exchanges.every(({ status }) => status === undefined)) return undefined;
  const [fastest] = exchanges
    .flatMap(({ date, ...rest }) => (date === undefined ? [] : [{ ...rest, date }]))
    .sort((one, other) => one.ms - other.ms);
  if (!fastest) return notChecked('date_header');
  const aheadSeconds = aheadOf(fastest);
  const signs = Object.values(setup.schemes).includes('v1');
  const isOff = Math.abs(aheadSeconds) > (signs ? tolerable.signing : tolerable.otherwise);
  return warningIf(isOff, { aheadSeconds, signs });
}

/**
 * By how much this clock is ahead, in seconds. The Date is cut off to whole seconds and was written
 * at some moment between the request and the answer: within that, nothing can be told.
 */
function aheadOf({ startedAt, ms, date }: Exchange & { readonly date: number }): number {
  const least = startedAt - (date + 1000);
  const most = startedAt + ms - date;
  return least <= 0 && 0 <= most ? 0 : Math.round((least + most) / 2000);
}

/** What both settlement operations take (doc 4.3, 4.4). */
const needed = ['read:merchant', 'read:merchant:settlement'];
/** Tokens that live for less are asked for again and again. */
const shortestLife = 60;

/**
 * How long the access token lives, and whether it was granted the scopes that settlements take. Under
 * V1 each request has a token of its own, and nothing is granted.
 */
export function judgeToken({ setup, answers }: Examination) {
  const { schemes } = setup;
  if (schemes.settlements === 'v1' && schemes.charges === 'v1') {
    return finding('ok', { scheme: 'v1' });
  }
  const { grant } = answers;
  if (!grant) return undefined;
  const { seconds = null, scopes = null } = grant;
  const isForSettlements = schemes.settlements === 'v2';
  const lacks = isForSettlements && scopes ? needed.filter((one) => !scopes.includes(one)) : [];
  const isShort = seconds !== null && seconds < shortestLife;
  return warningIf(lacks.length > 0 || isShort, { scheme: 'v2', seconds, scopes, lacks });
}

interface ChargeFacts {
  readonly scheme: 'v1' | 'v2';
  readonly chargeId: string;
  /** Absent where the charge was read. */
  readonly refusal?: Fault;
}

/** Whether a charge can be read by the scheme that is set for it: which one it takes is not shown (doc 5.4). */
export function judgeCharges(evidence: Examination) {
  const { answers, stop, setup } = evidence;
  const chargeId = chargeSeen(answers);
  if (chargeId === undefined) {
    return answers.rows && !stop ? notChecked('charge_id') : undefined;
  }
  const facts: ChargeFacts = { scheme: setup.schemes.charges, chargeId };
  if (answers.charge !== undefined) return finding('ok', facts);
  return stop && isAboutCharges(evidence)
    ? finding('warning', { ...facts, refusal: stop.fault })
    : undefined;
}
