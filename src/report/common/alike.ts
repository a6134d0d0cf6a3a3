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
import { present, signedMoneyText } from './phrase.ts';
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

/** Orders settlements by their differences, the largest first, whatever its sign. */
export function byDifference(a: ReconciledSettlement, b: ReconciledSettlement): number {
  return bySize({ ...a, minor: decisive(a) }, { ...b, minor: decisive(b) });
}

type Size = Pick<Money, 'scale'> & { readonly minor: bigint | undefined };

function bySize(a: Size, b: Size): number {
  const [one = 0n, other = 0n] = [a, b].map(({ minor = 0n, scale }) =>
    rescale(magnitude(minor), scale, maxScale),
  );
  return Number(one < other) - Number(one > other);
}

/** Puts settlements together that are alike; the block with the largest absolute difference first. */
export function alikeBlocks(
  settlements: readonly ReconciledSettlement[],
  causes?: ReadonlyMap<string, string>,
): readonly Alike[] {
  const told = [...settlements].sort(byDifference).map((one) => {
    const cause = causes?.get(one.settlement.id);
    const said = settlementRemarks(one, cause, ({ code }) => codeWords[code]);
    return { one, said, key: JSON.stringify([one.settlement.currency, said]) };
  });
  const blocks = [...groupedBy(told, ({ key }) => key).values()].map((all): Alike => {
    const differences = all.flatMap(({ one: { settlement, scale }, one }) => {
      const minor = decisive(one);
      return minor === undefined ? [] : { ...settlement, scale, minor };
    });
    const [net, absolute] = [moneySums(differences)[0], absoluteSums(differences)[0]];
    return { settlements: all.map(({ one }) => one), net, absolute, said: all[0]?.said ?? [] };
  });
  const none = { minor: 0n, scale: 0 };
  return blocks.sort((a, b) => bySize(a.absolute ?? none, b.absolute ?? none));
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
