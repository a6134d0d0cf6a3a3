import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { afterToken, type Reply, startServer, wrapped } from './server.ts';
import { temporaryFolder } from './temporary.ts';

/** A settlement as the service lists it: of one row, by which its gross may be off. */
interface Header {
  readonly settlementId: string;
  readonly settlementDate: string;
  readonly settlementStatus: string;
  readonly amountGross: number;
}

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
const idOf = (day: number) => `${String(day).padStart(8, '0')}-0000-4000-8000-000000000000`;

function header(day: number, rest: Partial<Header> = {}): Header {
  return {
    settlementId: idOf(day),
    settlementDate: `${dayOf(day)}T04:30:00Z`,
    settlementStatus: 'settled',
    amountGross: 1000,
    ...rest,
  };
}

const off = { amountGross: 1005 };
const pending = { settlementStatus: 'pending_settlement' };
const failing: Reply = { body: { status: { code: '1010', response: 'Fail' } } };

/** A service that may say of an id what no list of it says; what `byId` leaves open is as it is listed. */
interface Service {
  listed: readonly Header[];
  list?: (day: string) => Reply | undefined;
  byId?: (id: string) => readonly Header[] | Reply | undefined;
}

async function startNights(listed: readonly Header[]) {
  const service: Service = { listed };
  const server = await startServer(
    afterToken(({ path, text }) => {
      const { settlementId, startDate, offset = 0 } = JSON.parse(text);
      const page = (records: readonly object[]) => wrapped(offset > 0 ? [] : records);
      if (path.endsWith('/transactions')) return page([row(settlementId)]);
      const full = (headers: readonly Header[]) => page(headers.map(completed));
      if (settlementId === undefined) {
        const ofDay = service.listed.filter((one) => one.settlementDate.startsWith(startDate));
        return service.list?.(startDate) ?? full(ofDay);
      }
      const answer = service.byId?.(settlementId);
      if (answer && 'body' in answer) return answer;
      return full(answer ?? service.listed.filter((one) => one.settlementId === settlementId));
    }),
  );
  const out = join(await temporaryFolder(), 'out');
  const run = (day: number, args: readonly string[] = []) =>
    runRecon(['nightly', '--out', out, '--since', dayOf(2), ...args], {
      clock: new FakeClock(Date.UTC(2026, 2, day, 6)),
      env: server.env,
    });
  return {
    ...{ service, out, run },
    night: async (day: number, ...args: readonly string[]) => {
      const { exitCode, stdout } = await run(day, ['--format', 'json', ...args]);
      const { profiles, news } = JSON.parse(stdout) as {
        profiles: { days: { day: string; reason: string }[]; known: { settlements: number } }[];
        news: { kind: string; day: string | null; details: string[] }[];
      };
      return {
        exitCode,
        kinds: news.map(({ kind, day }) => `${kind} ${day?.slice(8) ?? ''}`.trim()),
        details: news.flatMap(({ details }) => details),
        reasons: profiles[0]?.days.map(({ day, reason }) => `${reason} ${day.slice(8)}`),
        known: profiles[0]?.known.settlements,
      };
    },
  };
}

function completed(one: Header) {
  return {
    ...one,
    ...{ paymentService: 'cards', accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601' },
    ...{ merchantId: 'M-1001', currencyCode: 'EUR', decimalPlaces: 2, totalTransactions: 1 },
    ...{ fees: 25, tax: 5, amountPayIn: one.amountGross - 30 },
    ...{ paymentReferences: [], paymentEndToEndIds: [] },
  };
}

function row(settlementId: string) {
  return {
    ...{ transactionId: settlementId.replace('-8000-', '-9000-'), settlementId },
    ...{ amount: 1000, fees: 25, tax: 5, currencyCode: 'EUR', decimalPlaces: '2' },
    ...{ state: 'settled', transactionType: 'purchase', timestamp: '2026-03-01T10:00:00Z' },
  };
}

describe('a settlement that the lists and its id give differently', () => {
  test.each([
    ['the same day', 2],
    ['another day', 3],
  ])('is not lost if it is not listed, but found by its id on %s', async (_, day) => {
    const { service, run, night } = await startNights([header(2, off), header(3)]);
    expect((await night(5)).kinds).toEqual(['out_of_balance 02']);
    service.listed = [header(3)];
    service.byId = () => [header(day, { ...off, settlementId: idOf(2) })];
    const first = await night(6);
    expect([first.exitCode, first.kinds]).toEqual([4, ['unread_day 02']]);
    expect(first.details).toEqual([
      `1 settlement is no longer listed, and its new day could not be found: ${idOf(2)}.`,
    ]);
    const second = await night(20);
    expect([second.exitCode, second.kinds]).toEqual([4, []]);
    expect((await run(20)).stdout).not.toContain('--publish-incomplete');
    service.listed = [header(2, off), header(3)];
    const third = await night(21);
    expect([third.exitCode, third.kinds, third.known]).toEqual([1, ['read_day 02'], 1]);
  });

  test('is reported once with what else its day has lost, when all of it is known', async () => {
    const other = { ...off, settlementId: idOf(9) };
    const { service, night } = await startNights([header(2, off), header(2, other), header(3)]);
    await night(5);
    service.listed = [header(3), header(3, other)];
    service.byId = (id) => (id === idOf(2) ? [header(2, off)] : undefined);
    expect((await night(6)).kinds).toEqual(['unread_day 02', 'restated 03']);
    expect((await night(7)).kinds).toEqual([]);
    service.byId = () => undefined;
    expect((await night(8)).kinds).toEqual(['gone 02', 'moved 03', 'read_day 02']);
    expect((await night(9)).kinds).toEqual([]);
  });

  test('a settlement that has moved to a day that cannot be read is moved once that day is read', async () => {
    const { service, night } = await startNights([header(2, off), header(3)]);
    await night(5);
    service.listed = [header(3), header(3, { ...off, settlementId: idOf(2) })];
    service.list = (day) => (day === dayOf(3) ? failing : undefined);
    expect((await night(6)).kinds).toEqual(['unread_day 02', 'unread_day 03']);
    expect(await night(7)).toMatchObject({ exitCode: 4, kinds: [] });
    delete service.list;
    const { kinds, details, known } = await night(8);
    expect(kinds).toEqual(['moved 03', 'read_day 02', 'read_day 03']);
    expect(details).toEqual([`The service moved it from ${dayOf(2)} to ${dayOf(3)}.`]);
    expect(known).toBe(0);
    expect(await night(9)).toMatchObject({ exitCode: 1, kinds: [], known: 1 });
  });

  test('does not delay other days, and its own day is read if the id can never be read', async () => {
    const days = [2, 3, 4, 5, 6, 7];
    const { service, night } = await startNights(days.map((day) => header(day, pending)));
    await night(16);
    service.byId = () => failing;
    const first = await night(16);
    expect([first.exitCode, first.kinds]).toEqual([0, []]);
    expect(first.reasons?.slice(0, 6)).toEqual(days.map((day) => `pending 0${day}`));
    service.listed = days.map((day) => header(day));
    expect((await night(17)).kinds).toEqual(days.map((day) => `settled 0${day}`));
  });

  test('is not reported as gone while its new place is unknown', async () => {
    const { service, night } = await startNights([header(2, off), header(3)]);
    await night(4);
    service.listed = [header(3)];
    service.byId = () => failing;
    expect((await night(5)).kinds).toEqual(['unread_day 02']);
    service.byId = () => [];
    expect((await night(6)).kinds).toEqual(['gone 02', 'read_day 02']);
  });
});

describe('a day that no longer has the reported data', () => {
  test('keeps its known differences if it is damaged and cannot be read again', async () => {
    const { service, out, run, night } = await startNights([header(2, off), header(3)]);
    await night(4);
    for (const file of ['manifest.json', 'source.ndjson.gz']) {
      await writeFile(join(out, dayOf(2), file), 'x');
    }
    service.list = (day) => (day === dayOf(2) ? failing : undefined);
    expect(await night(5)).toMatchObject({ exitCode: 4, kinds: ['unread_day 02'], known: 1 });
    await rm(join(out, dayOf(2)), { recursive: true });
    const { stdout } = await run(6);
    expect(stdout).toContain('1 known difference, 0.05 EUR absolute');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`--publish-incomplete ${dayOf(2)} --out`);
    delete service.list;
    expect(await night(7)).toMatchObject({ exitCode: 1, kinds: ['read_day 02'], known: 1 });
  });

  test('has a restatement reported even if the version before is no longer there', async () => {
    const { service, night } = await startNights([header(2), header(3)]);
    await night(4, '--keep', '0');
    service.listed = [header(2, { settlementStatus: 'Settled' }), header(3)];
    const { kinds, details } = await night(5, '--keep', '0');
    expect(kinds).toEqual(['restated 02']);
    expect(details.join()).toContain('no longer in the folder');
    expect((await night(6, '--keep', '0')).kinds).toEqual([]);
  });
});

test('the same failure is reported once, whatever words the service adds', async () => {
  const { service, night } = await startNights([header(2), header(3)]);
  let number = 0;
  const traced = () => {
    number += 1;
    return { body: { status: { code: '1010', response: 'Fail', message: `trace ${number}` } } };
  };
  service.list = (day) => (day === dayOf(3) ? traced() : undefined);
  expect((await night(4)).kinds).toEqual(['unread_day 03']);
  expect((await night(5)).kinds).toEqual([]);
  service.list = traced;
  expect((await night(6)).kinds).toEqual(['failed']);
  expect((await night(7)).kinds).toEqual([]);
});

test('--since in the future is refused, because no day would be read', async () => {
  const { run } = await startNights([header(2)]);
  const { exitCode, stderr } = await run(1);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--since is in the future')]);
});

test('status.json says so if nightly.json cannot be written', async () => {
  const { out, run, service } = await startNights([header(2)]);
  await run(4);
  const status = () => JSON.parse(readFileSync(join(out, 'status.json'), 'utf8'));
  const { lastSuccess } = status();
  // Before that, it would be refused where it is read.
  service.list = () => {
    rmSync(join(out, 'nightly.json'), { recursive: true, force: true });
    mkdirSync(join(out, 'nightly.json'));
    return undefined;
  };
  const { exitCode, stderr } = await run(5);
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('A folder is in the place')]);
  expect(status()).toMatchObject({
    exitCode: 5,
    lastSuccess,
    profiles: [{ exitCode: 5, lastSuccess }],
  });
});

test('days that the service refuses to list do not stop later days', async () => {
  const { service, night } = await startNights([header(2), header(12)]);
  service.list = (day) => (dayOf(4) <= day && day <= dayOf(10) ? failing : undefined);
  const { exitCode, kinds } = await night(13);
  expect(exitCode).toBe(4);
  expect(kinds).toEqual([4, 5, 6, 7, 8, 9, 10].map((day) => `unread_day ${dayOf(day).slice(8)}`));
  expect((await night(14)).kinds).toEqual([]);
});
