import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { march, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** The files of the sandbox with two other providers, read by a configuration whose main profile is a running sandbox. */
async function demo() {
  const { sandbox, clock } = await startService('month');
  const folder = join(await temporaryFolder(), 'demo');
  await runRecon(['sandbox', '--provider-files', folder]);
  const config = join(folder, 'config.toml');
  const toml = await readFile(config, 'utf8');
  expect((await stat(config)).mode & 0o777).toBe(0o600);
  await writeFile(config, toml.replaceAll('http://127.0.0.1:8080', sandbox.baseUrl));
  return (...words: readonly string[]) =>
    runRecon([...words, ...march, '--config', config], { clock });
}

test('the sandbox writes a month of two other providers with what it says is wrong', async () => {
  const run = await demo();
  const adyen = await run('settlements', '--profile', 'adyen', '--format', 'table');
  expect(adyen.exitCode).toBe(1);
  expect(adyen.stdout).toContain('4 settlements: 3 balanced, 1 out of balance.');
  expect(adyen.stdout).toContain('41.65 EUR of transactions are missing');
  const stripe = await run('settlements', '--profile', 'stripe', '--format', 'table');
  expect(stripe.exitCode).toBe(4);
  expect(stripe.stdout).toContain('4 settlements: all balanced.');
  expect(stripe.stdout).toContain('(txn_fee), -2.00 EUR together');
});

test('orders are judged by the files of the provider that was paid', async () => {
  const run = await demo();
  const adyen = await run('orders', '--profile', 'adyen', '--format', 'table');
  expect(adyen.stdout).toMatch(/missing +#A-23 /);
  expect(adyen.stdout).not.toContain('unknown to the shop');
  const stripe = await run('orders', '--profile', 'stripe', '--format', 'table');
  expect(stripe.stdout).toContain('24 of 25 orders are settled.');
});

test('one reading of the statement finds the pay-outs of all three', async () => {
  const run = await demo();
  const { stdout } = await run('bank', '--profile', 'main,adyen,stripe', '--format', 'json');
  const { profiles } = JSON.parse(stdout);
  const states = profiles.map(({ profile, matches }: Record<string, unknown>) => {
    const all = Array.isArray(matches) ? matches : [];
    return [profile, all.filter(({ state }) => state === 'matched').length];
  });
  expect(states.slice(1)).toEqual([
    ['adyen', 4],
    ['stripe', 3],
  ]);
  const screen = await run('bank', '--profile', 'main,adyen,stripe', '--format', 'table');
  expect(screen.stdout).toContain('1 entry is unknown to all profiles: 312.40 EUR.');
});
