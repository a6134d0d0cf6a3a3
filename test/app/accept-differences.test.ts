import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  acceptLine,
  acceptOnBank,
  decisionsNow,
  removeLine,
} from '../../src/app/accept-differences.ts';
import { acceptDifference, decisionId } from '../../src/app/decisions.ts';
import { tableOf } from '../../src/base/lists.ts';
import { decisionColumns } from '../../src/register/decisions-file.ts';
import { csvText } from '../../src/render/csv.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { lock } from './lock.ts';
import { bankWith, euros, judged, march, month, paid, yen } from './month.ts';

const short = { ...euros, gross: 9_00n, payIn: 8_64n };
const reasons = { reason: 'known', by: 'Anna', on: '2026-04-02', until: undefined, account: '' };
const asked = { settlementId: euros.id, ...reasons };

async function changing() {
  const register = join(await temporaryFolder(), 'accepted.csv');
  return { register, lock, csvText, today: '2026-04-02', replaces: false, isClosed: () => false };
}

test('a difference is accepted as it is now, put into the register and removed again', async () => {
  const how = await changing();
  const source = month([short]);
  const line = await acceptDifference({ ...asked, difference: '-1.00' }, source, judged.settings);
  expect((await acceptLine(line, how)).done).toBe('accepted');
  expect((await acceptLine(line, how)).done).toBe('unchanged');
  expect(await readFile(how.register, 'utf8')).toContain(euros.id);
  const key = { kind: 'pay_in', id: euros.id } as const;
  const closed = removeLine(key, { ...how, isClosed: () => true });
  await expect(closed).rejects.toThrow('is closed, with this decision');
  expect(await removeLine(key, how)).toMatchObject({ done: 'removed', remaining: undefined });
  await expect(removeLine(key, how)).rejects.toThrow('is not in the register');
});

test('a bank difference of one account is accepted, that of the other is refused', async () => {
  const [first, ...others] = paid;
  const bank = bankWith(first ? [{ ...first, amount: 9_00n }, ...others] : []);
  const { filters } = march;
  const options = { source: month([euros, yen]), filters, bank };
  const line = await acceptOnBank({ ...asked, difference: '-0.64' }, options);
  expect(line).toMatchObject({ currency: 'EUR', received: 9_00n });
  const request = { ...asked, settlementId: yen.id, difference: '1' };
  await expect(acceptOnBank(request, options)).rejects.toMatchObject({ failure: 'usage' });
});

test('the differences of a list are read again from the settlements that it names', async () => {
  const cells = tableOf(decisionColumns, () => '');
  const written = { line: 2, cells: { ...cells, kind: 'pay_in', settlement_id: euros.id } };
  const source = month([short, yen]);
  const { decisions } = await decisionsNow([written], {
    ...judged,
    ...march,
    source,
    bank: undefined,
  });
  expect(source.asked.map(({ id }) => id)).toEqual([euros.id]);
  expect(decisions.get(decisionId({ kind: 'pay_in', id: euros.id }))).toMatchObject({
    difference: { currency: 'EUR' },
  });
});
