import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { document, entryOn, type Message, ownAccount } from '../bank/camt-message.ts';
import { runRecon } from '../support/run-recon.ts';
import { dayOf, settlement } from './nights.ts';
import { scenarioOf } from './service.ts';
import { Shop, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

type Days = readonly [from: number, to: number];

/** A shop with a pay-out of 29.10 EUR on 2 March, whose books are closed in parts of the month. */
async function openBooks() {
  const payout = { settlementId: settlementOn(2), paymentEndToEndIds: ['PAYOUT-2'] };
  const shop = await Shop.open(scenarioOf([settlement(2, { header: payout })]));
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  return {
    /** Writes a statement of days without entries, or with the pay-out as its only entry. */
    state: async (name: string, [from, to]: Days, opening: string, more: Partial<Message> = {}) => {
      const closing = more.entries ? '29.10' : opening;
      const message: Message = {
        period: [dayOf(from), dayOf(to)],
        balances: [
          ['OPBD', opening, dayOf(from)],
          ['CLBD', closing, dayOf(to)],
        ],
        ...more,
      };
      await writeFile(at(name), document(message));
    },
    close: async ([from, to]: Days, files: readonly string[], ...flags: readonly string[]) => {
      const range = ['--from', dayOf(from), '--to', dayOf(to)];
      const register = ['--closes', at('closes.csv')];
      const { stdout, stderr } = await runRecon(
        ['close', ...files.map(at), ...range, ...register, '--json', ...flags],
        { env: shop.env },
      );
      expect(stderr).toBe('');
      const { verdict, blockers } = JSON.parse(stdout) as {
        verdict: string;
        blockers: readonly { readonly code: string }[];
      };
      const gaps = blockers.filter(({ code }) => code === 'statement_gap');
      return { verdict, blockers, gaps };
    },
  };
}

const received = {
  entries: [
    entryOn(
      dayOf(3),
      '29.10',
      '<NtryDtls><TxDtls><Refs><EndToEndId>PAYOUT-2</EndToEndId></Refs></TxDtls></NtryDtls>',
    ),
  ],
};
const recorded = ['--record', '--by', 'Anna'];
const first = [...recorded, '--new-register'];
const forced = ['--force', '--note', 'known'];
const ready = { verdict: 'ready', blockers: [], gaps: [] };

test('a second close continues with the balance that the first one has left', async () => {
  const { state, close } = await openBooks();
  await state('1.xml', [1, 10], '0.00', received);
  expect(await close([1, 10], ['1.xml'], ...first)).toMatchObject({ verdict: 'closed' });
  await state('2.xml', [11, 20], '29.10');
  expect(await close([11, 20], ['1.xml', '2.xml'])).toEqual(ready);
  // 10.00 EUR came in between, on a statement that nobody has.
  for (const [opening, gap] of [
    ['29.10', undefined],
    ['39.10', '10.00'],
    ['29.100', undefined],
    ['39.105', '10.005'],
  ] as const) {
    await state('2.xml', [11, 20], opening);
    const { gaps } = await close([11, 20], ['2.xml']);
    const amounts = [{ currency: 'EUR', net: { amount: gap } }];
    expect(gaps).toMatchObject(gap ? [{ examples: [ownAccount], amounts, forceable: false }] : []);
  }
});

test('a second close continues each currency of an account, and each account of a currency', async () => {
  const { state, close } = await openBooks();
  const others = {
    usd: { currency: 'USD' },
    savings: { account: 'DE79123456780000143027' },
  };
  const names = (part: number) => [`${part}.xml`, `${part}-usd.xml`, `${part}-savings.xml`];
  await state('1.xml', [1, 10], '0.00', received);
  await state('1-usd.xml', [1, 10], '50.00', others.usd);
  await state('1-savings.xml', [1, 10], '70.00', others.savings);
  expect(await close([1, 10], names(1), ...first)).toMatchObject({ verdict: 'closed' });
  await state('2.xml', [11, 20], '29.10');
  await state('2-usd.xml', [11, 20], '50.00', others.usd);
  await state('2-savings.xml', [11, 20], '70.00', others.savings);
  expect((await close([11, 20], names(2))).gaps).toEqual([]);
  expect(await close([11, 20], [...names(1), ...names(2)])).toEqual(ready);
  await state('2-usd.xml', [11, 20], '50.01', others.usd);
  expect((await close([11, 20], names(2))).gaps).toMatchObject([
    { amounts: [{ currency: 'USD', net: { amount: '0.01' } }] },
  ]);
});

test('a pay-out that was missing at the first close stands against the second one too', async () => {
  const { state, close } = await openBooks();
  await state('1.xml', [1, 20], '0.00');
  const missing = [{ code: 'missing_on_bank', count: 1, examples: [settlementOn(2)] }];
  const closed = await close([1, 20], ['1.xml'], ...first, ...forced);
  expect(closed).toMatchObject({ verdict: 'closed', blockers: missing });
  await state('2.xml', [21, 31], '0.00');
  const second = await close([21, 31], ['1.xml', '2.xml']);
  expect(second).toMatchObject({ verdict: 'not_ready', blockers: missing });
});

test('an account whose statements end too early is not closed, though another has all of its own', async () => {
  const { state, close } = await openBooks();
  const account = 'DE79123456780000143027';
  await state('1.xml', [1, 20], '0.00', received);
  await state('savings.xml', [1, 15], '500.00', { account });
  expect(await close([1, 20], ['1.xml', 'savings.xml'])).toMatchObject({
    verdict: 'not_ready',
    blockers: [{ code: 'statements_end', examples: [account] }],
  });
});
