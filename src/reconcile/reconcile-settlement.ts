import { checks } from './checks/index.ts';
import { type Entry, weighed } from './entry.ts';
import type { ReconciledSettlement } from './reconciled.ts';
import { type SettlementInput, subjectOf } from './subject.ts';
import { opinionThatCounts, serviceSays, sumsSay, verdictOf } from './verdict.ts';

/**
 * Judges one settlement by its own data alone, whatever the order of its rows. It takes the rows
 * over: corrections from the outcome are put in their place, so that they can be explained later.
 */
export function reconcileSettlement(input: SettlementInput): ReconciledSettlement {
  const subject = subjectOf(input);
  const { settlement, settings } = input;
  const entries = checks
    .flatMap((check) => check(subject))
    .map((entry) => weighed(entry, settings.ignored));
  return {
    settlement,
    complete: subject.complete,
    scale: subject.scale,
    serviceSays: serviceSays(settlement.status),
    sumsSay: sumsSay(entries),
    verdict: verdictOf(opinionThatCounts([settlement, ...subject.headerConflicts]), entries),
    reported: subject.reported,
    computed: subject.computed,
    difference: subject.difference,
    discrepancies: entries.filter(isAlarming),
    notices: entries.filter((entry) => !isAlarming(entry)),
  };
}

function isAlarming({ weight }: Entry): boolean {
  return weight === 'discrepancy' || weight === 'incomplete';
}
