import { groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import { magnitude, rescale } from '../money/money.ts';
import type { BankMatch, BankState, BankTotal, StateTotal } from './match.ts';

/** The totals of matches by accounting token and currency. */
export function bankTotalsOf(matches: readonly BankMatch[]): readonly BankTotal[] {
  const totals = new Map<string, BankTotal & { readonly states: Map<BankState, StateTotal> }>();
  const scales = new Map<string, number>();
  const keyOf = ({ token, match }: Part) => `${token}\n${match.currency}`;
  for (const match of matches) {
    for (const part of partsOf(match)) {
      scales.set(keyOf(part), Math.max(match.scale, scales.get(keyOf(part)) ?? 0));
    }
  }
  for (const match of matches) {
    for (const part of partsOf(match)) {
      const [key, { currency, state }] = [keyOf(part), match];
      const whose = { accountingToken: part.token, currency, scale: scales.get(key) ?? 0 };
      const total = totals.get(key) ?? { ...whose, states: new Map<BankState, StateTotal>() };
      totals.set(key, total);
      total.states.set(state, addTo(total.states.get(state) ?? nothing, part, total.scale));
    }
  }
  return [...totals.values()].sort(
    inOrderOf(({ accountingToken, currency }) => [accountingToken, currency]),
  );
}

/** The share of an accounting token in a match; amounts at the scale of the match. */
interface Part {
  readonly token: string;
  readonly match: BankMatch;
  readonly settlements: number;
  readonly entries: number;
  readonly expected: bigint;
  readonly received: bigint;
}

/**
 * A match of several tokens counts for each with its pay-ins; entries and differences belong to none of them. If all
 * of it went back, each has received nothing, and the first one has the entries.
 */
function partsOf(match: BankMatch): readonly Part[] {
  const { settlements, entries, expected, received, scale } = match;
  const counts = { entries: entries.length, expected, received };
  if (settlements.length === 0) return [{ token: '', match, settlements: 0, ...counts }];
  const byToken = groupedBy(settlements, ({ settlement }) => settlement.accountingToken);
  const [token = ''] = byToken.keys();
  if (byToken.size <= 1) return [{ token, match, settlements: settlements.length, ...counts }];
  const isBack = expected !== 0n && match.difference === -expected;
  const parts = [...byToken].map(([token, those], at): Part => {
    const due = those.reduce(
      (sum, { settlement }) => sum + rescale(settlement.payIn, settlement.scale, scale),
      0n,
    );
    const isPaid = match.difference !== undefined && !isBack;
    const money = { expected: due, received: isPaid ? due : 0n };
    const own = isBack && at === 0 ? entries.length : 0;
    return { token, match, settlements: those.length, entries: own, ...money };
  });
  if (isBack) return parts;
  const rest = { entries: entries.length, expected: 0n, received: match.difference ?? 0n };
  return [...parts, { token: '', match, settlements: 0, ...rest }];
}

const nothing: StateTotal = {
  settlements: 0,
  entries: 0,
  expected: 0n,
  received: 0n,
  difference: { net: 0n, absolute: 0n },
};

function addTo(total: StateTotal, part: Part, scale: number): StateTotal {
  const { match } = part;
  const expected = rescale(part.expected, match.scale, scale);
  const received = rescale(part.received, match.scale, scale);
  const difference = match.difference === undefined ? 0n : received - expected;
  return {
    settlements: total.settlements + part.settlements,
    entries: total.entries + part.entries,
    expected: total.expected + expected,
    received: total.received + received,
    difference: {
      net: total.difference.net + difference,
      absolute: total.difference.absolute + magnitude(difference),
    },
  };
}
