import { dayAfter, lastOfMonth } from '../close/calendar.ts';
import { type Listed, sumsOf } from './company.ts';
import { type Payout, receivedOf, shops } from './year.ts';

/** Figures by account and currency, or by token and currency; zeros are left out. */
export type Sums = Readonly<Record<string, bigint>>;

/** Adds up by key, and leaves out what is zero. */
export function summed(parts: readonly (readonly [key: string, amount: number | bigint])[]): Sums {
  const held = new Map<string, bigint>();
  for (const [key, amount] of parts) held.set(key, (held.get(key) ?? 0n) + BigInt(amount));
  return Object.fromEntries([...held].filter(([, amount]) => amount !== 0n).sort());
}

/** As the figures of a close call it. */
export const lineOf = ({ token, currency }: Pick<Listed, 'token' | 'currency'>): string =>
  `${token?.name ?? ''} ${currency}`;

export const receivables = {
  purchase: 'assets:receivable',
  refund: 'revenues:refunds',
  adjustment: 'expenses:adjustments',
} as const;

const receivableOf = (type: string | undefined) =>
  type === 'refund' || type === 'adjustment' ? receivables[type] : receivables.purchase;

/** What accounts of result, tax and receivables hold: the rows, as the service lists them. */
export function rowsSay(listed: readonly Listed[], until: string): Sums {
  return summed(
    listed
      .filter(({ day, isPending }) => !isPending && day <= until)
      .flatMap(({ rows, currency }) =>
        rows.flatMap(({ a, f, t, type }) => [
          [`expenses:fees ${currency}`, f] as const,
          [`assets:tax ${currency}`, t] as const,
          [`${receivableOf(type)} ${currency}`, -a] as const,
        ]),
      ),
  );
}

/** What the service paid on the bank accounts up to a day. */
export function bankSays(payouts: readonly Payout[], until: string): Sums {
  return summed(
    payouts.map((one) => [`assets:bank ${one.shop.currency}`, receivedOf(one, until)] as const),
  );
}

/** What a close knows of a settlement: a text that is equal only if nothing has changed. */
const contentsOf = ({ rows, isPending }: Listed) => JSON.stringify([rows, isPending]);

/** The same with the kinds of receivables as one. */
export const withoutTypes = (sums: Sums): Sums =>
  summed(
    Object.entries(sums).map(([key, amount]) => {
      const kind = Object.values(receivables).find((account) => key.startsWith(`${account} `));
      return [kind ? `receivables ${key.slice(-3)}` : key, amount] as const;
    }),
  );

/** The service's list at a close. */
export type Snapshot = ReadonlyMap<string, Listed>;

export const snapshotOf = (listed: readonly Listed[], until: string): Snapshot =>
  new Map(listed.filter(({ day }) => day <= until).map((one) => [one.id, one]));

interface Change {
  readonly id: string;
  readonly reason: string;
  readonly difference: number;
  readonly gross: number;
  readonly fees: number;
  readonly tax: number;
  readonly line: string;
}

/** What has changed since a close, of the days that it closed. */
export function changesSince(then: Snapshot, now: Snapshot): readonly Change[] {
  const ids = [...new Set([...then.keys(), ...now.keys()])].sort();
  return ids.flatMap((id): readonly Change[] => {
    const [before, after] = [then.get(id), now.get(id)];
    const any = after ?? before;
    if (!any || (before && after && contentsOf(before) === contentsOf(after))) return [];
    const [had, has] = [before, after].map((one) => (one && !one.isPending ? one : { rows: [] }));
    if (!had || !has || (!had.rows.length && !has.rows.length)) return [];
    const [old, fresh] = [sumsOf(had), sumsOf(has)];
    const reason = !had.rows.length ? 'late' : has.rows.length ? 'restated' : 'gone';
    return [
      {
        ...{ id, reason, line: lineOf(any), difference: fresh.payIn - old.payIn },
        ...{
          gross: fresh.gross - old.gross,
          fees: fresh.fees - old.fees,
          tax: fresh.tax - old.tax,
        },
      },
    ];
  });
}

/** What the settlements of a month come to, by token and currency. */
export function monthSays(listed: readonly Listed[], month: string) {
  const own = listed.filter(({ day, isPending }) => !isPending && day.startsWith(month));
  const of = (figure: 'gross' | 'fees' | 'tax' | 'payIn') =>
    summed(own.map((one) => [lineOf(one), sumsOf(one)[figure]] as const));
  return { gross: of('gross'), fees: of('fees'), tax: of('tax'), settled: of('payIn') };
}

/** What arrived in a month for settlements that are listed as settled. */
export function monthReceived(
  payouts: readonly Payout[],
  listed: readonly Listed[],
  month: string,
): Sums {
  const settled = new Map(listed.filter((one) => !one.isPending).map((one) => [one.id, one]));
  return summed(
    payouts.flatMap(({ id, entries }) => {
      const one = settled.get(id);
      return one
        ? entries
            .filter(({ day }) => day.startsWith(month))
            .map(({ amount }) => [lineOf(one), amount] as const)
        : [];
    }),
  );
}

/**
 * What is in transit by token and currency, where it can only be one thing: of each settlement
 * either nothing has arrived, or exactly its pay-in, and nothing has arrived for one that is gone.
 */
export function transitSays(
  payouts: readonly Payout[],
  listed: readonly Listed[],
  until: string,
): ReadonlyMap<string, bigint> {
  const settled = new Map(listed.filter((one) => !one.isPending).map((one) => [one.id, one]));
  const found = new Map<string, bigint>();
  for (const shop of shops) {
    const own = payouts.filter((one) => one.shop === shop && one.day <= until);
    let open = 0;
    let isPlain = true;
    for (const one of own) {
      const received = receivedOf(one, until);
      const listedNow = settled.get(one.id);
      const payIn = listedNow ? sumsOf(listedNow).payIn : 0;
      // What came and went back is plain only at the end: in between, a decision may be open.
      isPlain &&= received === 0 || received === payIn;
      open += payIn - received;
    }
    if (isPlain) found.set(lineOf(shop), BigInt(open));
  }
  return found;
}

/**
 * Whether nothing needs a decision: what is settled has arrived exactly, or is of the last days and
 * has not arrived at all; nothing has arrived for what isn't listed; nothing is pending.
 */
export function isInOrder(
  payouts: readonly Payout[],
  listed: readonly Listed[],
  until: string,
): boolean {
  const known = new Map(listed.map((one) => [one.id, one]));
  return payouts
    .filter(({ day }) => day <= until)
    .every((one) => {
      const now = known.get(one.id);
      const received = receivedOf(one, until);
      if (!now) return one.entries.every(({ day }) => day > until);
      if (now.isPending) return false;
      const isRecent = one.day > dayAfter(until, -5);
      return received === sumsOf(now).payIn || (isRecent && received === 0);
    });
}

/** Currencies of which every token is plain: nothing stands on suspense. */
export function plainCurrencies(transit: ReadonlyMap<string, bigint>): readonly string[] {
  const currencies = [...new Set(shops.map(({ currency }) => currency))];
  return currencies.filter((currency) =>
    shops.every((shop) => shop.currency !== currency || transit.has(lineOf(shop))),
  );
}

export const endOf = lastOfMonth;
