import { describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';
import {
  type Booked,
  journal,
  newTypesIn,
  postingsInCsv,
  totalsByType,
  totalsIn,
} from './adapter.ts';
import { balances } from './oracle.ts';
import { sandbox } from './service.ts';

const entry = (type: string) => ({ receivable: type, fees: `${type} fees`, tax: `${type} tax` });
const general = {
  ...entry('general'),
  ...{ in_transit: 'in transit', bank: 'bank', suspense: 'suspense', accepted: 'accepted' },
};
const kinds = ['purchase', 'refund', 'chargeback'];
const mapping = (...types: readonly string[]) => ({
  ...general,
  type: Object.fromEntries(types.map((type) => [type, entry(type)])),
});

const rowsOf = (postings: readonly Booked[], account: string, currency: string) =>
  new Set(
    postings
      .filter((one) => one.account === account && one.currency === currency)
      .map(({ transaction }) => transaction),
  ).size;

describe('the figures of CLOSING 4', () => {
  test('come out on the accounts of each type, and in rows', async () => {
    const { run } = await sandbox();
    const postings = postingsInCsv(await run(journal('csv', '--detail'), mapping(...kinds)));
    const found = balances(postings, ({ account, currency }) => `${account} ${currency}`);
    const hundredths = [...found].map(([key, sum]) => [key, sum / 10_000n] as const);
    expect(new Map(hundredths.filter(([key]) => !/^in transit|USD$/.test(key)))).toEqual(
      new Map([
        ['purchase EUR', -15_174_369n],
        ['purchase JPY', -231_585_100n],
        ['purchase fees EUR', 250_339n],
        ['purchase fees JPY', 3_681_000n],
        ['purchase tax EUR', 49_446n],
        ['purchase tax JPY', 729_200n],
        ['refund EUR', 68_200n],
        ['refund JPY', 1_600_000n],
        ['chargeback EUR', 21_800n],
        ['chargeback fees EUR', 3_000n],
        ['chargeback tax EUR', 600n],
        // A gross that the rows lack has no type.
        ['suspense EUR', -8_278n],
      ]),
    );
    const counts = ['EUR', 'JPY'].flatMap((currency) =>
      kinds.map((type) => `${type} ${currency} ${rowsOf(postings, type, currency)}`),
    );
    expect(counts).toEqual([
      ...['purchase EUR 1547', 'refund EUR 13', 'chargeback EUR 2'],
      ...['purchase JPY 179', 'refund JPY 2', 'chargeback JPY 0'],
    ]);
  });

  test('are told of types without an entry, once', async () => {
    const { run } = await sandbox();
    const { stderr } = await run(journal('csv'), mapping('purchase', 'refund'));
    expect(newTypesIn(stderr)).toMatchObject([
      { type: 'chargeback', rows: 2, amounts: [['EUR', -218_000_000n]] },
    ]);
    expect(newTypesIn(stderr)[0]?.bookedTo).toContain('general');
    expect(newTypesIn((await run(journal('csv'), mapping(...kinds))).stderr)).toEqual([]);
    expect(newTypesIn((await run(journal('csv'), general)).stderr)).toEqual([]);
  });
});

describe('totals by type', () => {
  test('have the rows and the gross of CLOSING 4', async () => {
    expect(totalsIn(await runRecon(totalsByType))).toEqual(
      new Map([
        ['chargeback EUR', '2 -218.00'],
        ['purchase EUR', '1547 151743.69'],
        ['purchase JPY', '179 2315851'],
        ['refund EUR', '13 -682.00'],
        ['refund JPY', '2 -16000'],
      ]),
    );
  });

  test('count no row in dollars as a purchase in euros', async () => {
    const totals = totalsIn(
      await runRecon([...totalsByType, '--scenario', 'foreign-currency-row']),
    );
    expect(totals.get('purchase EUR')).toBe('2 150.00');
  });
});
