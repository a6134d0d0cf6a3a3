import { describe, expect, test } from 'vitest';
import { readSettlement } from '../../src/app/read-settlements.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import { headerFindings } from '../../src/reconcile/reconcile-run.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import { SharedTransactions } from '../../src/reconcile/shared-transactions.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { fee, paid, read, report, sale, wholeMarch } from './files.ts';

type Files = Parameters<typeof read>[0];

/** The settlements of files, judged, with what is found about the files. */
async function judged(files: Files) {
  const source = await read(files);
  const list = await source.headers(wholeMarch);
  const settlements = [];
  for (const one of list.settlements) {
    const reading = await readSettlement(source, one, 0, () => {});
    settlements.push(reconcileSettlement({ ...reading, settings: defaultSettings }));
  }
  return { list, settlements, findings: headerFindings(list) };
}

/** Balance and figures of the only settlement. */
async function theOne(lines: Parameters<typeof report>[0], order?: Parameters<typeof report>[1]) {
  const { settlements } = await judged({ 'a.csv': report(lines, order) });
  const [one] = settlements;
  if (!one || settlements.length > 1) throw new Error(`${settlements.length} settlements`);
  return one;
}

describe('a batch', () => {
  const lines = [sale('1'), sale('2', { grossCredit: '.91', netCredit: '.91', interchange: '' })];

  test('states its pay-in and nothing else', async () => {
    const { reported, computed, verdict } = await theOne([...lines, paid('20.61')]);
    expect(verdict).toBe('balanced');
    const notStated = { gross: undefined, fees: undefined, tax: undefined };
    expect(reported).toEqual({ ...notStated, payIn: 20_61n, transactions: undefined });
    expect(computed).toEqual({ gross: 20_91n, fees: 30n, tax: 0n, payIn: 20_61n, transactions: 2 });
  });

  test('is out of balance if a line is missing, by its net amount', async () => {
    const { verdict, discrepancies, difference } = await theOne([sale('1'), paid('20.61')]);
    expect(verdict).toBe('out_of_balance');
    expect(discrepancies.map(({ code }) => code)).toEqual(['pay_in']);
    expect(difference?.payIn).toBe(91n);
  });

  test('may have its columns in any order, with others among them', async () => {
    const order = ['netCredit', 'type', 'batch', 'date', 'zone', 'id', 'psp', 'order'] as const;
    const rest = ['method', 'account', 'currency', 'note', 'netDebit', 'rate', 'company'] as const;
    const gross = ['grossCurrency', 'grossDebit', 'grossCredit'] as const;
    const fees = ['interchange', 'scheme', 'markup', 'commission'] as const;
    const all = [...order, ...rest, ...gross, ...fees];
    expect(await theOne([...lines, paid('20.61')], all)).toMatchObject({ verdict: 'balanced' });
  });

  test('may be paid out of the balance: its pay-in is negative', async () => {
    const refund = { type: 'Refunded', grossDebit: '30', netDebit: '30.1', interchange: '0.1' };
    const cells = { ...refund, grossCredit: '', netCredit: '' };
    const back = paid('', { netCredit: '30.10' });
    const { reported, verdict } = await theOne([sale('1', cells), back]);
    expect([reported.payIn, verdict]).toEqual([-30_10n, 'balanced']);
  });

  test('may be paid in two parts', async () => {
    const second = paid('.61', { id: 'TX2 batch 7, SHOP' });
    const { settlement, verdict } = await theOne([...lines, paid('20'), second]);
    expect([settlement.payIn, verdict]).toEqual([20_61n, 'balanced']);
    expect(settlement.paymentReferences).toEqual(['TX1 batch 7, SHOP', 'TX2 batch 7, SHOP']);
  });

  test('is one settlement in each currency', async () => {
    const dollars = { currency: 'USD', grossCurrency: 'USD' };
    const { settlements } = await judged({
      'a.csv': report([sale('1'), sale('2', dollars), paid('19.70'), paid('19.70', dollars)]),
    });
    expect(settlements.map(({ settlement, verdict }) => [settlement.id, verdict])).toEqual([
      ['SHOP-7-EUR', 'balanced'],
      ['SHOP-7-USD', 'balanced'],
    ]);
  });

  test('has the gross that its net and fees give where its sales are in another currency', async () => {
    const dollars = { grossCurrency: 'USD', grossCredit: '23.456', rate: '0.8527' };
    expect(await theOne([sale('1', dollars), paid('19.70')])).toMatchObject({
      computed: { gross: 20_00n, fees: 30n, payIn: 19_70n },
    });
  });

  test('keeps times as they are written, with the zone in a column of its own', async () => {
    const { settlement } = await theOne([
      ...lines,
      paid('20.61', { zone: 'BST', date: '2026-03-05 00:46:38' }),
    ]);
    expect([settlement.date, settlement.timestamp]).toEqual(['2026-03-05', '2026-03-05T00:46:38']);
  });
});

describe('lines without an id', () => {
  test('are lines of their own, however equal', async () => {
    const one = await theOne([sale('1'), fee(), fee(), paid('17.70')]);
    expect([one.verdict, one.computed?.fees]).toEqual(['balanced', 2_30n]);
  });

  test('are as often there as in the file that has them most often', async () => {
    const [first, second] = [
      [sale('1'), fee(), fee(), paid('17.70')],
      [fee(), sale('1')],
    ];
    const { settlements, findings } = await judged({
      'a.csv': report(first),
      'b.csv': report(second),
    });
    expect(settlements.map(({ verdict }) => verdict)).toEqual(['balanced']);
    expect(findings).toMatchObject([
      { code: 'repeated_files', facts: { examples: [{ file: 'b.csv', lines: 2 }] } },
    ]);
  });
});

describe('a balance carried over', () => {
  const out = { type: 'Balancetransfer', netDebit: '19.7', note: 'Balancetransfer to batch 8' };
  const into = {
    type: 'Balancetransfer',
    netCredit: '19.7',
    note: 'Balancetransfer from batch 7',
    batch: '8',
  };
  const next = [into, sale('2', { batch: '8' }), paid('39.40', { batch: '8' })];

  test('is no gross, and leaves a pay-in of zero', async () => {
    const { settlements, findings } = await judged({ 'a.csv': report([sale('1'), out, ...next]) });
    expect(settlements.map(({ verdict, reported }) => [verdict, reported.payIn])).toEqual([
      ['balanced', 0n],
      ['balanced', 39_40n],
    ]);
    expect(settlements[1]?.computed).toMatchObject({ gross: 20_00n, fees: 30n, payIn: 39_40n });
    expect(findings).toEqual([]);
  });

  test('must arrive in the next batch', async () => {
    const other = [{ ...into, netCredit: '19.6' }, ...next.slice(1)];
    const { findings } = await judged({ 'a.csv': report([sale('1'), out, ...other]) });
    expect(findings).toMatchObject([
      {
        code: 'missing_files',
        weight: 'incomplete',
        facts: {
          examples: [{ kind: 'carried', out: { minor: 19_70n }, arrived: { minor: 19_60n } }],
        },
      },
    ]);
  });
});

describe('a balance in a currency', () => {
  const moved = (note: string, cells: object) => ({ type: 'Balancetransfer', note, ...cells });
  const arrives = moved('Balancetransfer from batch 7', { netCredit: '19.7', batch: '8' });
  const other = [sale('2', { currency: 'USD' }), paid('19.70', { currency: 'USD' })];

  test.each([
    [
      'that the next batch does not have is missing there',
      [sale('1'), moved('Balancetransfer to batch 8', { netDebit: '19.7' })],
      other.map((one) => ({ ...one, batch: '8' })),
      { out: { minor: 19_70n }, arrived: { minor: 0n } },
    ],
    [
      'that the batch before does not have is missing there',
      other,
      [arrives, paid('19.70', { batch: '8' })],
      { out: { minor: 0n }, arrived: { minor: 19_70n } },
    ],
  ])('%s', async (_, batch, next, amounts) => {
    const { findings } = await judged({ 'a.csv': report([...batch, ...next]) });
    expect(findings).toMatchObject([
      { facts: { examples: [{ kind: 'carried', from: '7', to: '8', ...amounts }] } },
    ]);
  });
});

describe('what is not complete', () => {
  const gapsOf = async (files: Files) =>
    (await judged(files)).findings.flatMap((one) =>
      one.code === 'missing_files' ? one.facts.examples : [],
    );

  test('are numbers of batches that no file has', async () => {
    const later = [sale('2', { batch: '11' }), paid('19.70', { batch: '11' })];
    expect(
      await gapsOf({ 'a.csv': report([sale('1'), paid('19.70')]), 'b.csv': report(later) }),
    ).toEqual([{ kind: 'numbers', account: 'SHOP', from: '8', to: '10' }]);
  });

  test('are not numbers between batches long before the range', async () => {
    const [before, longAgo] = [{ date: '2026-01-05' }, { date: '2026-01-02', batch: '3' }];
    expect(
      await gapsOf({
        'a.csv': report([sale('1', before), paid('19.70', before)]),
        'b.csv': report([sale('2', longAgo), paid('19.70', longAgo)]),
      }),
    ).toEqual([]);
  });

  test('are rows without a pay-out, with their sum', async () => {
    const sum = { minor: 18_70n, scale: 2, currency: 'EUR' };
    expect(await gapsOf({ 'a.csv': report([sale('1'), fee()]) })).toEqual([
      { kind: 'no_payout', account: 'SHOP', from: '7', rows: 2, sum, examples: ['1', 'a.csv:3'] },
    ]);
  });

  test('are such rows of the days before the range too, since they are paid later', async () => {
    const of = (date: string) => gapsOf({ 'a.csv': report([sale('1', { date })]) });
    expect(await of('2026-02-25')).toMatchObject([{ kind: 'no_payout', from: '7' }]);
    expect(await of('2026-02-15')).toEqual([]);
  });

  test('is what is paid, if that cannot be read', async () => {
    const { list } = await judged({ 'a.csv': report([sale('1'), paid('1.97E+1')]) });
    expect(list).toMatchObject({ settlements: [], unreadable: [{ record: 'a.csv:3' }] });
  });

  test('is the first line of a pay-out, if it cannot be read', async () => {
    const lines = [sale('0', { netCredit: '1.97E+1' }), sale('1'), paid('39.40')];
    const { settlements, list } = await judged({ 'a.csv': report(lines) });
    expect(settlements).toMatchObject([{ verdict: 'incomplete' }]);
    expect(list.unreadable).toEqual([]);
  });

  test('is a pay-out without rows', async () => {
    expect(await gapsOf({ 'a.csv': report([paid('19.70')]) })).toMatchObject([
      { kind: 'no_rows', from: '7', sum: { minor: 19_70n } },
    ]);
  });

  test('is a row that another file has differently', async () => {
    const other = sale('1', { grossCredit: '21', netCredit: '20.7' });
    expect(
      await gapsOf({ 'a.csv': report([sale('1'), paid('19.70')]), 'b.csv': report([other]) }),
    ).toMatchObject([{ kind: 'files_differ', from: '7', files: ['b.csv'] }]);
  });

  test.each([
    ['an amount that a spreadsheet has changed', { netCredit: '1.97E+1' }, 'amount'],
    ['an amount with a decimal comma', { netCredit: '19,7' }, 'amount'],
    ['an id that a spreadsheet has shortened', { id: '1.31609E+15' }, 'text'],
    ['a date of another form', { date: '02/03/2026' }, 'date'],
    ['fees that its gross and net do not give', { interchange: '0.4' }, 'sum'],
  ] as const)('is %s', async (_, cells, expected) => {
    const { settlements } = await judged({
      'a.csv': report([sale('0'), sale('1', cells), paid('39.40')]),
    });
    expect(settlements).toMatchObject([
      {
        verdict: 'incomplete',
        discrepancies: [
          {
            code: 'unreadable_record',
            facts: { examples: [{ record: 'a.csv:3', expected }] },
          },
        ],
      },
    ]);
  });
});

test('a transaction that is in two batches is named, a refund and its reversal are not', async () => {
  const sharedOf = async (second: Parameters<typeof sale>[1]) => {
    const other = { batch: '8', ...second };
    const source = await read({
      'a.csv': report([sale('1'), paid('19.70')]),
      'b.csv': report([sale('1', other), paid('19.70', { id: 'TX2', batch: '8' })]),
    });
    const shared = new SharedTransactions();
    for (const one of (await source.headers(wholeMarch)).settlements) {
      const rows = new RowColumns();
      for await (const batch of source.rows(one)) rows.add(batch);
      shared.add(one.id, rows);
    }
    return shared.finding;
  };
  expect(await sharedOf({})).toMatchObject({
    count: 1,
    facts: {
      examples: [{ transactionId: '1', settlementIds: ['SHOP-7-EUR', 'SHOP-8-EUR'] }],
    },
  });
  expect(await sharedOf({ type: 'Chargeback' })).toBeUndefined();
});

test('many transactions of many batches keep their order and texts', async () => {
  const sales = Array.from({ length: 20_000 }, (_, at) =>
    sale(`${at}`, { batch: `${7 + (at % 3)}`, order: `Nº ${at} é\\` }),
  );
  const source = await read({ 'a.csv': report([...sales, paid('1'), paid('1', { batch: '8' })]) });
  const [first] = (await source.headers(wholeMarch)).settlements;
  if (!first) throw new Error('no settlement');
  const rows = new RowColumns(0, true);
  const orders: string[] = [];
  for await (const batch of source.rows(first)) {
    rows.add(batch);
    orders.push(...rowsOf(batch).map(({ orderId }) => orderId));
  }
  const own = sales.filter(({ batch }) => batch === '7');
  expect(Array.from({ length: rows.size }, (_, row) => rows.id(row))).toEqual(
    own.map(({ id }) => id),
  );
  expect(orders).toEqual(own.map(({ order }) => order));
  expect([rows.chargeId(5000), rows.amount(5000)]).toEqual(['P15000', 20_00n]);
});

test('the same file twice counts once', async () => {
  const text = report([sale('1'), fee(), paid('18.70')]);
  const { settlements, findings } = await judged({ 'a.csv': text, 'copy.csv': text });
  expect(settlements.map(({ verdict }) => verdict)).toEqual(['balanced']);
  expect(findings.map(({ code, weight }) => [code, weight])).toEqual([
    ['repeated_files', 'notice'],
  ]);
});

test('a file without a column of the mapping is refused by its name', async () => {
  await expect(read({ 'a.csv': 'Type,Batch Number\nFee,7\n' })).rejects.toThrow(
    /^The settlement file has no column .*Creation Date/,
  );
});
