import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Closing } from '../../src/app/close-range.ts';
import { closeVerdict } from '../../src/app/close-report.ts';
import { recordClose, reopenClose } from '../../src/app/record-close.ts';
import { differenceAmount } from '../../src/model/accepted-difference.ts';
import { closesInForce } from '../../src/model/close.ts';
import { readCloses } from '../../src/register/closes-register.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { lock } from './lock.ts';
import { bankWith, judged, march, month, paid } from './month.ts';

type Options = ConstructorParameters<typeof Closing>[0];

async function closeOf(changes: Partial<Options> = {}) {
  const closing = new Closing({
    query: march,
    settings: judged.settings,
    ageingAndAccepted: {},
    bank: bankWith(),
    books: { closes: [], begin: '2026-03-01', opening: [] },
    today: '2026-04-02',
    causeOf: () => 'cause',
    ...changes,
  });
  return closing.judge(await closing.read({ source: month(), ahead: 2 }));
}

test('a month that is paid in full is ready, with nothing in transit in either currency', async () => {
  const report = await closeOf();
  expect(report.blockers).toEqual([]);
  expect(report.rollForward.lines.map(({ currency, closing }) => [currency, closing])).toEqual([
    ['EUR', 0n],
    ['JPY', 0n],
  ]);
});

test('what the bank has not paid stays in transit, and stands against closing', async () => {
  const report = await closeOf({ bank: bankWith(paid.slice(0, 1)) });
  const [missing, ...others] = report.blockers;
  expect([missing?.code, others]).toEqual(['missing_on_bank', []]);
  // As its decision has it: what has not arrived is less.
  expect(missing?.amounts).toEqual([{ minor: -964n, currency: 'JPY', scale: 0 }]);
  expect(report.decisions.map((one) => differenceAmount(one.difference))).toEqual([-964n]);
  expect(report.rollForward.lines.map(({ closing }) => closing)).toEqual([0n, 964n]);
});

test('without an identity, or before the books begin, there is nothing to close', async () => {
  const settings = { ...judged.settings, identity: 'off' } as const;
  await expect(closeOf({ settings })).rejects.toThrow('Net pay-outs are not calculated');
  const books = { closes: [], begin: '2026-04-01' };
  await expect(closeOf({ books })).rejects.toThrow('The books begin on 2026-04-01');
});

test('a close is recorded if it is ready or forced, and the last one can be reopened', async () => {
  const register = join(await temporaryFolder(), 'closes.csv');
  const signature = {
    profile: 'main',
    service: 'host',
    at: '2026-04-02T08:00:00.000Z',
    by: 'Anna',
    note: '',
    tool: '1',
  };
  const how = { register, lock, signature, isNew: true };
  const open = await closeOf({ bank: bankWith(paid.slice(0, 1)) });
  expect((await recordClose(open, { ...how, isForced: false })).recorded).toBeUndefined();
  const recorded = await recordClose(open, { ...how, isForced: true });
  expect(closeVerdict(recorded)).toBe('closed');
  expect(recorded.recorded).toMatchObject({
    forced: [{ code: 'missing_on_bank', count: 1 }],
    by: 'Anna',
  });
  // The register has changed since this report was made.
  await expect(recordClose(open, { ...how, isNew: false, isForced: true })).rejects.toMatchObject({
    failure: 'locked',
  });
  await reopenClose({ ...how, isNew: false });
  expect(closesInForce((await readCloses(register)) ?? [], 'main')).toEqual([]);
  await expect(reopenClose({ ...how, isNew: false })).rejects.toThrow('No close to reopen.');
});
