import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepBooks, pending, settlement } from './book-keeping.ts';
import { purchases } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** The sums of a plain-text journal, by account and currency. */
function _balancesOf(text: string): Readonly<Record<string, string>> {
  const sums = new Map<string, bigint>();
  for (const [, account = '', amount = '', currency = ''] of text.matchAll(
    /^ {4}(\S.*?) {2,}(-?[\d.]+) ([A-Z]{3})(?: {2};.*)?$/gm,
  )) {
    const key = `${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount.replace('.', '')));
  }
  return Object.fromEntries([...sums].map(([key, sum]) => [key, String(sum)]));
}

const through = ['--closed-through', '2026-03-31'];

describe('what belongs to closed days', () => {
  const restated = settlement(2, { rows: purchases(4) });
  const late = [restated, settlement(3), settlement(4)];
  const first = [settlement(2), settlement(3), settlement(4, pending)];

  test('is posted on the first day after them, and its own day is named', async () => {
    const books = await keepBooks('hledger', first);
    await books.book();
    await books.becomes(late);
    const { stderr } = await books.book(...through);
    expect(stderr).toContain('Posted on 2026-04-01: 3 entries of earlier days');
    const text = books.text(2);
    expect(text.match(/^2026-\S+ /gm)).toEqual(Array(4).fill('2026-04-01 '));
    expect(text.match(/; settlementDate: 2026-03-02$/gm)).toHaveLength(2);
    expect(text.match(/; settlementDate: 2026-03-04$/gm)).toHaveLength(1);
    expect(text).not.toMatch(/; date:/);
    expect(text).toContain(', of 2026-03-04, posted on 2026-04-01 because March 2026 is closed\n');
    expect(text).toContain('; Posted on 2026-04-01: 3 entries of earlier days');
  });

  test('is posted once, even if the closed days change later', async () => {
    const books = await keepBooks('hledger', first);
    await books.book();
    await books.becomes(late);
    await books.book(...through);
    for (const wall of [through, [], ['--closed-through', '2026-04-30']]) {
      expect((await books.book(...wall)).stderr).toContain('Nothing new to book.');
    }
    // Restated again: what is reversed keeps its first day, and only says where it is posted now.
    await books.becomes([settlement(2, { rows: purchases(5) }), ...late.slice(1)]);
    await books.book('--closed-through', '2026-04-30');
    const text = books.text(3);
    expect(text.match(/^2026-05-01 \* (?!\(BATCH)/gm)).toHaveLength(2);
    expect(text.match(/; settlementDate: 2026-03-02$/gm)).toHaveLength(2);
    expect(text).not.toContain('posted on 2026-04-01');
  });

  test.each(['hledger', 'ledger', 'beancount', 'datev', 'csv'] as const)(
    'has both days in %s, and the batch can be printed again',
    async (format) => {
      const books = await keepBooks(format, first);
      await books.book();
      await books.becomes(late);
      await books.book(...through);
      const text = books.text(2);
      const both = {
        hledger: /^2026-04-01 \* [^\n]+\n(?: {4};[^\n]*\n)* {4}; settlementDate: 2026-03-04$/m,
        ledger: /^tag settlementDate$/m,
        beancount: /^2026-04-01 \* [^\n]+\n(?: {2}\w+: [^\n]*\n)* {2}settlement_date: 2026-03-04$/m,
        datev: /;0104;.*;04032026;/,
        csv: /,2026-04-01,.*,2026-03-04\r?$/m,
      };
      expect(text).toMatch(both[format]);
      for (const number of [1, 2]) {
        const again = ['--booked', books.register, '--batch', `${number}`];
        expect((await books.run('journal', ...again)).stdout).toBe(books.text(number));
      }
    },
  );

  test('of one year is posted in the file of the next', async () => {
    const december = settlement(2, { date: '2025-12-30' });
    const books = await keepBooks('datev', [december]);
    const asked = ['--closed-through', '2025-12-31', '--from', '2025-12-01', '--to', '2025-12-31'];
    const output = join(await temporaryFolder(), 'EXTF_1.csv');
    const { exitCode } = await books.run(
      ...['journal', '--for', 'datev', '--fail-on', 'none', '--booked', books.register],
      ...['--new-register', '--output', output, ...asked],
    );
    expect(exitCode).toBe(0);
    const text = await readFile(output, 'latin1');
    expect(text.split('\r\n')[0]).toContain(';20260101;4;20260101;20260101;');
    expect(text).toMatch(/;0101;.*;30122025;/);
  });
});
