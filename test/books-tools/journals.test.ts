import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { keepBooks, type Listed, pending, settlement } from '../cli/book-keeping.ts';
import { purchases } from '../cli/service.ts';
import { settlementOn } from '../cli/shop.ts';
import { runRecon } from '../support/run-recon.ts';
import { type Balances, ownBalances, type Tool, tools } from './tools.ts';

const modes: readonly (readonly string[])[] = [
  [],
  ['--per', 'day'],
  ['--detail'],
  ['--include-pending'],
  ['--bank'],
  ['--bank', '--per', 'day', '--include-pending'],
];

/** The journal of a scenario; undefined where recon refuses to book it. */
async function journalOf({ format }: Pick<Tool, 'format'>, args: readonly string[]) {
  const asked = ['journal', '--sandbox', '--fail-on', 'none', ...args];
  const written = await runRecon([...asked, '--for', format]);
  const records = await runRecon([...asked, '--for', 'csv']);
  expect(records.exitCode).toBe(written.exitCode);
  return written.exitCode === 0
    ? { text: written.stdout, ours: ownBalances(records.stdout, format) }
    : undefined;
}

function currenciesOf(balances: Balances): readonly string[] {
  return [...new Set(Object.keys(balances).map((key) => key.slice(key.lastIndexOf(' ') + 1)))];
}

function month(...others: readonly Listed[]): readonly Listed[] {
  const yen = { currencyCode: 'JPY', decimalPlaces: 0, settlementId: settlementOn(3, 'yen') };
  return [settlement(2), settlement(3, { header: yen }), settlement(5), ...others];
}

const atOnce = ['journal', '--month', '2026-03', '--for', 'csv', '--fail-on', 'none'];

describe.each(tools)('$name', (tool) => {
  const { isThere, check, balances } = tool;

  it.skipIf(!isThere).each(modes.map((args) => [args] as const))(
    'computes the same balances as recon for the month: %j',
    async (args) => {
      const journal = await journalOf(tool, args);
      if (!journal) throw new RangeError('refused');
      expect(await check(journal.text)).toBe('');
      expect(await balances(journal.text, currenciesOf(journal.ours))).toEqual(journal.ours);
      expect(Object.keys(journal.ours).length).toBeGreaterThan(7);
    },
  );

  it.skipIf(!isThere)(
    'computes the same balances as recon for every scenario of the sandbox',
    async () => {
      let booked = 0;
      for (const scenario of scenarioNames) {
        const args = ['--scenario', scenario, '--detail', '--include-pending'];
        const journal = await journalOf(tool, args);
        if (!journal) continue;
        booked += 1;
        expect(await check(journal.text), scenario).toBe('');
        const theirs = await balances(journal.text, currenciesOf(journal.ours));
        expect(theirs, scenario).toEqual(journal.ours);
      }
      expect(booked).toBeGreaterThan(20);
    },
    300_000,
  );

  it.skipIf(!isThere)('refuses a journal that is wrong', async () => {
    const { text = '' } = (await journalOf(tool, ['--bank'])) ?? {};
    const wrong = {
      '0.004 in an amount': text.replace(/^ +\S.*\.\d\d(?= EUR)/m, '$&4'),
      'one cent in a balance': text.replace(/^.*(?:= |balance ).*EUR$/m, (line) =>
        line.replace(/\d(?=(?: ~ 0)? EUR$)/, (digit) => String((Number(digit) + 1) % 10)),
      ),
      'an account that was not declared': text.replace(/^(?:account|\S+ open) .*\n/m, ''),
      'the same journal twice': `${text}\n${text}`,
    };
    for (const [what, journal] of Object.entries(wrong)) {
      expect(journal, what).not.toBe(text);
      expect(await check(journal), what).not.toBe('');
    }
  });

  it.skipIf(!isThere)('computes the balances of recon for two parts of the month', async () => {
    const parts = [
      ['--from', '2026-03-01', '--to', '2026-03-17'],
      ['--from', '2026-03-18', '--to', '2026-03-31'],
    ];
    const [first, second] = await Promise.all(
      parts.map((range) => journalOf(tool, ['--bank', ...range])),
    );
    const whole = await journalOf(tool, ['--bank']);
    if (!first || !second || !whole) throw new RangeError('refused');
    // Accounts can be opened once.
    const known = new Set(first.text.match(/^\S+ open .*$/gm)?.map((line) => line.slice(11)));
    const rest = second.text.replace(/^\S+ (open .*)\n/gm, (line, account: string) =>
      known.has(account) ? '' : line,
    );
    const both = `${first.text}\n${rest}`;
    expect(await check(both)).toBe('');
    expect(await balances(both, currenciesOf(whole.ours))).toEqual(whole.ours);
  });

  it.skipIf(!isThere)(
    'computes the same balances as recon for batches that post closed days on open ones',
    async () => {
      const books = await keepBooks(tool.format, month(settlement(4, pending)));
      await books.book();
      await books.becomes(month(settlement(4), settlement(9, { rows: purchases(5) })));
      await books.book('--closed-through', '2026-03-31');
      await books.becomes(month(settlement(4, { rows: purchases(4) }), settlement(9)));
      await books.book('--closed-through', '2026-04-30');
      const batches = books.files.map((_, at) => books.text(at + 1)).join('\n');
      const { stdout } = await books.run(...atOnce);
      expect(await check(batches)).toBe('');
      expect(await balances(batches, ['EUR', 'JPY'])).toEqual(ownBalances(stdout, tool.format));
    },
  );

  it.skipIf(!isThere)(
    'adds batches up to what is booked at once, and finds a batch that is missing or repeated',
    async () => {
      const books = await keepBooks(tool.format, month(settlement(4, pending)));
      await books.book('--include-pending');
      await books.becomes(month(settlement(4), settlement(1), settlement(9)));
      await books.book('--include-pending');
      const restated = month(
        settlement(4, { rows: purchases(5) }),
        settlement(9, { off: { fees: 7 } }),
      );
      await books.becomes(restated);
      await books.book('--per', 'day', '--reverse-missing');
      expect(books.files).toHaveLength(3);

      const batches = books.files.map((_, at) => books.text(at + 1));
      const { stdout } = await books.run(...atOnce);
      const ours = ownBalances(stdout, tool.format);
      expect(await check(batches.join('\n'))).toBe('');
      expect(await balances(batches.join('\n'), ['EUR', 'JPY'])).toEqual(ours);
      for (let at = 0; at < batches.length; at += 1) {
        const doubled = batches.toSpliced(at, 0, batches[at] ?? '');
        expect(await check(doubled.join('\n')), `doubled ${at + 1}`).not.toBe('');
        // Beancount has no account that could count.
        if (at === batches.length - 1 || tool.format === 'beancount') continue;
        expect(await check(batches.toSpliced(at, 1).join('\n')), `lost ${at + 1}`).not.toBe('');
      }
    },
  );
});
