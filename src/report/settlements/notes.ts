import { groupedBy } from '../../base/keys.ts';
import { isAccepted, raisesAlarm } from '../../reconcile/acceptance.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type {
  IgnoredTotal,
  ReconciledRun,
  ReconciledSettlement,
} from '../../reconcile/reconciled.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { missedByService, onlyByService } from '../common/blocks.ts';
import {
  enumerate,
  firstOf,
  many,
  moneyText,
  netAndAbsoluteText,
  present,
} from '../common/phrase.ts';
import {
  codeWords,
  identityWords,
  sentence,
  unknownStatusTexts,
  verdictWords,
} from '../common/words.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

/** What a reader has to know beside the figures, each a sentence. */
export function settlementsNotes(report: SettlementsReport): readonly string[] {
  return present(
    disagreement(report),
    agreeingPayIns(report),
    ...openPendings(report),
    ...unknownStatuses(report),
    ...quietNotices(report),
    ...identityNotes(report),
    ignoredChecks(report),
    filtered(report),
  );
}

function disagreement({ run }: SettlementsReport) {
  const open = run.settlements.filter((one) => !isAccepted(one));
  const missed = open.filter(missedByService).length;
  const unexplained = open.filter(onlyByService).length;
  if (missed + unexplained === 0) return undefined;
  const parts = present(
    missed > 0 && `${missed} settled according to the service but out of balance by the checks`,
    unexplained > 0 && `${unexplained} out of balance according to the service only`,
  );
  const about = many(missed + unexplained, 'settlement');
  return `The service and the checks disagree on ${about}: ${parts.join('; ')}.`;
}

function agreeingPayIns({ run }: SettlementsReport) {
  const count = run.settlements.filter(
    (one) => raisesAlarm(one) && one.difference?.payIn === 0n,
  ).length;
  const are = many(count, 'settlement is', 'settlements are');
  return count > 0 && `${are} out of balance without a difference in pay-in.`;
}

/** So many settlements are named; the others are in the JSON report. */
export const mostNamed = 3;

/**
 * Notices of balanced settlements: worth knowing, and shown nowhere else on a screen. What is
 * ignored is told by its sums.
 */
function quietNotices({ run }: SettlementsReport): readonly string[] {
  const noticesOf = ({ notices }: ReconciledSettlement) =>
    notices.filter(({ weight }) => weight === 'notice');
  const noticed = run.settlements.filter(
    (one) => one.verdict === 'balanced' && noticesOf(one).length > 0,
  );
  const have = many(noticed.length, 'balanced settlement has', 'balanced settlements have');
  const isLong = noticed.length > mostNamed;
  const more = isLong ? ` The first ${mostNamed} follow; --format json lists all.` : '';
  return present(
    noticed.length > 0 && `${have} notices: ${counted(noticed.flatMap(noticesOf))}.${more}`,
    ...noticed.slice(0, mostNamed).map((one) => {
      const { id, date } = one.settlement;
      return `Settlement ${id} of ${date}: ${noticesOf(one).map(sentence).join('; ')}.`;
    }),
  );
}

/** `rows with other decimal places (1), transactions listed more than once (2)`. */
function counted(entries: readonly Entry[]): string {
  return [...groupedBy(entries, ({ code }) => code)]
    .map(([code, all]) => `${codeWords[code]} (${all.length})`)
    .sort()
    .join(', ');
}

/** So many overdue settlements are named; the others are in the JSON report. */
const mostOverdueNamed = 10;

/** What is waited for too long, and what is pending only because its status is unknown. */
export function openPendings({ run }: SettlementsReport): readonly string[] {
  return present(
    overdueNote(run),
    ...unknownStatusTexts(run.settlements).map((text) => `${text}.`),
  );
}

/** Age is counted by the day of the report, which is said only here. */
function overdueNote({ settlements, totals }: ReconciledRun) {
  const overdue = settlements.flatMap(({ settlement, notices }) =>
    notices.flatMap((one) => (one.code === 'overdue' ? [{ ...one.facts, settlement }] : [])),
  );
  const [first] = overdue;
  if (first === undefined) return undefined;
  const are = many(overdue.length, 'pending settlement is', 'pending settlements are');
  const limit = `more than ${many(first.pendingDays, 'day')} old on ${first.today}`;
  const sums = totals
    .filter((total) => total.overdue.settlements > 0)
    .map(({ currency, scale, overdue }) => moneyText({ minor: overdue.payIn, scale, currency }));
  const all = overdue.length > 1 && `total pay-in ${enumerate(sums)}`;
  const named = overdue
    .slice(0, mostOverdueNamed)
    .map(
      ({ settlement: { date }, days, payIn }) =>
        `${date}, ${many(days, 'day')}, ${moneyText(payIn)}`,
    );
  const more = overdue.length - named.length;
  const list = present(...named, more > 0 && `${more} more`).join('; ');
  return `${present(`${are} overdue (${limit})`, all).join(', ')}: ${list}.`;
}

/** With such a status the service's own opinion is missing. What is pending by it is said apart. */
function unknownStatuses({ run }: SettlementsReport): readonly string[] {
  const unknown = run.settlements.filter(
    (one) => one.serviceSays === 'unknown' && verdictReason(one) === undefined,
  );
  return [...groupedBy(unknown, ({ settlement }) => settlement.status)].map(([status, all]) => {
    const have = many(all.length, 'settlement has', 'settlements have');
    const named = firstOf(all.map(({ settlement }) => settlement.id));
    return `${have} the unknown status "${status}", so only the sums were checked (${named}).`;
  });
}

function identityNotes({ run, settings }: SettlementsReport): readonly string[] {
  if (settings.identity === 'off') {
    return ['The identity is off, so no pay-in is computed and totals show gross differences.'];
  }
  const chosen = identityWords(settings.identity);
  return run.betterIdentities.map(
    ({ identity, settlements }) =>
      `Pay-in = ${chosen} does not hold, but pay-in = ${identityWords(identity)} holds for all ` +
      `${many(settlements, 'complete settlement')}. Consider --identity ${identity}.`,
  );
}

/** How much the ignored checks keep out of the verdicts; nothing where none is ignored. */
export function ignoredChecks({ run, settings: { ignored } }: SettlementsReport) {
  const found = (code: Code) =>
    present(
      ...run.ignored.filter((total) => total.code === code).map(totalText),
      run.findings.some((finding) => finding.code === code) && 'across settlements',
    ).join('; ');
  const checks = ignored.map((code) => `${code} (${found(code) || 'nothing found'})`);
  return checks.length > 0 && `Ignored checks: ${checks.join(', ')}.`;
}

function totalText({ settlements, currency, scale, difference }: IgnoredTotal): string {
  return difference === undefined
    ? many(settlements, `${currency} settlement`)
    : `${netAndAbsoluteText(difference, currency, scale)} in ${many(settlements, 'settlement')}`;
}

function filtered(report: SettlementsReport) {
  const words = enumerate((report.only ?? []).map((verdict) => verdictWords[verdict]));
  const of = many(report.run.settlements.length, 'settlement');
  const shown = shownSettlements(report).length;
  return report.only && `Showing ${shown} of ${of} (${words}). Totals are not filtered.`;
}
