import { groupedBy } from '../../base/keys.ts';
import { absoluteSums, type Money, maxScale, rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { acceptanceRemarks } from './acceptance.ts';
import { alarm, missedByService, onlyByService, plain, remark } from './blocks.ts';
import { effectTexts } from './rule-words.ts';
import type { Remark } from './view.ts';
import { codeWords, opinionsText, sentence } from './words.ts';

/** Settlements of one currency with the same findings and cause, the largest difference first. */
export type Alike = readonly ReconciledSettlement[];

/** The differences that settlements are compared by: in the pay-in or, if none is computed, in the gross. */
export function differencesOf(settlements: Alike): readonly Money[] {
  return settlements.flatMap(({ settlement, difference, scale }) => {
    const minor = difference?.payIn ?? difference?.gross;
    return minor === undefined ? [] : { currency: settlement.currency, minor, scale };
  });
}

/** Orders settlements by their differences, the largest first, whatever its sign. */
export function byDifference(...pair: readonly [ReconciledSettlement, ReconciledSettlement]) {
  return bySize(...pair.map((one) => [one]));
}

/** The same of several each, by the sum of their differences without signs. */
function bySize(...pair: readonly Alike[]): number {
  const [one = 0n, other = 0n] = pair.map((all) => {
    const [sum] = absoluteSums(differencesOf(all));
    return sum && rescale(sum.minor, sum.scale, maxScale);
  });
  return Number(one < other) - Number(one > other);
}

/** Puts settlements together that are alike; those with the largest absolute difference first. */
export function alikeBlocks(
  settlements: readonly ReconciledSettlement[],
  causes?: ReadonlyMap<string, string>,
): readonly Alike[] {
  const keyOf = (one: ReconciledSettlement) =>
    JSON.stringify([one.settlement.currency, commonRemarks(one, causes)]);
  return [...groupedBy([...settlements].sort(byDifference), keyOf).values()].sort(bySize);
}

/** What is to be said of a settlement as of all that are like it: findings by their names, and the cause. */
export function commonRemarks(one: ReconciledSettlement, causes?: ReadonlyMap<string, string>) {
  return settlementRemarks(one, causes?.get(one.settlement.id), ({ code }) => codeWords[code]);
}

/**
 * All that is to be said of a settlement: what was accepted and opinions that differ first, its
 * explanation last. What was found is known to whoever accepted it.
 */
export function settlementRemarks(
  one: ReconciledSettlement,
  explanation = '',
  wordsOf: (entry: Entry) => string = sentence,
): readonly Remark[] {
  const accepted = acceptanceRemarks(one);
  if (isAccepted(one)) return accepted;
  const entries = [...one.discrepancies, ...one.notices];
  const differ = missedByService(one) || onlyByService(one);
  const said = differ ? entries.filter(({ code }) => code !== 'reported_by_service') : entries;
  return [
    ...accepted,
    ...(differ ? [alarm(opinionsText(one))] : []),
    ...said.map((entry) => ({ ...remark(entry), text: wordsOf(entry) })),
    ...(wordsOf === sentence ? effectTexts(one).map((text) => plain(`by rule: ${text}`)) : []),
    ...(explanation === '' ? [] : [plain(explanation, '=')]),
  ];
}
