import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import type { AccountMapping } from '../../src/model/account-mapping.ts';
import { camtStatement } from '../../src/sandbox/bank.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { settlement } from './book-keeping.ts';
import { scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { writeStatement } from './statement.ts';
import { temporaryFolder } from './temporary.ts';

interface Report {
  readonly blockers: readonly { readonly code: string; readonly count: number; next: string }[];
  readonly checklist: readonly { readonly step: string; answer: string; command: string }[];
}

/** A desk with a profile that names a register of bookings which is not there yet. */
async function deskOf(
  scenario: Scenario,
  mapping: AccountMapping,
  more: Readonly<Record<string, string>> = {},
) {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const shop = await Shop.open(scenario);
  const books = JSON.stringify(mapping);
  const env = { ...shop.env, RECON_BOOKS: books, RECON_BOOKED: at('booked.csv'), ...more };
  const run = (words: readonly string[]) => runRecon(words, { env });
  const close = async (...flags: readonly string[]) => {
    const { stdout, stderr, exitCode } = await run(['close', at('bank.xml'), ...flags, '--json']);
    if (stdout === '') return { stderr, exitCode, owed: undefined, step: undefined };
    const { blockers, checklist } = JSON.parse(stdout) as Report;
    const owed = blockers.find(({ code }) => code === 'not_booked');
    return { stderr, exitCode, owed, step: checklist.find(({ step }) => step === 'journal') };
  };
  /** Runs a command as it is printed, with its output in the folder. */
  const follow = (line = '') => {
    const [, ...words] = line.slice(line.indexOf('recon ')).split(' ');
    const output = words.indexOf('--output') + 1;
    return run(words.map((word, index) => (index === output ? at(word) : word)));
  };
  return { shop, at, run, close, follow };
}

const month = ['--month', '2026-03'];

test.each([
  ['hledger', 'booked-1.journal'],
  ['beancount', 'booked-1.beancount'],
  ['datev', 'EXTF_booked-1.csv'],
  // Accounts by number are those of several programs.
  ['csv', 'booked-1.csv'],
] as const)(
  'nothing is booked before the first journal, and the command that %s needs books all of it',
  async (format, name) => {
    const scenario = await loadScenario('month');
    const { at, close, follow } = await deskOf(scenario, exampleMappings[format]);
    await writeFile(at('bank.xml'), camtStatement(scenario).text);
    const before = await close(...month);
    expect(before.exitCode).toBe(1);
    expect(before.owed?.count).toBeGreaterThan(60);
    expect(before.step).toMatchObject({ answer: 'not_booked' });
    const isChosen = format === 'csv';
    const says = isChosen ? 'Book them; in place of FORMAT, write' : 'Book them: ';
    expect(before.owed?.next).toContain(says);
    expect(before.owed?.next).toContain(`: ${before.step?.command}`);
    const written = (line = '') => line.slice(line.lastIndexOf('recon ')).replace('FORMAT', format);
    expect(before.step?.command).toMatch(new RegExp(` --output ${name}$`));
    const { stderr } = await follow(written(before.owed?.next));
    expect(stderr).toContain(`Batch 1: ${before.owed?.count} entries`);
    const after = await close(...month);
    expect(after.owed).toBeUndefined();
    expect(after.step).toMatchObject({ answer: 'booked' });
    expect((await follow(after.step?.command)).stderr).toContain('Nothing new to book.');
  },
);

test('what was never booked of earlier days is booked from the first day of the books, later only the month', async () => {
  const { at, close, follow } = await deskOf(
    scenarioOf([settlement(2), settlement(20)]),
    exampleMappings.hledger,
    { RECON_BOOKS_FROM: '2026-03-01' },
  );
  await writeStatement(at('bank.xml'), [1, 31], []);
  const range = ['--from', '2026-03-16', '--to', '2026-03-31'];
  const { owed } = await close(...range);
  expect(owed).toMatchObject({ count: 2, next: expect.stringContaining('--from 2026-03-01 --to') });
  await follow(owed?.next);
  const { step } = await close(...range);
  expect(step).toMatchObject({ answer: 'booked' });
  expect(step?.command).toContain('--from 2026-03-16 --to 2026-03-31');
});

test('the command reverses what is no longer listed, in the currency of the register', async () => {
  const yen = { header: { settlementId: settlementOn(5), currencyCode: 'JPY', decimalPlaces: 0 } };
  const [two, three, five] = [settlement(2), settlement(3), settlement(5, yen)];
  const { at, shop, close, follow, run } = await deskOf(
    scenarioOf([two, three, five]),
    exampleMappings.hledger,
  );
  await writeStatement(at('bank.xml'), [1, 31], []);
  const first = ['--for', 'hledger', '--currency', 'EUR', '--output', at('1.journal')];
  await run(['journal', ...month, ...first]);
  expect((await close(...month)).owed).toBeUndefined();
  await shop.becomes(scenarioOf([two, five]));
  const { owed } = await close(...month);
  expect(owed).toMatchObject({
    count: 1,
    next: expect.stringContaining('--currency EUR --reverse-missing'),
  });
  await follow(owed?.next);
  expect((await close(...month)).owed).toBeUndefined();
});

test('a close refuses a register that is missing only if something shows that there was one', async () => {
  const { at, close, follow } = await deskOf(scenarioOf([settlement(2)]), exampleMappings.hledger);
  await writeStatement(at('bank.xml'), [1, 31], [[3, 'unknown', 2910]]);
  await follow((await close(...month)).owed?.next);
  await rm(at('booked.csv'));
  const gone = await close(...month);
  expect(gone).toMatchObject({ exitCode: 4, owed: undefined });
  expect(gone.stderr).toContain('is missing, and batch 1 was the last one booked.');
  const other = await close(...month, '--booked', at('bookd.csv'));
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain(`There is another one beside it: ${at('booked.csv')}.`);
  expect(other.stderr).toContain('add --new-register to recon journal.');
});

test('a close refuses to take nothing as booked after a close', async () => {
  const { at, close } = await deskOf(scenarioOf([settlement(2)]), exampleMappings.hledger);
  await writeStatement(at('bank.xml'), [1, 31], []);
  const closes = ['--closes', at('closes.csv')];
  const unbooked = { env: { ...(await Shop.open(scenarioOf([settlement(2)]))).env } };
  const recorded = ['--record', '--new-register', '--by', 'Ada', '--force', '--note', 'known'];
  const half = ['--from', '2026-03-01', '--to', '2026-03-15'];
  const first = await runRecon(
    ['close', at('bank.xml'), ...half, ...closes, ...recorded],
    unbooked,
  );
  expect(first.exitCode).toBe(0);
  const second = await close('--from', '2026-03-16', '--to', '2026-03-31', ...closes);
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toContain('The books are closed through 2026-03-15');
});

test('the command names the software whose own words the books have', async () => {
  const words = { tax_rate: { other: 'Tax Exempt' } };
  const xero = { ...exampleMappings.xero, csv: { words } };
  const { at, close } = await deskOf(scenarioOf([settlement(2)]), xero);
  await writeStatement(at('bank.xml'), [1, 31], []);
  expect((await close(...month)).owed?.next).toContain('--for xero');
});
