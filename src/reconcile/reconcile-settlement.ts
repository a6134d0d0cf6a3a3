import { checks } from './checks/index.ts';
import { isCounted } from './entry.ts';
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
    .filter((entry) => isCounted(entry, settings.ignored));
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
    discrepancies: entries.filter(({ weight }) => weight !== 'notice'),
    notices: entries.filter(({ weight }) => weight === 'notice'),
  };
}
