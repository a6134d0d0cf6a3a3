import { describe, expect, it } from 'vitest';
import { expandFixture, type Fixture } from '../../src/sandbox/fixture.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from '../../src/sandbox/scenario.ts';
import { loadScenario, scenarioNames } from '../../src/sandbox/scenarios.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Reported minus the plain sums of what is listed: gross, fees, tax, pay-in, count. */
function off({ header, rows }: ScenarioSettlement, counted: readonly WireRecord[] = rows) {
  const sum = (field: string) => counted.reduce((total, row) => total + Number(row[field]), 0);
  const [gross, fees, tax] = [sum('amount'), sum('fees'), sum('tax')];
  return [
    Number(header['amountGross']) - gross,
    Number(header['fees']) - fees,
    Number(header['tax']) - tax,
    Number(header['amountPayIn']) - (gross - fees - tax),
    Number(header['totalTransactions']) - counted.length,
  ];
}

/** Whether pay-in = gross − fees − tax within the header. */
function agreesWithItself({ header }: ScenarioSettlement): boolean {
  const [gross, fees, tax, payIn] = ['amountGross', 'fees', 'tax', 'amountPayIn'].map((field) =>
    Number(header[field]),
  );
  return payIn === Number(gross) - Number(fees) - Number(tax);
}

const settled = (scenario: Scenario) =>
  scenario.settlements.map(({ header }) => header['settlementStatus']);
const onceEach = (rows: readonly WireRecord[]) => [
  ...new Map(rows.map((row) => [row['transactionId'], row])).values(),
];
const none = [0, 0, 0, 0, 0];

/** Scenarios whose settlements all differ from their rows by just this. */
const differences: Record<string, number[][]> = {
  'fee-off-by-one': [[0, 1, 0, -1, 0]],
  'missing-row': [[15000, 375, 75, 14550, 1]],
  'shared-transaction': [none, none],
  refund: [none, none],
  offsetting: [
    [500, 0, 0, 500, 0],
    [-500, 0, 0, -500, 0],
  ],
  'unusual-scale': [none, none, none],
  'foreign-settlement-row': [none, none],
  'service-says-out-of-balance': [none],
  'service-says-settled': [
    [1000, 0, 0, 1000, 0],
    [-200, 0, 0, -200, 0],
  ],
  'two-causes': [[300, 7, 1, 292, -2]],
  'declined-rows': [
    [-5700, 0, 0, -5700, -3],
    [-2000, 0, 0, -2000, -1],
    [-2000, 0, 0, -2000, -2],
    [-1550, 0, 0, -1550, -2],
    none,
  ],
  'contradicting-header': [[0, 0, 0, -50, 0], none],
  'other-identity': [
    [0, 0, 0, 150, 0],
    [0, 0, 0, 20, 0],
  ],
  pending: [none, none, [2000, 0, 0, 2000, 0]],
  overdue: [none, none, none, none, none],
  'unknown-status': [none],
  charges: [[-2500, -63, -13, -2424, -1], none, none, none],
  'fee-drift': [none, none, none, none],
  'outside-range': [none, none],
  filters: [none, none, none],
  empty: [],
  'hostile-text': [none, none],
};

describe('every scenario', () => {
  it('is known by its name, with the month first', async () => {
    expect(scenarioNames[0]).toBe('month');
    await expect(loadScenario('monthly')).rejects.toThrow('Known: month, balanced');
    await expect(loadScenario('toString')).rejects.toThrow('Unknown scenario');
  });

  it.each(scenarioNames)('%s: has valid ids, one per transaction', async (name) => {
    const scenario = await loadScenario(name);
    const { settlements } = scenario;
    expect(scenario.about).toMatch(/\.$/);
    const seen = new Set<unknown>();
    let rows = 0;
    for (const settlement of settlements) {
      if (name !== 'hostile-text') {
        expect(settlement.header['settlementId']).toMatch(uuid);
        expect(settlement.header['accountingToken']).toMatch(uuid);
      }
      for (const row of settlement.rows) {
        rows += 1;
        seen.add(row['transactionId']);
        if (name === 'hostile-text') continue;
        for (const field of ['transactionId', 'chargeId', 'orderId', 'settlementId']) {
          expect(row[field]).toMatch(uuid);
        }
      }
    }
    const twice = ['duplicate-row', 'conflicting-row', 'shared-transaction', 'month'];
    expect(rows - seen.size).toBe(twice.includes(name) ? 1 : 0);
    const settlementIds = new Set(settlements.map(({ header }) => header['settlementId']));
    expect(settlements.length - settlementIds.size).toBe(name === 'conflicting-header' ? 1 : 0);
  });

  it.each(scenarioNames)('%s: has records of the documented form', async (name) => {
    for (const { header, rows } of (await loadScenario(name)).settlements) {
      expect(Object.keys(header).sort()).toEqual(headerFields);
      for (const row of rows) {
        expect(Object.keys(row).sort()).toEqual(rowFields);
        expect(row['decimalPlaces']).toBeTypeOf('string');
      }
    }
  });

  it.each(scenarioNames)('%s: is within its period', async (name) => {
    const { period, settlements } = await loadScenario(name);
    for (const { header, filter } of settlements) {
      const date = filter?.date ?? String(header['settlementDate']).slice(0, 10);
      expect(period.from <= date && date <= period.to).toBe(true);
    }
  });

  it.each(Object.entries(differences))('%s: differs as its text says', async (name, expected) => {
    const { settlements } = await loadScenario(name);
    expect(settlements.map((settlement) => off(settlement))).toEqual(expected);
  });

  it('is the same each time', async () => {
    expect(await loadScenario('month')).toEqual(await loadScenario('month'));
  });
});

describe('the scenario', () => {
  it('balanced: balances for every token and currency, with the totals of its text', async () => {
    const { settlements } = await loadScenario('balanced');
    const totals: Record<string, number[]> = {};
    for (const settlement of settlements) {
      const { header } = settlement;
      expect(off(settlement)).toEqual(none);
      expect(agreesWithItself(settlement)).toBe(true);
      const group = `${String(header['accountingToken']).slice(0, 4)} ${header['currencyCode']}`;
      const amounts = ['amountGross', 'fees', 'tax', 'amountPayIn'].map((f) => Number(header[f]));
      totals[group] = amounts.map((amount, index) => amount + (totals[group]?.[index] ?? 0));
    }
    expect(totals).toEqual({
      '3f0c EUR': [57000, 1320, 264, 55416],
      '8a61 EUR': [16050, 360, 72, 15618],
      'c27e JPY': [21000, 525, 52, 20423],
      'd9b4 KWD': [75750, 1893, 0, 73857],
    });
    expect(settlements.map(({ header }) => header['decimalPlaces'])).toEqual([
      2, 2, 0, 3, 2, 2, 0, 3, 2,
    ]);
  });

  it('fee-off-by-one, missing-row, service-says-settled: have headers that agree with themselves', async () => {
    for (const name of ['fee-off-by-one', 'missing-row', 'service-says-settled', 'offsetting']) {
      expect((await loadScenario(name)).settlements.every(agreesWithItself)).toBe(true);
    }
    const [contradicting] = (await loadScenario('contradicting-header')).settlements;
    expect(contradicting && agreesWithItself(contradicting)).toBe(false);
  });

  it('duplicate-row: lists a row twice with the same content', async () => {
    const [settlement] = (await loadScenario('duplicate-row')).settlements;
    if (settlement === undefined) throw new Error('no settlement');
    expect(settlement.rows[1]).toEqual(settlement.rows[2]);
    expect(off(settlement, onceEach(settlement.rows))).toEqual(none);
  });

  it('conflicting-row: lists a row twice with different contents', async () => {
    const [settlement] = (await loadScenario('conflicting-row')).settlements;
    if (settlement === undefined) throw new Error('no settlement');
    const [first, either, or] = settlement.rows;
    expect({ ...either, amount: 3100 }).toEqual(or);
    expect(off(settlement, [first ?? {}, either ?? {}])).toEqual(none);
  });

  it('shared-transaction: has a transaction in two settlements', async () => {
    const [first, second] = (await loadScenario('shared-transaction')).settlements;
    expect(first?.rows[1]?.['transactionId']).toBe(second?.rows[0]?.['transactionId']);
    expect(first?.rows[1]?.['settlementId']).toBe(first?.header['settlementId']);
    expect(second?.rows[0]?.['settlementId']).toBe(second?.header['settlementId']);
  });

  it('refund: refunds a charge in the scenario', async () => {
    const [first] = (await loadScenario('refund')).settlements;
    expect(first?.rows[2]?.['chargeId']).toBe(first?.rows[0]?.['chargeId']);
    expect(first?.rows[2]?.['transactionId']).not.toBe(first?.rows[0]?.['transactionId']);
  });

  it('foreign-currency-row: balances without the row', async () => {
    const [settlement] = (await loadScenario('foreign-currency-row')).settlements;
    if (settlement === undefined) throw new Error('no settlement');
    const euros = settlement.rows.filter((row) => row['currencyCode'] === 'EUR');
    expect(off(settlement, euros)).toEqual([0, 0, 0, 0, 1]);
    expect(settlement.rows).toHaveLength(3);
  });

  it('other-scale: balances after it is rescaled', async () => {
    const [euros, chile] = (await loadScenario('other-scale')).settlements;
    if (euros === undefined || chile === undefined) throw new Error('no settlement');
    expect(euros.rows.map((row) => row['decimalPlaces'])).toEqual(['2', '3']);
    const cents = euros.rows.map((row) =>
      row['decimalPlaces'] === '2' ? row : { amount: 5000, fees: 125, tax: 25 },
    );
    expect(euros.rows[1]).toMatchObject({ amount: 50000, fees: 1250, tax: 250 });
    expect(off(euros, cents)).toEqual(none);
    expect(off(chile)).toEqual(none);
    expect(chile.header['decimalPlaces']).toBe(4);
    expect(chile.rows.map((row) => row['decimalPlaces'])).toEqual(['4', '4']);
  });

  it('foreign-settlement-row: has a row that names the other settlement', async () => {
    const [first, second] = (await loadScenario('foreign-settlement-row')).settlements;
    expect(first?.rows[1]?.['settlementId']).toBe(second?.header['settlementId']);
  });

  it('service-says-..., pending, unknown-status: have the statuses of their names', async () => {
    const statuses = async (name: string) => settled(await loadScenario(name));
    expect(await statuses('service-says-out-of-balance')).toEqual(['settled_out_of_balance']);
    expect(await statuses('service-says-settled')).toEqual(['settled', 'settled_out_of_balance']);
    expect(await statuses('pending')).toEqual(['settled', 'pending_settlement', 'validated']);
    expect(await statuses('unknown-status')).toEqual(['on_hold']);
  });

  it('malformed: has the errors of its text, and two readable settlements', async () => {
    const [first, second, third, fourth, fifth] = (await loadScenario('malformed')).settlements;
    expect(first && off(first)).toEqual(none);
    expect(second?.rows[1]?.['decimalPlaces']).toBe('');
    expect(third?.rows[0]?.['amount']).toBe(10000.5);
    expect(fourth?.header['decimalPlaces']).toBeNull();
    expect(fifth && off(fifth)).toEqual([100, 0, 0, 100, 0]);
  });

  it('conflicting-header: has two headers for the same rows', async () => {
    const { settlements } = await loadScenario('conflicting-header');
    const [first, other, second] = settlements;
    expect(first?.header['settlementId']).toBe(second?.header['settlementId']);
    expect(first && off(first)).toEqual(none);
    expect(other && off(other)).toEqual(none);
    expect(first && second && off({ ...second, rows: first.rows })).toEqual([500, 0, 0, 500, 0]);
  });
});

describe('the month', () => {
  it('has forty settlements of three tokens, most of them balanced', async () => {
    const { settlements } = await loadScenario('month');
    const tokens = settlements.map(({ header }) => header['accountingToken']);
    expect(settlements).toHaveLength(40);
    expect(new Set(tokens).size).toBe(3);
    expect(settlements.filter(({ rows }) => rows.length > 100)).toHaveLength(3);
  });

  it('names its accounting tokens', async () => {
    const { names, settlements } = await loadScenario('month');
    const named = settlements.map(({ header }) => names[String(header['accountingToken'])]);
    expect(new Set(named)).toEqual(new Set(['Web shop', 'Stores', 'Japan']));
  });

  it('has differences where its text says, and nowhere else', async () => {
    const { settlements } = await loadScenario('month');
    const stories = settlements.flatMap((settlement) => {
      const { header, rows } = settlement;
      const own = onceEach(rows).filter((row) => row['currencyCode'] === header['currencyCode']);
      const difference = off(settlement, own);
      const status = String(header['settlementStatus']);
      if (status === 'settled' && difference.every((amount) => amount === 0)) return [];
      const token = String(header['accountingToken']).slice(0, 4);
      const date = String(header['settlementDate']).slice(0, 10);
      return [`${token} ${date} ${status} ${difference.join(' ')}`];
    });
    expect(stories).toEqual([
      '3f0c 2026-03-04 settled 0 1 0 -1 0',
      '3f0c 2026-03-12 settled 0 0 0 0 1',
      '3f0c 2026-03-18 settled 500 0 0 500 0',
      '3f0c 2026-03-25 settled -500 0 0 -500 0',
      '3f0c 2026-03-30 pending_settlement 0 0 0 0 0',
      '3f0c 2026-03-31 pending_settlement 0 0 0 0 0',
      '8a61 2026-03-10 settled_out_of_balance 8450 143 28 8279 1',
      '8a61 2026-03-17 settled_out_of_balance 0 0 0 0 0',
      '8a61 2026-03-31 validated 0 0 0 0 0',
      'c27e 2026-03-30 pending_settlement 0 0 0 0 0',
    ]);
    expect(settlements.every(agreesWithItself)).toBe(true);
  });

  it('has purchases with the fees of its rule', async () => {
    const { settlements } = await loadScenario('month');
    // 10.60 + 11.93: 25 cents and 1.4 % are 0.56, and 20 % of that 0.11, both cut off.
    expect(settlements[1]?.rows[1]).toMatchObject({ amount: 2253, fees: 56, tax: 11 });
  });
});

describe('a fixture', () => {
  const expand = (rows: Fixture['settlements'][number]['rows']) =>
    expandFixture('x', {
      about: '',
      period: { from: '2026-03-01', to: '2026-03-31' },
      defaults: { currencyCode: 'EUR', decimalPlaces: 2 },
      settlements: [{ date: '2026-03-04', rows }],
    });

  it('is refused if it refers to a missing label or pricing', () => {
    expect(() => expand([['refund', -1, 0, 0, { chargeOf: 'x' }]])).toThrow('labelled x');
    expect(() => expand([{ purchases: 1, from: 1, step: 1, spread: 1 }])).toThrow('pricing');
  });
});

const headerFields = [
  'accountingToken',
  'amountGross',
  'amountPayIn',
  'currencyCode',
  'decimalPlaces',
  'fees',
  'merchantId',
  'paymentEndToEndIds',
  'paymentReferences',
  'paymentService',
  'settlementDate',
  'settlementId',
  'settlementStatus',
  'tax',
  'totalTransactions',
];

const rowFields = [
  'amount',
  'chargeId',
  'currencyCode',
  'decimalPlaces',
  'fees',
  'notes',
  'orderId',
  'paymentType',
  'settlementId',
  'state',
  'tax',
  'timestamp',
  'transactionId',
  'transactionType',
];
