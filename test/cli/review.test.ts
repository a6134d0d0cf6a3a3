import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

/** A progress line would mix with the questions. */
const env = { CI: '1' };

async function desk() {
  const folder = await temporaryFolder();
  const [list, accepted] = [join(folder, 'decisions.csv'), join(folder, 'accepted.csv')];
  const words = ['review', '--sandbox', '--accepted', accepted, '--decisions', list];
  return {
    list,
    accepted,
    review: (answers: readonly string[], more: readonly string[] = [], options: RunOptions = {}) =>
      runRecon([...words, ...more], { env, answers, ...options }),
    decided: async () => {
      const lines = readRecords(await readFile(list, 'utf8'));
      return lines.filter(({ decision }) => decision !== '');
    },
  };
}

test('two differences are decided, kept in a list and applied', async () => {
  const { review, decided, accepted } = await desk();
  // Of 19 points, the largest first: paid twice (JPY), missing (EUR).
  const run = await review(
    ['a', 'paid twice, will be deducted\r', 'Anna\r', 'w', 'never comes\r', 'q', 'y'],
    [],
    { columns: 120, env: { ...env, NO_COLOR: '1' } },
  );
  expect(run.exitCode).toBe(0);
  expect(await decided()).toMatchObject([
    { kind: 'bank', currency: 'JPY', decision: 'accept', by: 'Anna' },
    { kind: 'bank', currency: 'EUR', decision: 'written off', reason: 'never comes', by: 'Anna' },
  ]);
  expect(run.stdout).toMatch(/ACCEPTED\n19 lines: 2 accepted and 17 undecided\./);
  expect(readRecords(await readFile(accepted, 'utf8'))).toHaveLength(2);
});

test('Ctrl-C keeps what was decided, and the next review goes on from there', async () => {
  const { review, decided, list } = await desk();
  const first = await review(['a', 'paid twice\r', 'Anna\r']);
  expect(first.exitCode).toBe(130);
  expect(first.stderr).toContain(`${list} keeps what is decided.`);
  expect(await decided()).toMatchObject([{ currency: 'JPY', decision: 'accept', by: 'Anna' }]);
  const second = await review(['w', 'never comes\r', 'q', 'y'], ['--by', 'Ben']);
  expect(second.stderr).toContain('1 of 18');
  expect(second.exitCode).toBe(0);
  expect(await decided()).toMatchObject([{ by: 'Anna' }, { currency: 'EUR', by: 'Ben' }]);
});

test('what is in the register is not asked again, and a new list has only what is decided now', async () => {
  const { review, decided, accepted } = await desk();
  await review(['a', 'paid twice\r', 'Anna\r', 'q', 'y']);
  // Missing, unknown receipt, an order.
  const { stderr, exitCode } = await review(
    ['n', 'a', 'a gift\r', 'a', 'in dollars\r', 'q', 'y'],
    ['--by', 'Ben'],
  );
  expect([exitCode, stderr.includes('1 of 18')]).toEqual([0, true]);
  expect(await decided()).toMatchObject([
    { kind: 'unknown', reason: 'a gift', by: 'Ben' },
    { kind: 'order', settlement_id: '#ORD-09-0039' },
  ]);
  expect(readRecords(await readFile(accepted, 'utf8'))).toHaveLength(3);
});

test('a decision that would not count is refused at once, and nothing typed goes back', async () => {
  const { review, list } = await desk();
  const { stderr, exitCode } = await review([
    'a',
    '\r',
    'c',
    'nowhere.csv:1\r',
    '\r',
    'Anna\r',
    'q',
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('No bank entry was found at nowhere.csv:1.');
  expect(stderr).toContain('Nothing was decided.');
  await expect(readFile(list)).rejects.toThrow('ENOENT');
});

test('Enter takes the choice that is shown as chosen', async () => {
  const { review, decided, accepted } = await desk();
  const { exitCode } = await review(['\r', 'paid twice\r', 'Anna\r', 'q', '\r']);
  expect(exitCode).toBe(0);
  expect(await decided()).toMatchObject([{ currency: 'JPY', decision: 'accept', by: 'Anna' }]);
  expect(readRecords(await readFile(accepted, 'utf8'))).toHaveLength(1);
});

test('a point is explained in full', async () => {
  const { review } = await desk();
  // The sixth is out of balance.
  const { stdout, exitCode } = await review([...'nnnnneq'], [], { columns: 100 });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('be678572-cc4e-5b84-ae52-bdd95f9ee0dd');
  expect(stdout).toContain('Ask the provider');
});

test('a pay-out that has not arrived is asked for, with its ids, its days and the account', async () => {
  const path = 'payout-3d279a78.md';
  onTestFinished(() => rm(path, { force: true }));
  const { review } = await desk();
  const { exitCode } = await review([...'npq']);
  expect(exitCode).toBe(0);
  const text = await readFile(path, 'utf8');
  for (const part of [
    'Pay-out of 2026-03-13: not received',
    'Expected 3,059.32 EUR, received 0.00 EUR: difference -3,059.32 EUR.',
    '3d279a78-81dd-574b-87c7-7ae4f0f80467',
    '2026-03-20',
    'E2E-20260313-26',
    'PMT-20260313-26',
    'on account DE79123456780000143027, from 2026-03-01 to 2026-03-31',
    'Please tell us when and to which account it was paid, or pay it.',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('sums agree');
});

test('a pay-out that was paid twice is asked about with each payment', async () => {
  const path = 'payout-aaec682c.md';
  onTestFinished(() => rm(path, { force: true }));
  const { review } = await desk();
  await review([...'pq']);
  const text = await readFile(path, 'utf8');
  expect(text).toContain('Pay-out of 2026-03-16: paid twice');
  expect(text).toContain('323,136 JPY on 2026-03-17, account DE50123456780000192534');
  expect(text).toContain('323,136 JPY on 2026-03-18, account DE50123456780000192534');
  expect(text).toContain('Please tell us why, or correct it.');
});

test('without a terminal, it says what to use instead', async () => {
  const { exitCode, stderr } = await runRecon(['review', '--sandbox']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('recon review needs a terminal.');
  expect(stderr).toContain('recon close --decisions decisions.csv');
});

test('a file that is no list of decisions is left as it is', async () => {
  const { review, list } = await desk();
  await writeFile(list, 'a,b\r\n1,2\r\n');
  const { exitCode, stderr } = await review(['q']);
  expect([exitCode, stderr.includes('Missing columns: kind')]).toEqual([2, true]);
  expect(await readFile(list, 'utf8')).toBe('a,b\r\n1,2\r\n');
});

test('money that came twice is not written off, and what is decided of a pay-out is named when it is not removed', async () => {
  const { review, decided, accepted } = await desk();
  await review(['a', 'paid twice\r', 'Anna\r', 'w', 'never comes\r', 'q', 'y']);
  const [twice = '', lost = ''] = (await decided()).map((line) => line['settlement_id'] ?? '');
  const run = (...words: readonly string[]) =>
    runRecon(['accept', ...words, '--sandbox', '--accepted', accepted], { env });
  expect(await run(twice, '--remove', '--bank')).toMatchObject({ exitCode: 0 });
  const refused = await run(twice, '--written-off', '--by', 'Anna', '--note', 'twice');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('than is due, so nothing can be written off.');
  const kept = await run(lost, '--remove', '--bank');
  expect(kept.exitCode).toBe(2);
  expect(kept.stderr).toContain('is in the register only with a decision on its pay-out.');
});

test('a line of an earlier review can be decided anew', async () => {
  const { review, decided } = await desk();
  await review(['a', 'paid twice\r', 'Anna\r', 'q', 'n']);
  const { exitCode } = await review(['q', 'r', 'a', 'a gift\r', 'q', 'n'], ['--by', 'Ben']);
  expect(exitCode).toBe(0);
  expect(await decided()).toMatchObject([{ currency: 'JPY', reason: 'a gift', by: 'Ben' }]);
});

test('an order is named with its state, its dates, its method, its transactions and what to do, and is asked about', async () => {
  const path = 'order-ORD-09-0039.md';
  onTestFinished(() => rm(path, { force: true }));
  const { review } = await desk();
  // The fourth was charged in dollars, the fifth is for the shop to put right.
  const { stderr } = await review([...'nnnpnq'], [], { stderrColumns: 200 });
  const parts = [
    'Order #ORD-09-0039, other currency: -129.00 EUR',
    'sold on 2026-03-10, by Sandbox Payments, expected in a settlement by 2026-03-17',
    'expected 129.00 EUR, settled 0.00 EUR',
    'payment of 129.00 USD in settlement b13e5c60-40c1-58ed-90d5-7eaf905f8d4f of 2026-03-12',
    'Likely cause: it was charged in USD.',
    'Ask the service what it paid for it.',
    'accept it as settled with 0.00 EUR',
    `write to the provider: ${path}`,
    // Asked again, the menu knows what was done.
    `${path} is written: send it`,
  ];
  for (const part of parts) expect(stderr).toContain(part);
  const asked = await readFile(path, 'utf8');
  expect(asked).toContain('129.00 USD in settlement');
  expect(asked).toContain('Please tell us why, or correct it.');
  const shop = stderr.slice(stderr.indexOf('5 of 19'));
  expect(shop).toContain('Order #ORD-01-0011, several matches: -83.60 EUR');
  expect(shop).not.toContain('write to the provider');
});

test('no key is offered that would be refused, and a pay-out shows the nearest entries', async () => {
  const { review } = await desk();
  const { stderr } = await review([...'nq'], [], { stderrColumns: 200 });
  const missing = stderr.slice(stderr.indexOf('2 of 19'));
  expect(missing).toContain(
    'due by 2026-03-20, end-to-end id "E2E-20260313-26", payment reference "PMT-20260313-26"',
  );
  expect(missing).toContain(
    '- 2026-03-24, 312.40 EUR from Sandbox Payments, "Payout correction" (month.xml:173)',
  );
  expect(missing).toContain('write off 3,059.32 EUR: it never comes');
  // The only other open pay-out is in another currency.
  expect(stderr).not.toContain('settled together');
});

test('a terminal that does not know its size is taken for one of 80 columns', async () => {
  const { review } = await desk();
  const { stderr } = await review(['q'], [], { columns: 0, env: { ...env, NO_COLOR: '1' } });
  expect(stderr).toContain('What do you decide?');
});
