import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';
import { profileSettings, type Told, toldInJson } from './adapter.ts';
import { march, type Rounding } from './contract.ts';
import type { Sums } from './oracle.ts';

const shop = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';
const stores = '8a61d0c4-2f97-4e5b-b8d3-905c6e17fa24';
const base = { valid_from: '2026-01-01', rounding: 'down' };

/** The sandbox's true rates, but for the fixed part and the rounding of its purchases. */
function rates(euros: string, yen: string, rounding: Rounding = 'down') {
  const terms = { ...base, tax: { percent: '20', rounding: 'down', per: 'row' } };
  const purchase = { ...terms, types: ['purchase'], percent: '1.4', rounding };
  const refund = { ...terms, types: ['refund'], percent: '0' };
  return [
    { ...purchase, name: 'purchases', currency: 'EUR', fixed: euros },
    { ...purchase, name: 'purchases in yen', currency: 'JPY', fixed: yen },
    { ...terms, name: 'chargebacks', types: ['chargeback'], currency: 'EUR', fixed: '15.00' },
    { ...refund, name: 'refunds', currency: 'EUR' },
    { ...refund, name: 'refunds in yen', currency: 'JPY' },
  ];
}

async function sandbox(agreed_rates: readonly object[], scenario?: string): Promise<Told> {
  const config = join(await temporaryFolder(), 'config.toml');
  const settings = profileSettings('UTC', { agreed_rates });
  await writeFile(config, profileOf('shop', 'http://127.0.0.1:1', settings), { mode: 0o600 });
  const flags = scenario === undefined ? [] : ['--scenario', scenario];
  const days = ['--from', march.from, '--to', march.to];
  const source = ['--sandbox', ...flags, ...days, '--config', config];
  return toldInJson(await runRecon(['fees', ...source, '--format', 'json']));
}

function total({ groups }: Told, currency: string) {
  const own = [...groups].filter(([key]) => key.includes(` ${currency} `));
  const sum = (of: 'over' | 'under' | 'taxOver') =>
    own.reduce((all, [, sums]) => all + sums[of], 0n) / 10_000n;
  return { over: sum('over'), under: sum('under'), taxOver: sum('taxOver') };
}

const count = ({ groups }: Told, of: (sums: Sums) => number) =>
  [...groups.values()].reduce((sum, sums) => sum + of(sums), 0);

describe('the figures of CLOSING 8', () => {
  test('come out as agreed for all rows with the true rates', async () => {
    const told = await sandbox(rates('0.25', '25'));
    expect(count(told, ({ rows, withoutRate }) => rows - withoutRate)).toBe(1743);
    const nothing = { over: 0n, under: 0n, taxOver: 0n };
    expect([total(told, 'EUR'), total(told, 'JPY')]).toEqual([nothing, nothing]);
    const fees = [...told.withoutRow.values()].map(({ over }) => over);
    expect(fees).toEqual([1_440_000n]);
  });

  test('come out with 0.20 agreed as the fixed part', async () => {
    const told = await sandbox(rates('0.20', '20'));
    expect(total(told, 'EUR')).toEqual({ over: 7735n, under: 0n, taxOver: 1547n });
    expect(total(told, 'JPY')).toEqual({ over: 89_500n, under: 0n, taxOver: 17_900n });
    expect(told.kinds.get('EUR')).toMatchObject({ fixed: 77_350_000n, rate: 0n });
  });

  test('come out with half up agreed', async () => {
    const told = await sandbox(rates('0.25', '25', 'half_up'));
    expect(total(told, 'EUR')).toMatchObject({ over: 0n, under: 782n });
  });

  test('come out for fees that drift', async () => {
    const card = { ...base, payment_types: ['card'], currency: 'EUR' };
    const transfer = {
      ...card,
      payment_types: ['bank_transfer'],
      name: 'transfers',
      percent: '0.8',
    };
    const drift = (rounding?: Rounding) => {
      const own = { name: 'stores', tokens: [stores], percent: '1.5', rounding };
      const agreed = { ...card, name: 'shop', tokens: [shop], percent: '1.4' };
      const all = [agreed, { ...card, ...own }, transfer];
      return sandbox(JSON.parse(JSON.stringify(all)), 'fee-drift');
    };
    const told = await drift();
    const wallet = told.groups.get(`${shop} | EUR | wallet | purchase`);
    expect(wallet).toMatchObject({ charged: 500_000n, over: 0n, withoutRate: 1 });
    expect(told.groups.get(`${shop} | EUR | card | purchase`)?.over).toBe(900_000n);
    expect(total(told, 'EUR')).toMatchObject({ over: 90n });
    expect(total(await drift('half_up'), 'EUR')).toMatchObject({ over: 91n });
  });
});
