import { expect, test } from 'vitest';
import { explainSettlement } from '../../src/app/explain-settlement.ts';
import type { ChargeSource } from '../../src/model/charge.ts';
import { chargeRemarks } from '../../src/report/explain/sections.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';
import { buildCharge } from '../support/build-charge.ts';
import { FakeSource } from './fake-source.ts';

test('at most 200 charges are asked for, and the result says how many are left', async () => {
  const rows = Array.from({ length: 250 }, (_, index) =>
    buildRow({ id: uuid(index), chargeId: uuid(5000 + index), amount: 10n, fees: 0n, tax: 0n }),
  );
  const settlement = buildSettlement({
    status: 'settled_out_of_balance',
    transactions: 250,
    gross: 2500n,
    fees: 0n,
    tax: 0n,
    payIn: 2500n,
  });
  const asked: string[] = [];
  const charges: ChargeSource = {
    charge: async (id) => {
      asked.push(id);
      return buildCharge({ id }, { settled: undefined });
    },
    chargeDocument: async () => undefined,
  };
  const { charges: seen, reconciled } = await explainSettlement(settlement.id, {
    source: new FakeSource([settlement], { [settlement.id]: { batches: [rows] } }),
    settings: defaultSettings,
    neighbourDays: 0,
    isDeep: false,
    neighbourRows: false,
    charges,
    ahead: 8,
  });
  expect(reconciled.verdict).toBe('out_of_balance');
  expect(asked).toHaveLength(200);
  expect(seen?.named).toBe(250);
  const said = seen ? chargeRemarks(seen).map(({ text }) => text) : [];
  expect(said).toEqual(['200 charges without findings', '50 more charges not read']);
});
