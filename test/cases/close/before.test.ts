import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';
import { minorOf } from './adapter.ts';
import { openMarch } from './march.ts';

/**
 * What the program wrote before every receipt was booked on its own day, over the sandbox's March:
 * a register of two batches (to 18 March; to 31 March, with the difference of -1.50 accepted), and
 * what a night remembered.
 */
const before = (name: string) => join(import.meta.dirname, 'before', name);
const journals = [
  'c66a61eda3d6efe644b0d07f19b5eaa52bb30a1f3f25e2b849c478f8c104b21f',
  'c704cb57c4a268bebfc8449c096b8fb14873147f7d19519b5bf3f2ba160600f9',
];

async function openBooks() {
  const march = await openMarch();
  const register = march.file('booked.csv');
  const accepted = march.file('accepted.csv');
  const old = gunzipSync(readFileSync(before('booked.csv.gz')));
  writeFileSync(register, old, { mode: 0o600 });
  copyFileSync(before('booked.csv.last'), march.file('.booked.csv.last'));
  copyFileSync(before('accepted.csv'), accepted);
  // The accounts of the example, as they were.
  const run = (...args: readonly string[]) => runRecon([...args, '--sandbox']);
  const book = (output: string) =>
    run(
      ...['journal', '--month', '2026-03', '--for', 'hledger', '--bank', march.bank],
      ...['--booked', register, '--accepted', accepted, '--fail-on', 'none', '--output', output],
    );
  return { ...march, register, old: old.toString(), book };
}

test('the old batches are printed again, byte for byte', async () => {
  const { register } = await openBooks();
  for (const [index, digest] of journals.entries()) {
    const args = ['journal', '--booked', register, '--batch', String(index + 1)];
    const { stdout } = await runRecon(args);
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(digest);
  }
});

test('an old register is continued by transfers alone, and then is complete', async () => {
  const { book, register, old, file } = await openBooks();
  await book(file('3.journal'));
  const lines = readFileSync(register, 'utf8').split('\n');
  const kept = old.split('\n').filter((line) => /^(batch|posting),/.test(line));
  expect(lines.slice(1, kept.length + 1)).toEqual(kept);
  const added = lines.slice(kept.length + 1).filter((line) => line.startsWith('posting,3'));
  expect(added.map((line) => line.split(',')[4]).filter((reverses) => reverses !== '')).toEqual([]);
  const held = new Map<string, bigint>();
  for (const line of lines.filter((line) => line.startsWith('posting,'))) {
    const cells = line.split(',');
    const [currency = '', account, amount = ''] = [cells[9], cells[12], cells[13]];
    const key = `${account} ${currency}`;
    held.set(key, (held.get(key) ?? 0n) + minorOf(amount, currency));
  }
  // The accepted 1.50 stays where the old batch has booked it, so camt's charge is not booked again.
  expect(
    Object.fromEntries([...held].filter(([key]) => /bank|transit|suspense/.test(key)).sort()),
  ).toEqual({
    'assets:bank EUR': 14_514_420n,
    'assets:bank JPY': 2_578_885n,
    'assets:payments in transit EUR': 305_932n,
    'assets:payments in transit JPY': 0n,
    'assets:suspense EUR': -39_518n,
    'assets:suspense JPY': -323_136n,
    'assets:suspense USD': 12_654n,
    'expenses:bank EUR': 150n,
  });
  const bytes = readFileSync(register);
  await book(file('4.journal'));
  expect(existsSync(file('4.journal'))).toBe(false);
  expect(readFileSync(register)).toEqual(bytes);
});

test('a night that remembers what an old one has told repeats none of it', async () => {
  const { bank, run } = await openMarch();
  const out = join(await temporaryFolder(), 'out');
  const night = async () => {
    const args = ['--out', out, '--since', '2026-03-01', '--format', 'json', '--bank', bank];
    const { stdout } = await run('nightly', ...args);
    const { news } = JSON.parse(stdout) as { news: readonly { readonly kind: string }[] };
    return news.map(({ kind }) => kind);
  };
  expect(await night()).toContain('missing_on_bank');
  const state = gunzipSync(readFileSync(before('nightly.json.gz')));
  writeFileSync(join(out, 'nightly.json'), state);
  const told = await night();
  const old = ['out_of_balance', 'missing_on_bank', 'bank_difference', 'unknown_on_bank'];
  expect(told.filter((kind) => old.includes(kind))).toEqual([]);
});
