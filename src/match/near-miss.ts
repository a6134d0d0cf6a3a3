import { daysOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { magnitude, rescale } from '../money/money.ts';
import type { BusinessDays } from './business-days.ts';
import type { BankMatch } from './match.ts';

/** An amount comes near another if it differs by at most the fiftieth part of it. */
const nearPart = 50n;

/**
 * A pay-out that is not on the statements or was returned, and an entry that is unknown, of nearly one amount, where
 * the entry came when the pay-out was due or soon after its return, on an account of its other pay-outs, and only these
 * two fit. Nothing is matched by it.
 */
export function nearMisses(
  matches: readonly BankMatch[],
  businessDays: BusinessDays,
): ReadonlyMap<BankMatch, BankMatch> {
  const accounts = new Set(
    matches.flatMap(({ settlements: [first], entries: [share] }) =>
      first && share ? `${first.settlement.accountingToken} ${share.entry.account}` : [],
    ),
  );
  const unknown = groupedBy(
    matches.filter(({ state }) => state === 'unknown_on_bank'),
    ({ entries: [share], currency }) => `${share?.entry.date} ${currency}`,
  );
  const fits = matches.flatMap((one) => {
    const [{ settlement } = { settlement: undefined }] = one.settlements;
    const isOpen = one.state === 'missing_on_bank' || one.state === 'returned';
    if (!isOpen || !settlement) return [];
    const { currency } = one;
    const [date = settlement.date] = one.entries
      .map(({ entry }) => entry.date)
      .sort()
      .reverse();
    const days = [...daysOf(businessDays.daysDue({ date, currency }))];
    return days
      .flatMap((day) => unknown.get(`${day} ${currency}`) ?? [])
      .filter((other) => {
        const account = `${settlement.accountingToken} ${other.entries[0]?.entry.account}`;
        return accounts.has(account) && isNear(one, other);
      })
      .map((other) => [one, other] as const);
  });
  const times = groupedBy(fits.flat(), (one) => one);
  const only = fits.filter((pair) => pair.every((one) => times.get(one)?.length === 1));
  return new Map(only.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
}

function isNear(payout: BankMatch, entry: BankMatch): boolean {
  const scale = Math.max(payout.scale, entry.scale);
  const expected = rescale(payout.expected, payout.scale, scale);
  const off = rescale(entry.received, entry.scale, scale) - expected;
  return magnitude(off) * nearPart <= magnitude(expected);
}
