import { type BankMatch, type EntryShare, isExplained } from '../match/match.ts';
import type { Account, CloseRecord, PayoutAtCutOff } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, rescale, sumAt } from '../money/money.ts';
import type { Carried, CarriedFigures } from './clearing.ts';

/** The amount in transit when the books begin. */
export interface OpeningAmount extends Account {
  readonly minor: bigint;
}

/** The basis of a roll-forward. */
export interface Basis {
  /** The day before the books begin, or the last day that was closed. */
  readonly through: string;
  readonly opening: readonly OpeningAmount[];
  /** The closes in force, in order; none before the first one. */
  readonly closes: readonly CloseRecord[];
}

/** Pay-outs as the closes left them, by key. */
export function payoutsClosed(basis: Pick<Basis, 'closes'>): ReadonlyMap<string, PayoutAtCutOff> {
  const { closes } = basis;
  return new Map(closes.flatMap(({ payouts }) => payouts.map((one) => [payoutKey(one), one])));
}

/** The amounts in transit at the beginning, by accounting token and currency. */
export function openingAmounts({ closes, opening }: Basis): readonly OpeningAmount[] {
  const last = closes.at(-1);
  return last ? last.lines.map(({ closing: minor, ...line }) => ({ ...line, minor })) : opening;
}

/** What the closes carry forward; undefined if nothing was closed before. */
export function carriedFrom(
  basis: Basis | undefined,
  matches: readonly BankMatch[],
): Carried | undefined {
  if (!basis || basis.closes.length === 0) return undefined;
  const { through } = basis;
  const closed = payoutsClosed(basis);
  const shared = bySettlement([...closed.values()].filter((one) => !isSingle(one)));
  const receivedEarly = earlyReceipts(matches, through);
  return {
    through,
    isReadAgain: readAgain(closed, through),
    of: ({ id }) => closed.get(id) ?? receivedEarly(id),
    ofAll: (settlements) => settlements.map(({ id }) => shared.get(id)).find((one) => one),
  };
}

function bySettlement(payouts: Iterable<PayoutAtCutOff>): ReadonlyMap<string, PayoutAtCutOff> {
  return new Map([...payouts].flatMap((one) => one.settlementIds.map((id) => [id, one] as const)));
}

/** Whether a pay-out is one settlement, not a shared amount of several or an opening amount. */
export function isSingle({ settlementIds }: PayoutAtCutOff): boolean {
  return settlementIds.length === 1;
}

/**
 * Whether this run read all entries that the closes count as received. If so, short and over are computed
 * from the present pay-in, which may be restated.
 */
function readAgain(closed: ReadonlyMap<string, PayoutAtCutOff>, through: string) {
  const payoutOf = bySettlement(closed.values());
  return ({ settlements, entries, scale, difference }: BankMatch): boolean => {
    const ids = new Set(settlements.map(({ settlement }) => settlement.id));
    const payouts = new Set([...ids].map((id) => payoutOf.get(id)));
    const read = entries.filter(({ entry }) => entry.status === 'booked' && entry.date <= through);
    if (payouts.has(undefined) || difference === undefined || read.length === 0) return false;
    const recorded = [...payouts].flatMap((one) => one ?? []);
    return (
      recorded.every((one) => one.settlementIds.every((id) => ids.has(id))) &&
      rescale(sumOf(read), scale, maxScale) ===
        sumAt(maxScale, recorded, ({ received }) => received)
    );
  };
}

function sumOf(entries: readonly EntryShare[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}

/** What the bank received by a day for settlements that are not in the closes: it is on suspense. */
function earlyReceipts(matches: readonly BankMatch[], through: string) {
  const matchOf = new Map(
    matches
      .filter((match) => match.settlements.length === 1 && isExplained(match))
      .map((match) => [match.settlements[0]?.settlement.id, match]),
  );
  return (id: string): CarriedFigures | undefined => {
    const { entries = [], scale = 0 } = matchOf.get(id) ?? {};
    const early = entries.filter(({ entry }) => entry.date <= through);
    const received = sumOf(early);
    return received === 0n ? undefined : { scale, received, charges: 0n, short: 0n };
  };
}

/** Whether a settlement is in the books. Older ones are part of the opening amount in transit. */
export function isKnown({ closes, through }: Basis, { date }: Settlement): boolean {
  return date > through || date >= (closes[0]?.from ?? '9999');
}

/** The settlements of a pay-out, or the account of an opening amount. */
export function payoutKey(
  one: Pick<PayoutAtCutOff, 'settlementIds' | 'accountingToken' | 'currency'>,
): string {
  const { settlementIds, accountingToken, currency } = one;
  return settlementIds.join(' ') || JSON.stringify([accountingToken, currency]);
}
