import { describe, expect, test } from 'vitest';
import { euros, listed, profile, write, yens } from '../bank-confirmed/csv-bank.ts';
import { abroad, type Company, openCompany, web } from './company.ts';
import { closeOf, codes, forcing, said } from './words.ts';

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

describe('without an opening amount', () => {
  const february = (company: Company) => {
    write(company, 'euro-02.csv', euros, ['26.02.2026', '70,00', '70,00', 'PAYMENTS E2E-early-24']);
  };
  const paid = listed('e', '2026-02-24', 70_00, { endToEndId: 'E2E-early-24' });

  /** Two accounts with money of February in March: one by its id, one only suggested. */
  async function firstMonth() {
    const company = await openCompany(...profile());
    company.becomes('2026-04-02');
    const byId = { ...older, endToEndId: 'E2E-20260227-94' };
    company.lists(byId, yen, march);
    write(
      company,
      'euro-03.csv',
      euros,
      ['02.03.2026', '94,36', '94,36', 'PAYMENTS E2E-20260227-94'],
      ['31.03.2026', '-1,00', '93,36', 'account fee'],
    );
    write(
      company,
      'yen-03.csv',
      yens,
      ['02.03.2026', '5000', '5000', 'PAYMENTS'],
      ['31.03.2026', '-1', '4999', 'account fee'],
    );
    return company;
  }
  const month = ['--month', '2026-03'];
  const closed = async (company: Company) =>
    closeOf(await company.run('close', ...month, '--format', 'json'));

  test('money of pay-outs before the books stands against a first close, which says what to set and sets it', async () => {
    const company = await firstMonth();
    const before = await closed(company);
    const point = before.blockers.find(({ code }) => code === 'opening_not_set');
    expect(point).toMatchObject({ forceable: true, count: 2 });
    expect(before.totals['EUR']).toMatchObject({ opening: 0n, closing: 30_00n - 94_36n });
    const shown = await company.run('close', ...month, '--init');
    for (const line of opening) expect(shown.stdout.replaceAll(/"(?=.*=)/g, '')).toContain(line);
    const written = await company.run('close', ...month, '--init', '--write');
    expect(written.stdout).toContain('-books_from = "2026-03-01"');
    const after = await closed(company);
    expect(codes(after)).not.toContain('opening_not_set');
    expect(after.totals['EUR']).toMatchObject({ opening: 94_36n, closing: 30_00n });
    // What is only suggested stays open and on suspense until somebody decides.
    expect(codes(after)).toContain('suggested');
    expect(after.totals['JPY']).toMatchObject({ opening: 5_000n, closing: 5_000n });
    await company.run('accept', yen.id, '--entry', 'yen-03.csv:2', '--by', 'Ada');
    expect((await closed(company)).totals['JPY']).toMatchObject({ opening: 5_000n, closing: 0n });
    const again = await company.run('close', ...month, '--init', '--write');
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('there already')]);
  });

  test('money that came before the books for pay-outs of before is not part of them', async () => {
    const company = await firstMonth();
    company.lists(paid);
    february(company);
    const { totals, blockers } = await closed(company);
    expect(totals['EUR']).toMatchObject({ opening: 0n, closing: 30_00n - 94_36n });
    const point = blockers.find(({ code }) => code === 'opening_not_set');
    expect(point?.amounts).toMatchObject([{ net: { minor: '9436' } }, { net: { minor: '5000' } }]);
  });

  test('recon bank says so', async () => {
    const company = await firstMonth();
    expect(said(await company.run('bank', ...month))).toContain('recon close --init');
  });
});

test('a bank account without a name has a heading without one, and a close in a pipe says what it prints', async () => {
  const unnamed = tables
    .filter((one) => !one.startsWith('account = '))
    .map((one) => one.replace('currency = "Currency"', 'currency = "EUR"'));
  const company = await openCompany(settings, unnamed);
  company.becomes('2026-04-02');
  company.lists(march);
  write(company, 'euro-03.csv', euros, ['31.03.2026', '30,00', '30,00', 'PAYMENTS']);
  const shown = await company.shows('close', '--month', '2026-03');
  expect(shown.stdout).toContain('Bridge to the bank statements, EUR');
  expect(said(shown)).toContain('not set up: booked, see recon journal --init');
  const piped = await company.run('close', '--month', '2026-03');
  expect([piped.stdout.split(',').length > 5, said(piped)]).toEqual([
    true,
    expect.stringContaining('the roll-forward as CSV'),
  ]);
});
