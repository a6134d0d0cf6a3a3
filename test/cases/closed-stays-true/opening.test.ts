import { expect, test } from 'vitest';
import { euros, listed, profile, write, yens } from '../bank-confirmed/csv-bank.ts';
import { abroad, openCompany, web } from './company.ts';
import { forcing } from './words.ts';

const [settings, tables] = profile();
const opening = [
  '[profiles.main.books_from]',
  'day = "2026-03-01"',
  `opening.${web.id}.EUR = "94.36"`,
  `opening.${abroad.id}.JPY = "5000"`,
];

const older = listed('a', '2026-02-27', 94_36);
const yen = listed('b', '2026-02-27', 5_000, { currency: 'JPY', token: abroad });
const march = listed('c', '2026-03-30', 30_00);
const april = listed('d', '2026-04-07', 40_00);

interface Close {
  readonly verdict: string;
  readonly totals: readonly Readonly<Record<string, { readonly minor: string }>>[];
}

test('money of pay-outs before the books, confirmed before a close, is not received again after it', async () => {
  const own = settings.filter((one) => !one.startsWith('books_from'));
  const company = await openCompany(own, [...tables, ...opening]);
  company.becomes('2026-04-02');
  company.lists(older, yen, march);
  write(
    company,
    'euro-03.csv',
    euros,
    ['02.03.2026', '94,36', '94,36', 'PAYMENTS'],
    ['31.03.2026', '-1,00', '93,36', 'account fee'],
  );
  write(
    company,
    'yen-03.csv',
    yens,
    ['02.03.2026', '5000', '5000', 'PAYMENTS'],
    ['31.03.2026', '-1', '4999', 'account fee'],
  );
  await company.run('accept', older.id, '--entry', 'euro-03.csv:2', '--by', 'Ada');
  await company.run('accept', yen.id, '--entry', 'yen-03.csv:2', '--by', 'Ada');
  const first = await company.run('close', '--month', '2026-03', ...forcing);
  expect(first.exitCode).toBe(0);

  company.becomes('2026-05-04');
  company.lists(april);
  write(
    company,
    'euro-04.csv',
    euros,
    ['01.04.2026', '30,00', '123,36', 'PAYMENTS'],
    ['08.04.2026', '40,00', '163,36', 'PAYMENTS'],
  );
  await company.run('accept', march.id, '--entry', 'euro-04.csv:2', '--by', 'Ada');
  await company.run('accept', april.id, '--entry', 'euro-04.csv:3', '--by', 'Ada');
  const { stdout } = await company.run('close', '--month', '2026-04', '--format', 'json');
  const [total] = (JSON.parse(stdout) as Close).totals;
  expect({ opening: total?.['opening']?.minor, changed: total?.['changed']?.minor }).toEqual({
    opening: '3000',
    changed: '0',
  });
  expect(total?.['closing']?.minor).toBe('0');
});
