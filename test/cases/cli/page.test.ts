import { expect, test } from 'vitest';
import { readRecords } from '../../cli/read-report.ts';
import { runRecon } from '../../support/run-recon.ts';

const month = ['--sandbox', '--month', '2026-03'];

/** The cells of the last table of a page, by the names of its columns. */
function lastTable(page: string): readonly Readonly<Record<string, string>>[] {
  const table = page.slice(page.lastIndexOf('<table'));
  const texts = (html: string, tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'g'))].map(([, text = '']) =>
      text.replace(/<[^>]*>/g, ''),
    );
  const heads = texts(table, 'th');
  return [...table.matchAll(/<tbody>([\s\S]*?)<\/tbody>/g)].map(([, body = '']) => {
    const cells = texts(body, 'td').map((text) => text.replace(/[\u2007\u2008]/g, ''));
    return Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? '']));
  });
}

test('the table of all settlements has the figures of the CSV, to the last digit', async () => {
  const page = await runRecon(['settlements', ...month, '--format', 'html']);
  const csv = await runRecon(['settlements', ...month]);
  expect(page.exitCode).toBe(1);
  const digits = (text = '') => text.replaceAll(',', '').replace('+', '');
  const shown = lastTable(page.stdout).map((row) => [
    row['Settlement'],
    row['Account'],
    row['Verdict']?.replaceAll(' ', '_'),
    digits(row['Gross']),
    digits(row['Fees']),
    digits(row['Tax']),
    digits(row['Net pay-out']),
    digits(row['Computed net pay-out']),
    digits(row['Net pay-out difference']),
    digits(row['Transactions']),
  ]);
  expect(shown).toHaveLength(40);
  expect(shown).toEqual(
    readRecords(csv.stdout).map((record) => [
      record['settlement_id'],
      record['accounting_name'],
      record['verdict'],
      record['gross_reported'],
      record['fees_reported'],
      record['tax_reported'],
      record['pay_in_reported'],
      record['pay_in_computed'],
      record['pay_in_difference'],
      record['transactions_reported'],
    ]),
  );
});

test('a page of the month has a waterfall for each difference of several parts, then charts by currency', async () => {
  const { stdout } = await runRecon(['settlements', ...month, '--format', 'html']);
  const charts = [...stdout.matchAll(/<figcaption><h3>([^<]*)/g)].map(([, title]) => title);
  expect(charts).toEqual([
    '2026-03-10, Stores',
    'Net pay-out by day, EUR',
    'Differences in net pay-out by day, EUR',
    'Net pay-out by day, JPY',
  ]);
});

test('a page of explanations has what each cause changes in the pay-in', async () => {
  const { stdout } = await runRecon([
    ...['explain', '--sandbox', '--scenario', 'two-causes', '--month', '2026-03'],
    ...['--format', 'html'],
  ]);
  const [, byCause = ''] = stdout.split('Difference in net pay-out by cause</h3>');
  expect(byCause.slice(0, byCause.indexOf('</svg>'))).toMatchInlineSnapshot(`
    "
    <p>Starts at zero, adds what each cause changes, and ends at the difference in net pay-out.</p></figcaption>
    <svg viewBox="0 0 460 126" preserveAspectRatio="xMinYMin" role="img" aria-labelledby="chart-6-title chart-6-text">
    <title id="chart-6-title">Difference in net pay-out by cause</title><desc id="chart-6-text">Starts at zero, adds what each cause changes, and ends at the difference in net pay-out.</desc>
    <path class="zero" d="M435.1 18V118"/><path class="link" d="M2 20v54"/><path class="off below" d="M435.1 20H8L2 26L8 32H435.1Z"/><text x="2" y="14">Transactions of one state not included in the settlement</text><text class="end strong" x="458" y="14">-55.28 EUR</text>
    <path class="link" d="M458 62v54"/><path class="off" d="M2 62H452L458 68L452 74H2Z"/><text x="2" y="56">Transactions of one type with the opposite sign</text><text class="end strong" x="458" y="56">+58.20 EUR</text>
    <path class="total" d="M435.1 104H458L458 110L458 116H435.1Z"/><text class="strong" x="2" y="98">Difference in net pay-out</text><text class="end strong" x="458" y="98">+2.92 EUR</text>
    "
  `);
});

test('a page without an identity compares gross, and has no waterfalls', async () => {
  const { stdout } = await runRecon([
    'settlements',
    ...month,
    '--format',
    'html',
    '--identity',
    'off',
  ]);
  expect(stdout).toContain('<h3>Gross by day, EUR</h3>');
  expect(stdout).not.toContain('class="total"');
});
