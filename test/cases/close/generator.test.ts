import { describe, expect, test } from 'vitest';
import type { BankReport } from '../../bank/bank-report.ts';
import { withoutZeros } from './adapter.ts';
import { dayAfter, daysBetween, dueDay, lastOfMonth } from './calendar.ts';
import { openMerchant } from './merchant.ts';
import { Oracle } from './oracle.ts';
import { replay } from './replay.ts';
import { seeds } from './seeds.ts';
import {
  type Known,
  knownAt,
  makeYear,
  type Payout,
  stories,
  sum,
  tokens,
  type Year,
} from './year.ts';

const months = Array.from({ length: 12 }, (_, n) => String(n + 1).padStart(2, '0'));
const cutOffs = ({ year }: Year) => months.map((month) => lastOfMonth(`${year}-${month}`));
const currencies = [...new Set(tokens.map(({ currency }) => currency))];

/** What is known at different times: in the middle of the year, and after it. */
function views(year: Year): readonly Known[] {
  return [`${year.year}-05-06`, `${year.year}-09-30`, dayAfter(year.to, 60)].map((day) =>
    knownAt(year, day),
  );
}

describe.each(seeds)('a made year: seed %i', (seed) => {
  const year = makeYear(seed);

  test('has each story', () => {
    const told = (name: string) => year.payouts.filter(({ story }) => story === name).length;
    const expected = [...Object.keys(stories), 'shared'];
    expect(expected.filter((name) => told(name) < 2)).toEqual([]);
    const kinds = ['unknown', 'unrelated'].map(
      (wanted) => year.lines.filter(({ kind }) => kind === wanted).length,
    );
    expect(Math.min(...kinds)).toBeGreaterThan(10);
  });

  test('in transit by definition is in transit by replay, on every day', () => {
    for (const known of views(year)) {
      const oracle = new Oracle(known);
      const held = replay(known, year.from, dayAfter(year.to, 60));
      for (const [day, accounts] of held) {
        // All definitions on each day would take minutes.
        if (Number(day.slice(8)) % 4 !== seed % 4 && !day.endsWith('31')) continue;
        for (const token of tokens) {
          const booked = accounts.get(`in_transit ${token.currency} ${token.name}`) ?? 0n;
          expect(`${day} ${oracle.closing(token, day)}`).toBe(`${day} ${booked}`);
        }
      }
    }
  });

  test('month by month, the definitions add up to what the replay holds', () => {
    for (const known of views(year)) {
      const oracle = new Oracle(known);
      const held = replay(known, year.from, year.to);
      const start = dayAfter(year.from, -1);
      let before = start;
      for (const to of cutOffs(year)) {
        for (const token of tokens) {
          const line = oracle.rollForward(token, before, to);
          const { opening, settled, received, bankCharges, over, short, closing } = line;
          expect(opening + settled - received - bankCharges + over - short).toBe(closing);
          expect(line.gross - line.fees - line.tax + line.payInDifference).toBe(settled);
        }
        for (const currency of currencies) {
          const { movement, ...parts } = oracle.bridge(currency, before, to);
          const { cleared, over, bankCharges, suspense, unrelated } = parts;
          expect(cleared + over + bankCharges + suspense + unrelated).toBe(movement);
          const at = (day: string, account: string) =>
            held.get(day)?.get(`${account} ${currency}`) ?? 0n;
          expect(movement - unrelated).toBe(at(to, 'bank') - at(before, 'bank'));
          expect(-bankCharges).toBe(at(to, 'bank_fees') - at(before, 'bank_fees'));
          // On suspense: what is short, over, out of balance or unknown, from the beginning on.
          const own = tokens.filter((token) => token.currency === currency);
          const off = own.map((token) => {
            const line = oracle.rollForward(token, start, to);
            return line.short - line.over - line.payInDifference;
          });
          const unknown = oracle.bridge(currency, start, to).suspense - early(known, to, currency);
          expect(sum(off) - unknown).toBe(at(to, 'suspense'));
        }
        before = to;
      }
    }
  });

  test('the replay balances in each currency, whatever the order of receipts and returns', () => {
    const last = dayAfter(year.to, 60);
    const known = knownAt(year, last);
    for (const currency of [...currencies, 'USD']) {
      const held = [...(replay(known, year.from, last).get(last) ?? [])];
      const own = held.filter(([account]) => account.split(' ')[1] === currency);
      expect(sum(own.map(([, amount]) => amount))).toBe(0n);
    }
    for (const seen of known.settled) {
      const { day, token } = seen.payout;
      const own = known.lines.filter(
        ({ parts, charge }) =>
          parts.length === 1 && parts[0]?.payout === seen.payout && charge === 0n,
      );
      // Those after the last due day change places.
      const late = own.filter((line) => line.day > dueDay(day, token.currency));
      const turned = own.map((line) => {
        const other = late[late.length - 1 - late.indexOf(line)];
        return late.includes(line) && other ? { ...line, day: other.day } : line;
      });
      const left = (lines: Known['lines']) => {
        const to = dayAfter(day, 60);
        return withoutZeros(replay({ ...known, settled: [seen], lines }, day, to).get(to));
      };
      if (late.length > 1) expect(left(turned)).toEqual(left(own));
    }
  });

  test('later statements change no day before them', () => {
    const isSteady = ({ known, day, restated }: Payout) => known === day && !restated;
    const steady = { ...year, payouts: year.payouts.filter(isSteady) };
    const until = `${year.year}-06-30`;
    const [then, later] = [until, dayAfter(year.to, 60)].map((evening) =>
      replay(knownAt(steady, evening), year.from, until),
    );
    for (const day of daysBetween(year.from, until)) {
      expect(withoutZeros(then?.get(day))).toEqual(withoutZeros(later?.get(day)));
    }
  });

  test('the bank and the service say what the year says', async () => {
    const merchant = await openMerchant(year);
    const known = await merchant.becomes(`${year.year}-04-20`);
    const args = ['--from', year.from, '--to', known.until, '--format', 'json'];
    const { stdout } = await merchant.run(['bank', merchant.statements, ...args]);
    const { statementFindings, statements, matches } = JSON.parse(stdout) as BankReport;
    expect(statementFindings).toEqual([]);
    expect(statements.every(({ checked }) => checked)).toBe(true);
    // Camt divides an entry of two pay-outs.
    const entries = known.lines.flatMap(({ kind, parts }) =>
      kind === 'unrelated' ? [] : known.format === 'camt' && parts.length > 1 ? [1, 2] : [1],
    );
    expect(matches.flatMap((match) => match.entries)).toHaveLength(entries.length);
    const expected = known.settled.map(({ payout }) => payout.id).sort();
    const pending = known.pending.map(({ payout }) => payout.id);
    const found = matches.flatMap(({ settlements }) => settlements.map(({ id }) => id));
    expect(found.filter((id) => !pending.includes(id)).sort()).toEqual(expected);
  });
});

/** Moved from suspense to in transit by a cut-off: entries from before the date of their settlement. */
function early({ settled, lines }: Known, to: string, currency: string): bigint {
  const ids = new Set(settled.map(({ payout }) => payout.id));
  const moved = lines
    .filter((line) => line.currency === currency)
    .flatMap((line) => line.parts.map((part) => ({ ...part, booked: line.day })))
    .filter(({ payout, booked }) => ids.has(payout.id) && booked < payout.day && payout.day <= to);
  return sum(moved.map(({ amount }) => amount));
}
