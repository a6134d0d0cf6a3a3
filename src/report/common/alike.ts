import { groupedBy } from '../../base/keys.ts';
import {
  absoluteSums,
  type Money,
  magnitude,
  maxScale,
  moneySums,
  rescale,
} from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { acceptanceRemarks } from './acceptance.ts';
import { alarm, missedByService, onlyByService, plain, remark } from './blocks.ts';
import { many, netAndAbsoluteText, present, signedMoneyText } from './phrase.ts';
import type { Names } from './report.ts';
import { effectTexts } from './rule-words.ts';
import type { Remark } from './view.ts';
import { codeWords, opinionsText, sentence } from './words.ts';

/** A screen has room for so many exceptions, or for so many blocks of exceptions that are alike. */
export const mostBlocks = 25;

/** So many settlements of a block are named. */
const mostNamed = 3;

/** Settlements of one currency with the same findings and cause, and what their differences come to. */
export interface Alike {
  /** The largest difference first, whatever its sign. */
  readonly settlements: readonly ReconciledSettlement[];
  /** Absent if a difference is not known. */
  readonly net: Money | undefined;
  readonly absolute: Money | undefined;
  readonly said: readonly Remark[];
}

/** The difference that settlements are compared by: in the pay-in or, if none is computed, in the gross. */
function decisive({ difference }: ReconciledSettlement): bigint | undefined {
  return difference?.payIn ?? difference?.gross;
}

/** The largest difference first, whatever its sign; equal ones stay in their order. */
export function largestFirst<One>(
  all: readonly One[],
  settlementOf: (one: One) => ReconciledSettlement,
): readonly One[] {
  const sized = all.map((one) => {
    const settlement = settlementOf(one);
    return { one, size: sizeOf(decisive(settlement), settlement.scale) };
  });
  return sized.sort(bySize).map(({ one }) => one);
}

/** An amount without its sign, at the one scale at which all can be compared. */
function sizeOf(minor = 0n, scale: number): bigint {
  return rescale(magnitude(minor), scale, maxScale);
}

function bySize(a: { readonly size: bigint }, b: { readonly size: bigint }): number {
  return Number(a.size < b.size) - Number(a.size > b.size);
}

/** Puts settlements together that are alike; the block with the largest absolute difference first. */
export function alikeBlocks(
  settlements: readonly ReconciledSettlement[],
  causes: ReadonlyMap<string, string> | undefined,
): readonly Alike[] {
  const told = largestFirst(settlements, (one) => one).map((one) => {
    const cause = causes?.get(one.settlement.id);
    const said = settlementRemarks(one, cause, ({ code }) => codeWords[code]);
    return { one, said, key: JSON.stringify([one.settlement.currency, said]) };
  });
  const blocks = [...groupedBy(told, ({ key }) => key).values()].map((all) => {
    const differences = all.flatMap(({ one }) => {
      const minor = decisive(one);
      return minor === undefined ? [] : [{ ...one.settlement, minor, scale: one.scale }];
    });
    const [net] = moneySums(differences);
    const [absolute] = absoluteSums(differences);
    const block: Alike = {
      settlements: all.map(({ one }) => one),
      net,
      absolute,
      said: all[0]?.said ?? [],
    };
    return { block, size: sizeOf(absolute?.minor, absolute?.scale ?? 0) };
  });
  return blocks.sort(bySize).map(({ block }) => block);
}

/** `1,248 settlements: +12,480.00 EUR net, 12,480.00 EUR absolute`. */
export function alikeText({ settlements, net, absolute }: Alike): string {
  const sums =
    net &&
    absolute &&
    netAndAbsoluteText({ net: net.minor, absolute: absolute.minor }, net.currency, net.scale);
  return present(many(settlements.length, 'settlement'), sums).join(': ');
}

/** The largest settlements of a block, with their ids. */
export function largestOf({ settlements }: Alike, names: Names): readonly Remark[] {
  return settlements.slice(0, mostNamed).map((one) => {
    const { id, date, accountingToken: token, currency } = one.settlement;
    const minor = decisive(one);
    const off = minor !== undefined && signedMoneyText({ minor, scale: one.scale, currency });
    const what = present(`${date} ${id}`, names.get(token) ?? token, off).join(', ');
    return plain(settlements.length > 1 ? `largest: ${what}` : what, '>');
  });
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
