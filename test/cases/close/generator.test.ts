import { describe, expect, test } from 'vitest';
import type { BankReport } from '../../bank/bank-report.ts';
import { dayAfter, daysBetween, dueDay, lastOfMonth } from './calendar.ts';
import { openMerchant } from './merchant.ts';
import { Oracle } from './oracle.ts';
import { replay } from './replay.ts';
import { seeds } from './seeds.ts';
import { type Known, knownAt, makeYear, stories, sum, tokens, type Year } from './year.ts';

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

  test('the roll-forward and the bridge add up, month by month', () => {
    for (const known of views(year)) {
      const oracle = new Oracle(known);
      const held = replay(known, year.from, year.to);
      let before = dayAfter(year.from, -1);
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
          const moved = (account: string) =>
            (held.get(to)?.get(`${account} ${currency}`) ?? 0n) -
            (held.get(before)?.get(`${account} ${currency}`) ?? 0n);
          expect(movement - unrelated).toBe(moved('bank'));
          expect(-bankCharges).toBe(moved('bank_fees'));
        }
        before = to;
      }
    }
  });

  test('suspense is what is over, short, unknown, out of balance or in another currency', () => {
    for (const known of views(year)) {
      const oracle = new Oracle(known);
      const held = replay(known, year.from, year.to);
      const before = dayAfter(year.from, -1);
      for (const to of cutOffs(year)) {
        for (const currency of currencies) {
          const lines = tokens
            .filter((token) => token.currency === currency)
            .map((token) => oracle.rollForward(token, before, to));
          const of = (field: 'payInDifference' | 'over' | 'short') =>
            sum(lines.map((line) => line[field]));
          const { suspense } = oracle.bridge(currency, before, to);
          expect(
            of('short') -
              of('payInDifference') -
              of('over') -
              suspense +
              early(known, to, currency),
          ).toBe(held.get(to)?.get(`suspense ${currency}`) ?? 0n);
        }
      }
    }
  });

  test('each entry balances in its currency', () => {
    for (const known of views(year)) {
      for (const held of replay(known, year.from, year.to).values()) {
        const sums = new Map<string, bigint>();
        for (const [account, amount] of held) {
          const currency = account.split(' ')[1] ?? '';
          sums.set(currency, (sums.get(currency) ?? 0n) + amount);
        }
        expect([...sums.values()].filter((amount) => amount !== 0n)).toEqual([]);
      }
    }
  });

  test('the order of receipts and returns between due days leaves the same in transit', () => {
    const known = knownAt(year, dayAfter(year.to, 60));
    const oracle = new Oracle(known);
    const to = dayAfter(year.to, 60);
    for (const seen of known.settled) {
      const { payout } = seen;
      const due = dueDay(payout.day, payout.token.currency);
      const own = known.lines.filter(
        ({ parts }) => parts.length === 1 && parts[0]?.payout === payout,
      );
      const later = own.filter(({ day }) => day > due);
      // Those after the last due day change places; stated charges stay where they are.
      const days = later.map(({ day }) => day).reverse();
      const turned = later.map((line, index) => ({ ...line, day: days[index] ?? line.day }));
      const others = known.lines.filter((line) => !later.includes(line));
      if (later.length < 2 || own.some(({ charge }) => charge > 0n)) continue;
      const lines = [...others, ...turned].sort((a, b) => (a.day < b.day ? -1 : 1));
      const other = new Oracle({ ...known, lines });
      expect(other.standing(seen, to)).toEqual(oracle.standing(seen, to));
    }
  });

  test('later statements change no day before them', () => {
    const settledOnly = {
      ...year,
      payouts: year.payouts.filter(({ known, day, restated }) => known === day && !restated),
    };
    const until = `${year.year}-06-30`;
    const last = dayAfter(year.to, 60);
    const late = replay(
      { ...knownAt(settledOnly, last), settled: knownAt(settledOnly, last).settled },
      year.from,
      until,
    );
    const then = replay(knownAt(settledOnly, until), year.from, until);
    expect(
      daysBetween(year.from, until).filter((day) => !isSame(then.get(day), late.get(day))),
    ).toEqual([]);
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

function isSame(one: ReadonlyMap<string, bigint> = new Map(), other = one): boolean {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].every((key) => (one.get(key) ?? 0n) === (other.get(key) ?? 0n));
}
