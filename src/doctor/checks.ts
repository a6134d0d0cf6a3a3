import type { FailureCause, Fault } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import { type Examination, isAboutCharges, type ServiceAnswers } from './examination.ts';
import { type CheckFinding, judges, type NotChecked, notChecked } from './judges.ts';

export type CheckName = keyof typeof judges;

/** What each check may come to. */
type Judged = { [Name in CheckName]: ReturnType<(typeof judges)[Name]> };

/** What each check finds. */
export type CheckFacts = {
  readonly [Name in CheckName]: Extract<Judged[Name], CheckFinding<unknown>>['facts'];
};

/** What a check needs and there isn't: an earlier check that failed, or something to look at. */
export type MissingInput =
  | CheckName
  | 'settlement'
  | Extract<Judged[CheckName], NotChecked<string>>['lacks'];

/** A check with what it came to. */
export type Checked<Name extends CheckName = CheckName> =
  | { [One in Name]: CheckFinding<CheckFacts[One]> & { readonly check: One } }[Name]
  /** The service could not be asked, or didn't answer well. */
  | { readonly check: CheckName; readonly level: 'failure'; readonly fault: Fault }
  /** Something that it needs is not there. */
  | (NotChecked<MissingInput> & { readonly check: CheckName });

export type Level = Checked['level'];

/** The judges, by what each finds. */
const judgesByName: {
  readonly [Name in CheckName]: (
    evidence: Examination,
  ) => CheckFinding<CheckFacts[Name]> | NotChecked<MissingInput> | undefined;
} = judges;

function judge<Name extends CheckName>(
  check: Name,
  evidence: Examination,
): Checked<Name> | undefined {
  const judged = judgesByName[check](evidence);
  return judged && { check, ...judged };
}

/** Each check with what it came to: always all of them, in the same order. */
export function checksOf(evidence: Examination): readonly Checked[] {
  const failed = failedCheck(evidence);
  const { stop } = evidence;
  return keysOf(judges).map((check): Checked => {
    if (stop && check === failed) return { check, level: 'failure', fault: stop.fault };
    return judge(check, evidence) ?? { check, ...notChecked(failed ?? 'settlement') };
  });
}

/** All checks where nothing could be asked, because what is set is missing or wrong. */
export function checksWithout(fault: Fault): readonly Checked[] {
  return keysOf(judges).map((check): Checked => {
    if (check === 'configuration') return { check, level: 'failure', fault };
    if (check === 'interface') return { check, ...judges.interface() };
    return { check, ...notChecked('configuration') };
  });
}

/** The check that each step is for, where the service answers at all. */
const checkOfStep: Readonly<Record<keyof ServiceAnswers, CheckName>> = {
  grant: 'token',
  first: 'settlements',
  settlements: 'settlement_pages',
  nextSettlements: 'settlement_pages',
  rows: 'transaction_pages',
  nextRows: 'transaction_pages',
  samples: 'rules',
  charge: 'charges',
};

/** The check that failed and ended the asking. */
function failedCheck(evidence: Examination): CheckName | undefined {
  const { stop, setup, sightings } = evidence;
  const last = sightings.exchanges.at(-1);
  if (!stop || !last) return stop && checkOfStep[stop.step];
  if (last.status !== undefined) {
    if (isElsewhere(last.status, stop.step)) return 'address';
    return isAboutCharges(evidence) ? undefined : checkOfStep[stop.step];
  }
  const peer = sightings.peers.get(last.origin);
  if (peer?.untrusted) return 'tls';
  const { proxy } = setup;
  return proxy && !peer?.reached && sightings.peers.has(proxy.origin) ? 'proxy' : 'address';
}

/**
 * Whether what answers isn't the service. An operation that everybody has can't be unknown to it, and
 * it has no reason to send anybody elsewhere.
 */
function isElsewhere(status: number, step: keyof ServiceAnswers): boolean {
  const isFirst = step === 'grant' || step === 'first';
  return isFirst && (status === 404 || status === 405 || (status >= 300 && status < 400));
}

/** Why the first check that failed did: the one to be mended first. Undefined where none failed. */
export function causeOfFailure(checks: readonly Checked[]): FailureCause | undefined {
  const first = checks.find(({ level }) => level === 'failure');
  if (!first) return undefined;
  // A failure without a fault is about what the service's own answers hold.
  return 'fault' in first ? first.fault.cause : 'service';
}
