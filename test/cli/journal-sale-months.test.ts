import { writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { journalFormats } from '../../src/books/example-mapping.ts';
import { runRecon } from '../support/run-recon.ts';
import { keepBooks, settlement } from './book-keeping.ts';

const sandbox = ['journal', '--sandbox', '--month', '2026-03', '--fail-on', 'none'];

/** By day, account and currency, what the records of a journal add up to; without zeros. */
function sumsIn(stdout: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of parse(stdout, { columns: true }) as Record<string, string>[]) {
    const key = `${one['date']} ${one['account']} ${one['currency']}`;
    sums[key] = (sums[key] ?? 0) + Number(`${one['debit'] || 0}`) - Number(`${one['credit'] || 0}`);
  }
  return sums;
}

describe('recon journal --by-sale-month', () => {
  it('accrues what was sold in February until it is settled in March, in both currencies', async () => {
    const { stdout, stderr } = await runRecon([...sandbox, '--for', 'csv', '--by-sale-month']);
    // Web shop and Japan, by CLOSING: nothing was before the sandbox's first day.
    const accrued = Object.entries(sumsIn(stdout)).filter(([key]) => key.includes('Accrued'));
    expect(Object.fromEntries(accrued)).toEqual({
      '2026-03-01 Accrued sales EUR': 4279.5,
      '2026-03-01 Accrued sales JPY': 209_163,
      '2026-03-02 Accrued sales EUR': -4279.5,
      '2026-03-02 Accrued sales JPY': -209_163,
    });
    expect(stderr).toContain('Settled of what was accrued: 4,279.50 EUR and 209,163 JPY.');
    expect(stderr).toContain('Settlements until 2026-04-01 are read for what was sold before.');
    expect(stderr).toContain('gross 125,815.37');
  });

  it.each(journalFormats)('is written for %s', async (format) => {
    const days = ['--from', '2026-03-01', '--to', '2026-03-02', '--currency', 'EUR'];
    const args = ['journal', '--sandbox', ...days, '--for', format, '--by-sale-month'];
    for (const more of [[], ['--per', 'day'], ['--detail']]) {
      const { stdout, exitCode, stderr } = await runRecon([...args, ...more]);
      expect(exitCode, stderr).toBe(0);
      expect(stdout).toMatch(/1500|accrued ?sales|610400/i);
      expect(stdout).toContain('Sold in February 2026');
    }
  });

  it('books the month of a sale by the time zone, with refunds, and without a day in that of its settlement', async () => {
    const rows = [
      ['purchase', 1000, 20, 4, { timestamp: '2026-02-28T23:30:00Z' }],
      ['purchase', 300, 0, 0, { timestamp: '2026-02-28T22:30:00Z' }],
      ['refund', -100, 0, 0, { timestamp: '2026-02-10T08:00:00Z' }],
      ['purchase', 50, 0, 0, { timestamp: '' }],
      ['purchase', 7, 0, 0, { timestamp: '2026-04-01T08:00:00Z' }],
      ['purchase', 9, 0, 0, { timestamp: '2026-01-31T08:00:00Z' }],
    ] as const;
    const books = await keepBooks('csv', [settlement(2, { rows: [...rows] })]);
    const args = ['journal', '--month', '2026-03', '--for', 'csv', '--by-sale-month'];
    const whole = ['journal', '--from', '2026-01-01', ...['--to', '2026-03-31', ...args.slice(3)]];
    writeFileSync(books.config, '[profiles.madrid]\ntime_zone = "Europe/Madrid"\n');
    const { stdout } = await books.run(...whole);
    expect(sumsIn(stdout)).toMatchObject({
      '2026-01-31 Accrued sales EUR': 0.09,
      '2026-02-28 Accrued sales EUR': 12,
      '2026-03-02 Accrued sales EUR': -12.09,
      '2026-03-02 Payments receivable EUR': -0.57,
    });
    const madrid = await books.run(...whole, '--config', books.config, '--profile', 'madrid');
    expect(sumsIn(madrid.stdout)).toMatchObject({ '2026-02-28 Accrued sales EUR': 2 });
    // Alone, a month of which the beginning of the books is not known has no accrual of an earlier one.
    const alone = await books.run(...args);
    expect(sumsIn(alone.stdout)).toMatchObject({ '2026-03-02 Accrued sales EUR': -12.09 });
    const february = await books.run('journal', '--month', '2026-02', ...args.slice(3));
    expect(sumsIn(february.stdout)).toEqual({
      '2026-02-28 Accrued sales EUR': 12,
      '2026-02-28 Payments receivable EUR': -12,
    });
  });

  it('is a setting of a register, which is not changed', async () => {
    const books = await keepBooks('hledger', [settlement(2)]);
    await books.book('--by-sale-month');
    const { exitCode, stderr } = await books.book();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('by_sale_month was true, now not set');
  });
});
