import type { Code, Entry } from '../../reconcile/entry.ts';
import type { IgnoredTotal, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { missedByService, onlyByService } from '../common/blocks.ts';
import { enumerate, firstOf, many, netAndAbsoluteText } from '../common/phrase.ts';
import { identityWords, sentence, verdictWords } from '../common/words.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';

/** What a reader has to know beside the figures, each a sentence. */
export function settlementsNotes(report: SettlementsReport): readonly string[] {
  return [
    ...disagreements(report),
    ...agreeingPayIns(report),
    ...unknownStatuses(report),
    ...quietNotices(report),
    ...identityNotes(report),
    ...ignoredChecks(report),
    ...filtered(report),
  ];
}

function disagreements({ run }: SettlementsReport): readonly string[] {
  const missed = run.settlements.filter(missedByService).length;
  const unexplained = run.settlements.filter(onlyByService).length;
  const parts = [
    ...(missed > 0
      ? [`${missed} settled according to the service but out of balance by the sums`]
      : []),
    ...(unexplained > 0 ? [`${unexplained} out of balance according to the service only`] : []),
  ];
  if (parts.length === 0) return [];
  const about = many(missed + unexplained, 'settlement');
  return [`The service and the sums disagree on ${about}: ${parts.join('; ')}.`];
}

function agreeingPayIns({ run }: SettlementsReport): readonly string[] {
  const count = run.settlements.filter(
    (one) => one.verdict === 'out_of_balance' && one.difference?.payIn === 0n,
  ).length;
  if (count === 0) return [];
  const verb = count === 1 ? 'is' : 'are';
  return [`${many(count, 'settlement')} ${verb} out of balance without a difference in pay-in.`];
}

/** So many settlements are named; the others are in the JSON report. */
const mostNamed = 3;

/** Notices of balanced settlements: worth knowing, and shown nowhere else on a screen. */
function quietNotices({ run }: SettlementsReport): readonly string[] {
  const noticed = run.settlements
    .filter(({ verdict }) => verdict === 'balanced')
    .map(({ settlement, notices }) => ({ settlement, notices: notices.filter(isNotice) }))
    .filter(({ notices }) => notices.length > 0);
  if (noticed.length === 0) return [];
  const verb = noticed.length === 1 ? 'has' : 'have';
  const rest = noticed.length - mostNamed;
  const more = rest > 0 ? ` The first ${mostNamed} follow; --format json lists all.` : '';
  return [
    `${many(noticed.length, 'balanced settlement')} ${verb} notices: ${countedCodes(noticed)}.${more}`,
    ...noticed.slice(0, mostNamed).map(({ settlement, notices }) => {
      const sentences = notices.map(sentence).join('; ');
      return `Settlement ${settlement.id} of ${settlement.date}: ${sentences}.`;
    }),
  ];
}

/** What is ignored is told by its sums. */
function isNotice({ weight }: Entry): boolean {
  return weight === 'notice';
}

/** With such a status the service's own opinion is missing, whatever the verdict. */
function unknownStatuses({ run }: SettlementsReport): readonly string[] {
  const ids = new Map<string, readonly string[]>();
  for (const { serviceSays, settlement } of run.settlements) {
    if (serviceSays !== 'unknown') continue;
    ids.set(settlement.status, [...(ids.get(settlement.status) ?? []), settlement.id]);
  }
  return [...ids].map(([status, named]) => {
    const verb = named.length === 1 ? 'has' : 'have';
    return (
      `${many(named.length, 'settlement')} ${verb} the unknown status "${status}", so only the sums ` +
      `were checked (${firstOf(named)}).`
    );
  });
}

function countedCodes(settlements: readonly Pick<ReconciledSettlement, 'notices'>[]): string {
  const counts = new Map<Code, number>();
  for (const { code } of settlements.flatMap((one) => one.notices)) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .map(([code, count]) => `${code} (${count})`)
    .sort()
    .join(', ');
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
export function ignoredChecks({ run, settings }: SettlementsReport): readonly string[] {
  const { ignored } = settings;
  if (ignored.length === 0) return [];
  const found = (code: Code) => {
    const across = run.findings.some((finding) => finding.code === code);
    const totals = run.ignored.filter((total) => total.code === code).map(totalText);
    return [...totals, ...(across ? ['across settlements'] : [])].join('; ') || 'nothing found';
  };
  return [`Ignored checks: ${ignored.map((code) => `${code} (${found(code)})`).join(', ')}.`];
}

function totalText({ settlements, currency, scale, difference }: IgnoredTotal): string {
  return difference === undefined
    ? many(settlements, `${currency} settlement`)
    : `${netAndAbsoluteText(difference, currency, scale)} in ${many(settlements, 'settlement')}`;
}

function filtered(report: SettlementsReport): readonly string[] {
  if (report.only === undefined) return [];
  const words = enumerate(report.only.map((verdict) => verdictWords[verdict]));
  const of = many(report.run.settlements.length, 'settlement');
  return [
    `Showing ${shownSettlements(report).length} of ${of} (${words}). Totals are not filtered.`,
  ];
}
