import { type BankMatch, type EntryShare, isPaid } from '../match/match.ts';
import type {
  Account,
  ClosedPayout,
  ClosedSettlement,
  CloseRecord,
  PayoutAtCutOff,
} from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, rescale, sumAt } from '../money/money.ts';
import type { Carried, ClosedPayIn } from './clearing.ts';

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
export function payoutsClosed(basis: Pick<Basis, 'closes'>): ReadonlyMap<string, ClosedPayout> {
  const { closes } = basis;
  return new Map(closes.flatMap(({ payouts }) => payouts.map((one) => [payoutKey(one), one])));
}

/** Settlements as the closes last knew them, by id. */
export function settlementsClosed(
  closes: readonly CloseRecord[],
): ReadonlyMap<string, ClosedSettlement> {
  return new Map(closes.flatMap(({ settlements }) => settlements.map((one) => [one.id, one])));
}

/**
 * Settlements with those that closes knew as settled and that are no longer settled or listed: these with a pay-in of
 * 0, so that the money received for them is found, and is over.
 */
export function withGone(
  listed: readonly Settlement[],
  closes: readonly CloseRecord[],
): readonly Settlement[] {
  const settled = new Set(listed.filter(isPaid).map(({ id }) => id));
  const gone = [...settlementsClosed(closes).values()].filter(
    (one) => !settled.has(one.id) && wasSettled(one),
  );
  const ids = new Set(gone.map(({ id }) => id));
  return [
    ...listed.filter(({ id }) => !ids.has(id)),
    ...gone.map(({ rows: _, ...one }) => ({ ...one, timestamp: one.date, ...nothingLeft })),
  ];
}

const nothingLeft = {
  merchantId: '',
  paymentService: '',
  status: 'settled',
  gross: 0n,
  fees: 0n,
  tax: 0n,
  payIn: 0n,
  transactions: 0,
};

/** Whether a close knew a settlement as settled, or as one that was settled before and was gone. */
function wasSettled(one: ClosedSettlement): boolean {
  return isPaid(one) || one.status === '';
}

/** The amounts in transit at the beginning, by accounting token and currency. */
export function openingAmounts({ closes, opening }: Basis): readonly OpeningAmount[] {
  const last = closes.at(-1);
  return last ? last.lines.map(({ closing: minor, ...line }) => ({ ...line, minor })) : opening;
}

/** What the closes carry forward; undefined if nothing was closed before. */
export function carriedFrom(basis: Pick<Basis, 'closes'> | undefined): Carried | undefined {
  const { closes = [] } = basis ?? {};
  const through = closes.at(-1)?.to;
  if (through === undefined) return undefined;
  const closed = payoutsClosed({ closes });
  const shared = bySettlement([...closed.values()].filter((one) => !isSingle(one)));
  const known = payInsClosed(closes);
  const first = closes[0]?.from ?? '';
  const decided = new Set(closes.flatMap((one) => one.decided).map(({ id }) => id.toLowerCase()));
  return {
    through,
    isReadAgain: readAgain(closed, through),
    of: ({ id }) => closed.get(id),
    isDecided: ({ id, date }) => date < first && decided.has(id.toLowerCase()),
    ofAll: (settlements) => settlements.map(({ id }) => shared.get(id)).find((one) => one),
    payInsOf: known,
  };
}

/** The pay-ins of a settlement at the closes since its day, in order; undefined where it was not settled yet. */
function payInsClosed(closes: readonly CloseRecord[]) {
  const seen = closes.map(({ to, settlements }) => {
    return { to, settlements: new Map(settlements.map((one) => [one.id, one])) };
  });
  const first = closes[0]?.from ?? '';
  return ({ id, date }: Settlement): readonly ClosedPayIn[] => {
    if (date < first) return [];
    let known: ClosedSettlement | undefined;
    const payIns: ClosedPayIn[] = [];
    for (const { to, settlements } of seen) {
      known = settlements.get(id) ?? known;
      if (to < date) continue;
      const { payIn, scale } = known ?? { payIn: 0n, scale: 0 };
      const isSettled = known !== undefined && wasSettled(known);
      payIns.push({ through: to, payIn: isSettled ? payIn : undefined, scale });
    }
    return payIns;
  };
}

function bySettlement(payouts: Iterable<PayoutAtCutOff>): ReadonlyMap<string, PayoutAtCutOff> {
  return new Map([...payouts].flatMap((one) => one.settlementIds.map((id) => [id, one] as const)));
}

/** Whether a pay-out is one settlement, not a shared amount of several or an opening amount. */
export function isSingle({ settlementIds }: PayoutAtCutOff): boolean {
  return settlementIds.length === 1;
}

/** Whether this run read all entries that the closes count as received. */
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
