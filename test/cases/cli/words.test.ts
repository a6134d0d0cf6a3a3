import { describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';

const month = ['--sandbox', '--color', 'never'];

/** What people read of a run: the report on a terminal, and what is said beside it. */
async function said(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runRecon([...args, ...month], { columns: 400 });
  return `${stdout}${stderr}`;
}

describe('the text of reports', () => {
  test.each([
    ['settlements', ['settlements']],
    ['settlements with the bank', ['settlements', '--bank']],
    ['bank', ['bank']],
    ['explain', ['explain', 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd']],
    ['journal', ['journal', '--for', 'csv', '--output', '/dev/null']],
  ])('has amounts in one form: %s', async (_, args) => {
    const text = await said(...args);
    // No currency before its amount, but in tables, whose columns stand apart; no thousands together.
    expect(text.match(/\b(?:EUR|JPY|USD) [-+]?\d.*/g)).toBeNull();
    expect(text.match(/(?<![\d.,-])\d{4,}(?:\.\d+)? (?:EUR|JPY|USD)\b.*/g)).toBeNull();
  });

  test.each([
    ['settlements', 'Net pay-out', 'gross - fees - tax'],
    ['bank', 'Pay-out', 'a settlement'],
    ['explain', 'Net pay-out', 'gross - fees - tax'],
  ])('explains only once, for %s, what %s means', async (command, word, meaning) => {
    const lines = (await said(command, '--month', '2026-03')).split('\n');
    expect(lines.filter((line) => new RegExp(`^${word} +${meaning}`).test(line))).toHaveLength(1);
  });

  test('has words for codes, and names codes only in brackets', async () => {
    const text = await said('settlements');
    expect(text).toContain('transactions listed more than once (1)');
    expect(text.match(/(?<!\(|")\b[a-z]+_[a-z_]+\b(?!\)|")/g)).toBeNull();
  });

  test('uses one word for an account in titles and columns', async () => {
    for (const command of ['settlements', 'bank']) {
      const { stdout } = await runRecon([command, ...month], { columns: 100 });
      const lines = stdout.split('\n');
      const at = lines.findIndex((line) => line.startsWith('Totals by account and currency'));
      expect(lines[at + 1]).toMatch(/^Account +Currency/);
    }
  });

  test('says whether suspense is a debit or a credit', async () => {
    const { stderr } = await runRecon(['journal', '--sandbox', '--for', 'csv']);
    expect(stderr).toContain(
      'On suspense: 4 settlements, 82.78 EUR credit net, 92.80 EUR absolute.',
    );
  });
});
