import type { FailureCause, Fault } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import { capitalised } from '../report/common/phrase.ts';
import { answerChecks } from './checks/answers.ts';
import { connectionChecks } from './checks/connection.ts';
import { dataChecks } from './checks/data.ts';
import { type Examination, isAboutCharges } from './examination.ts';
import { type CheckResult, type Checks, type NotChecked, needs } from './result.ts';

/** All checks, in the order in which one builds on another. */
const checks = { ...connectionChecks, ...answerChecks, ...dataChecks };

export type CheckName = keyof typeof checks;

/** A check with what it came to. */
export interface Checked extends Partial<Pick<CheckResult, 'table'>> {
  readonly check: CheckName;
  readonly level: CheckResult['level'] | 'not_checked';
  /** In whole sentences, as is `whatToDo`. */
  readonly found: string;
  /** Empty if no action is needed. */
  readonly whatToDo: string;
  readonly facts: object | null;
  /** Why the service could not be asked, or did not answer well. */
  readonly error: Fault | null;
  /** What it needs and was not found, or an earlier check that failed. */
  readonly lacks: CheckName | NotChecked['lacks'] | null;
}

/** The name of a check, for people. */
export function checkName(check: CheckName): string {
  const names: { readonly [Name in CheckName]?: string } = {
    tls: 'TLS',
    settlement_pages: 'pages of settlements',
    transaction_pages: 'pages of transactions',
    scales: 'decimal places',
  };
  return names[check] ?? check;
}

/** Each check with what it came to: always all of them, in the same order. */
export function checksOf(evidence: Examination): readonly Checked[] {
  const failed = failedCheck(evidence);
  const { stop } = evidence;
  return keysOf(checks).map((check) => {
    if (stop && check === failed) return failure(check, stop.fault);
    const judge: Checks[string] = checks[check];
    const found = judge(evidence) ?? { lacks: failed ?? 'settlement' };
    return 'lacks' in found ? skipped(check, found.lacks) : finished(check, found);
  });
}

/** All checks if nothing could be asked, because what is set is missing or wrong. */
export function checksWithout(fault: Fault): readonly Checked[] {
  return keysOf(checks).map((check) => {
    if (check === 'configuration') return failure(check, fault);
    return check === 'interface'
      ? finished(check, checks.interface())
      : skipped(check, 'configuration');
  });
}

function finished(check: CheckName, result: CheckResult): Checked {
  const found = `${capitalised(result.found)}.`;
  return { check, ...result, found, error: null, lacks: null };
}

function failure(check: CheckName, error: Fault): Checked {
  const { message, where, hint } = error;
  const found = where === null ? message : `${message} At: ${where}`;
  return { check, level: 'failure', found, whatToDo: hint ?? '', facts: null, error, lacks: null };
}

function skipped(check: CheckName, lacks: CheckName | NotChecked['lacks']): Checked {
  const isCheck = (name: string): name is CheckName => name in checks;
  const missing = isCheck(lacks) ? `${checkName(lacks)} failed` : `${needs[lacks]} found`;
  const found = `Skipped: ${missing}.`;
  return { check, level: 'not_checked', found, whatToDo: '', facts: null, error: null, lacks };
}

/** The check that failed and ended the asking. */
function failedCheck(evidence: Examination): CheckName | undefined {
  const { stop, setup, sightings } = evidence;
  const last = sightings.exchanges.at(-1);
  if (!stop || !last) return stop?.check;
  const { status, origin } = last;
  if (status !== undefined) {
    // An operation that everybody has can't be unknown to the service, and it sends nobody elsewhere.
    const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400);
    const isFirst = stop.check === 'token' || stop.check === 'settlements';
    if (isFirst && isElsewhere) return 'address';
    return isAboutCharges(evidence) ? undefined : stop.check;
  }
  const peer = sightings.peers.get(origin);
  if (peer?.untrusted) return 'tls';
  const { proxy } = setup;
  return proxy && !peer?.reached && sightings.peers.has(proxy.origin) ? 'proxy' : 'address';
}

/** Why the first check that failed did: the one to be mended first. Undefined if none failed. */
export function causeOfFailure(checks: readonly Checked[]): FailureCause | undefined {
  const first = checks.find(({ level }) => level === 'failure');
  // A failure without an error is about what the service's own answers hold.
  return first && (first.error?.cause ?? 'service');
}
