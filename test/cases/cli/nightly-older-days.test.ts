import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  dayAfter,
  daysBetween,
  idOf,
  kindsOf,
  type NewsItem,
  type NightReport,
  type Nights,
  type Question,
  rowsOf,
  startNights,
} from '../../cli/changing-service.ts';
import { startReceiver, status } from './receiver.ts';

/** Few days are read again by themselves: what is heard of the others comes from their headers. */
const few = { RECON_RESTATED_DAYS: '2', RECON_SWEPT_DAYS: '5' };

/** Nights from a day on, one after the other or with days between; all their news. */
async function nightsFrom(
  { night }: Nights,
  today: string,
  count: number,
  { step = 1, env = {}, args = [] as readonly string[] } = {},
): Promise<{ readonly news: readonly NewsItem[]; readonly nights: readonly NightReport[] }> {
  const nights: NightReport[] = [];
  for (let index = 0; index < count; index++) {
    nights.push(await night(dayAfter(today, index * step), args, env));
  }
  return { nights, news: nights.flatMap(({ news }) => news) };
}

/** The header lists that were asked for, as ranges. */
function rangesOf(questions: readonly Question[]): readonly (readonly [string, string])[] {
  return questions
    .filter(({ path, body }) => path === '/v1/merchant/settlement' && body['startDate'])
    .map(({ body }) => [String(body['startDate']), String(body['endDate'])] as const);
}

/** The settlements whose rows were asked for. */
function rowsAskedFor(questions: readonly Question[]): readonly unknown[] {
  return questions
    .filter(({ path }) => path.endsWith('/transactions'))
    .map(({ body }) => body['settlementId']);
}

/** How often news of each settlement was told. */
function timesTold(news: readonly NewsItem[], settlementId: string): number {
  return news.filter((item) => item.settlement?.id === settlementId).length;
}

/** Every file of a day, as it lies there. */
function dayText(folder: string, day: string): string {
  return ['manifest.json', 'settlements.csv', 'transactions.csv']
    .map((name) => readFileSync(join(folder, day, name), 'utf8'))
    .join('\n');
}

async function expectIntact({ run, folder }: Nights, today: string): Promise<void> {
  const { exitCode, stdout } = await run(today, ['export', '--verify', '--out', folder]);
  expect(stdout).not.toMatch(/NOT INTACT/);
  expect(exitCode).toBe(0);
}

describe('the usual settings', () => {
  const patience = { timeout: 120_000 };
  test(
    'report a change after weeks once, within thirty nights of few requests',
    patience,
    async () => {
      const nights = await startNights('2026-01-01', { RECON_RESTATED_DAYS: '1' });
      const { service, night } = nights;
      service.addDays('2026-01-01', '2026-04-30');
      service.held.delete(idOf('2026-02-10'));
      expect(await night('2026-03-02')).toMatchObject({ exitCode: 0, news: [] });
      expect(await night('2026-03-03')).toMatchObject({ exitCode: 0, news: [] });

      // Eleven days late, beside one that is known; and on a day that had none so far.
      const late = service.add('2026-02-20', { name: 'eleven days late' });
      const alone = service.add('2026-02-10', { name: 'alone on its day' });
      // Out of balance after 10, 20, 40 and more days.
      service.on('2026-02-21').off = { fees: 1 };
      service.on('2026-02-11').off = { gross: -500 };
      service.on('2026-01-22').off = { payIn: 7 };
      service.on('2026-01-01').status = 'settled_out_of_balance';
      service.on('2026-01-10').off = { count: 1 };
      const changed = ['2026-02-21', '2026-02-11', '2026-01-22', '2026-01-01', '2026-01-10'];

      const old = daysBetween('2026-01-01', '2026-03-01');
      const seen = new Set<string>();
      const news: NewsItem[] = [];
      for (let index = 0; index < 30; index++) {
        const today = dayAfter('2026-03-04', index);
        const fresh = [dayAfter(today, -1), dayAfter(today, -2)];
        service.taken();
        const report = await night(today);
        news.push(...report.news);
        const questions = service.taken();
        const ranges = rangesOf(questions).filter(([from]) => !fresh.includes(from));
        const swept = new Set(ranges.flatMap(([from, to]) => daysBetween(from, to)));
        for (const day of swept) seen.add(day);
        // It is a part, not all of it every night.
        expect(swept.size).toBeLessThan(20);
        if (report.news.length > 0) continue;
        // A list or two, each read twice to its end; and no rows but those of yesterday.
        expect(new Set(ranges.map((range) => range.join())).size).toBeLessThanOrEqual(3);
        expect(questions.length).toBeLessThanOrEqual(24);
        expect(rowsAskedFor(questions).filter((id) => id !== idOf(fresh[0] ?? ''))).toEqual([]);
      }
      expect(old.filter((day) => !seen.has(day))).toEqual([]);
      expect(news.map(({ settlement }) => settlement?.id).sort()).toEqual(
        [late.id, alone.id, ...changed.map((day) => idOf(day))].sort(),
      );
      for (const day of changed) {
        expect(kindsOf({ news }, { settlementId: idOf(day) }), day).toContain('out_of_balance');
      }
      await expectIntact(nights, '2026-04-02');
      expect(readFileSync(join(nights.folder, '2026-02-20', 'settlements.csv'), 'utf8')).toContain(
        late.id,
      );
    },
  );
});

describe('every older day', () => {
  test('is seen again within the days of the setting, whatever its age', async () => {
    const nights = await startNights('2026-01-14', few);
    const { service, night } = nights;
    service.addDays('2026-01-14', '2026-03-31');
    await night('2026-02-10');
    for (const day of daysBetween('2026-01-14', '2026-02-09')) service.on(day).off = { fees: 1 };
    const { news } = await nightsFrom(nights, '2026-02-11', 6);
    const told = daysBetween('2026-01-14', '2026-02-09').map((day) => timesTold(news, idOf(day)));
    expect(told).toEqual(told.map(() => 1));
  });

  test('is seen again every night if all of them are swept every night', async () => {
    const nights = await startNights('2026-01-14', { ...few, RECON_SWEPT_DAYS: '1' });
    const { service, night } = nights;
    service.addDays('2026-01-14', '2026-03-31');
    await night('2026-02-10');
    service.on('2026-01-14').off = { fees: 1 };
    service.on('2026-01-31').off = { tax: -1 };
    const { news } = await night('2026-02-11');
    expect(kindsOf({ news }, { day: '2026-01-14' })).toContain('out_of_balance');
    expect(kindsOf({ news }, { day: '2026-01-31' })).toContain('out_of_balance');
    expect((await night('2026-02-12')).news).toEqual([]);
  });

  test.for([
    ['every second day', 2, 5],
    ['once a week', 7, 7],
  ] as const)('is seen again by runs %s', async ([, step, sweptDays]) => {
    const settings = { ...few, RECON_SWEPT_DAYS: String(sweptDays) };
    const nights = await startNights('2026-01-14', settings);
    const { service, night } = nights;
    service.addDays('2026-01-14', '2026-09-30');
    await night('2026-02-10');
    const old = daysBetween('2026-01-14', '2026-02-07');
    for (const day of old) service.on(day).off = { fees: 1 };
    const today = dayAfter('2026-02-10', step);
    const { news } = await nightsFrom(nights, today, sweptDays + 1, { step });
    expect(old.filter((day) => timesTold(news, idOf(day)) !== 1)).toEqual([]);
  });

  test('is seen again after nights that failed', async () => {
    const nights = await startNights('2026-01-14', { ...few, RECON_SWEPT_DAYS: '3' });
    const { service, night } = nights;
    service.addDays('2026-01-14', '2026-03-31');
    await night('2026-02-10');
    const old = daysBetween('2026-01-14', '2026-02-07');
    for (const day of old) service.on(day).off = { fees: 1 };
    service.interfere = () => ({ status: 403, body: 'no access' });
    const failed = await nightsFrom(nights, '2026-02-11', 2);
    expect(failed.nights.map(({ exitCode }) => exitCode)).toEqual([3, 3]);
    service.interfere = () => undefined;
    const { news } = await nightsFrom(nights, '2026-02-13', 4);
    expect(old.filter((day) => timesTold(news, idOf(day)) !== 1)).toEqual([]);
  });

  test('is seen again with the filters of the export', async () => {
    const nights = await startNights('2026-01-14', few);
    const { service, night } = nights;
    service.addDays('2026-01-14', '2026-03-31');
    const args = ['--mid', '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601'];
    await night('2026-02-10', args);
    service.taken();
    await nightsFrom(nights, '2026-02-11', 5, { args });
    const lists = service
      .taken()
      .filter(({ path, body }) => path.endsWith('/settlement') && !('settlementId' in body));
    expect(lists.filter(({ body }) => body['mid'] !== args[1])).toEqual([]);
    expect(lists.some(({ body }) => String(body['startDate']) < '2026-01-20')).toBe(true);
  });
});

describe('a change that a sweep finds', () => {
  /** Plants something on a day, and says of which settlement it is. */
  type Plant = (service: Nights['service'], day: string) => string;

  /** What is planted, and the kinds of news that it has to be at least. */
  const plants: readonly (readonly [string, readonly string[], Plant])[] = [
    ['arrives late and balances', [], (service, day) => service.add(day, { name: `l${day}` }).id],
    [
      'arrives late and does not balance',
      ['out_of_balance'],
      (service, day) => service.add(day, { name: `o${day}`, off: { gross: 5 } }).id,
    ],
    [
      'arrives late and is pending',
      [],
      (service, day) => service.add(day, { name: `p${day}`, status: 'pending_settlement' }).id,
    ],
    [
      'goes out of balance',
      ['out_of_balance', 'restated'],
      (service, day) => {
        service.on(day).off = { tax: 2 };
        return idOf(day);
      },
    ],
    [
      'is called out of balance by the service',
      ['out_of_balance', 'restated'],
      (service, day) => {
        service.on(day).status = 'settled_out_of_balance';
        return idOf(day);
      },
    ],
    [
      'is restated and balances',
      ['restated'],
      (service, day) => {
        service.on(day).rows.push(...rowsOf(`more of ${day}`, 1));
        return idOf(day);
      },
    ],
    [
      'is gone from a day with others',
      ['gone'],
      (service, day) => {
        service.held.delete(idOf(`second of ${day}`));
        return idOf(`second of ${day}`);
      },
    ],
  ];

  test('is reported as on a recent day, whatever happened to the settlement', async () => {
    const [old, recent] = ['2026-01-21', '2026-02-01'] as const;
    const nights = await startNights(old, {
      RECON_RESTATED_DAYS: '7',
      RECON_SWEPT_DAYS: '4',
      RECON_PENDING_DAYS: '60',
    });
    const { service, night } = nights;
    const today = dayAfter(recent, plants.length);
    service.addDays(old, '2026-02-28');
    for (const [index] of plants.entries()) {
      for (const from of [old, recent]) {
        const day = dayAfter(from, index);
        service.add(day, { name: `second of ${day}` });
      }
    }
    await night(today);
    const planted = plants.map(([name, kinds, plant], index) => ({
      ...{ name, kinds },
      old: plant(service, dayAfter(old, index)),
      recent: plant(service, dayAfter(recent, index)),
    }));
    const { news } = await nightsFrom(nights, dayAfter(today, 1), 5);
    for (const one of planted) {
      const told = kindsOf({ news }, { settlementId: one.recent });
      expect(told, one.name).toEqual(expect.arrayContaining([...one.kinds]));
      expect(kindsOf({ news }, { settlementId: one.old }), one.name).toEqual(told);
    }
    const ids = new Set(planted.flatMap((one) => [one.old, one.recent]));
    expect(news.filter(({ settlement }) => !ids.has(settlement?.id ?? ''))).toEqual([]);
    await expectIntact(nights, dayAfter(today, 5));
  });

  test('is reported as moved, not as gone, if a settlement has moved between old days', async () => {
    const nights = await startNights('2026-01-20', few);
    const { service, night, folder } = nights;
    service.addDays('2026-01-20', '2026-02-28');
    const there = service.add('2026-01-22', { name: 'moves ahead' });
    const back = service.add('2026-02-03', { name: 'moves back' });
    await night('2026-02-10');
    there.day = '2026-02-02';
    back.day = '2026-01-27';
    const { news } = await nightsFrom(nights, '2026-02-11', 7);
    for (const { id, day } of [there, back]) {
      const told = kindsOf({ news }, { settlementId: id });
      expect(told).toContain('moved');
      expect(told).not.toContain('gone');
      const lists = daysBetween('2026-01-20', '2026-02-10').filter((one) =>
        readFileSync(join(folder, one, 'settlements.csv'), 'utf8').includes(id),
      );
      expect(lists).toEqual([day]);
    }
    await expectIntact(nights, '2026-02-17');
  });

  test('is reported as balanced if an old difference is corrected', async () => {
    const nights = await startNights('2026-01-12', few);
    const { service, night } = nights;
    service.addDays('2026-01-12', '2026-02-28');
    service.on('2026-01-15').off = { fees: 9 };
    expect(await night('2026-02-08')).toMatchObject({ exitCode: 1 });
    service.on('2026-01-15').off = {};
    const { news, nights: runs } = await nightsFrom(nights, '2026-02-09', 5);
    expect(kindsOf({ news }, { day: '2026-01-15' })).toContain('balanced');
    expect(runs.at(-1)?.exitCode).toBe(0);
  });

  test('leaves an old day unchanged if its new rows cannot be read, and is tried again', async () => {
    const nights = await startNights('2026-01-12', few);
    const { service, night, folder } = nights;
    service.addDays('2026-01-12', '2026-02-28');
    await night('2026-02-08');
    const before = dayText(folder, '2026-01-15');
    service.on('2026-01-15').off = { fees: 9 };
    service.interfere = ({ path, body }) =>
      path.endsWith('/transactions') && body['settlementId'] === idOf('2026-01-15')
        ? { status: 500, body: 'broken' }
        : undefined;
    const failing = await nightsFrom(nights, '2026-02-09', 7);
    expect(kindsOf(failing, { day: '2026-01-15' })).toEqual(['unread_day']);
    expect(failing.nights.at(-1)?.exitCode).toBe(4);
    expect(dayText(folder, '2026-01-15')).toBe(before);
    service.interfere = () => undefined;
    const { news } = await night('2026-02-16');
    expect(kindsOf({ news }, { settlementId: idOf('2026-01-15') })).toContain('out_of_balance');
  });

  test('is reported as long as no notification is accepted', async () => {
    const nights = await startNights('2026-01-12', few);
    const { service, night } = nights;
    service.addDays('2026-01-12', '2026-02-28');
    const receiver = await startReceiver();
    await night('2026-02-08', [], receiver.env);
    service.on('2026-01-15').off = { fees: 9 };
    for (const settlement of service.held.values()) {
      if (settlement.day === '2026-01-25') service.held.delete(settlement.id);
    }
    receiver.answer = status(404);
    const refused = await nightsFrom(nights, '2026-02-09', 6, { env: receiver.env });
    expect(refused.nights.map(({ exitCode }) => exitCode)).toContain(5);
    const tried = receiver.taken().at(-1)?.news ?? [];
    receiver.answer = status(200);
    await nightsFrom(nights, '2026-02-15', 2, { env: receiver.env });
    const accepted = receiver.taken();
    expect(accepted).toHaveLength(1);
    const news = accepted[0]?.news ?? [];
    expect(kindsOf({ news }, { day: '2026-01-15' })).toContain('out_of_balance');
    expect(kindsOf({ news }, { day: '2026-01-25' })).toContain('no_longer_listed');
    expect(news.map(({ id }) => id).sort()).toEqual(tried.map(({ id }) => id).sort());
  });
});

describe('days that are empty now', () => {
  test('are reported once as no longer listed, and stay as they are stored', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night, folder } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    service.add('2026-01-17', { name: 'second of the fifth' });
    await night('2026-02-10');
    const emptied = daysBetween('2026-01-15', '2026-01-22');
    const before = emptied.map((day) => dayText(folder, day));
    service.oldestDay = '2026-01-23';
    const { news, nights: runs } = await nightsFrom(nights, '2026-02-11', 9);
    expect(news.filter(({ kind }) => kind !== 'no_longer_listed')).toEqual([]);
    expect(news.map(({ day }) => day).sort()).toEqual(emptied);
    expect(emptied.map((day) => dayText(folder, day))).toEqual(before);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 0));
    expect(existsSync(join(folder, '.superseded'))).toBe(false);
    await expectIntact(nights, '2026-02-20');
  });

  test('are not asked for again', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    await night('2026-02-10');
    service.oldestDay = '2026-02-01';
    await nightsFrom(nights, '2026-02-11', 6);
    service.taken();
    await nightsFrom(nights, '2026-02-17', 6);
    const [first = ''] = rangesOf(service.taken())
      .map(([from]) => from)
      .sort();
    expect(first >= '2026-02-01').toBe(true);
    // The days that are still listed are swept nevertheless.
    expect(first <= '2026-02-05').toBe(true);
  });

  test('are reported as they age out of a service that lists twenty days', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-04-30');
    await night('2026-02-10');
    const news: NewsItem[] = [];
    for (let index = 1; index <= 13; index++) {
      const today = dayAfter('2026-02-10', index);
      service.oldestDay = dayAfter(today, -20);
      news.push(...(await night(today)).news);
    }
    expect(news.filter(({ kind }) => kind !== 'no_longer_listed')).toEqual([]);
    const told = news.map(({ day }) => day).sort();
    expect(new Set(told).size).toBe(told.length);
    // Those of the last nights may still be to come.
    expect(told).toEqual(expect.arrayContaining([...daysBetween('2026-01-15', '2026-01-27')]));
  });

  test('keep what is known of them', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    service.on('2026-01-17').off = { fees: 4 };
    await night('2026-02-10');
    service.oldestDay = '2026-01-20';
    const { news, nights: runs } = await nightsFrom(nights, '2026-02-11', 6);
    expect(kindsOf({ news }, { day: '2026-01-17' })).toEqual(['no_longer_listed']);
    expect(runs.at(-1)?.exitCode).toBe(1);
    expect(JSON.stringify(runs.at(-1)?.json['profiles'])).toMatch(/"known":\{"settlements":1/);
  });

  test('are reported as before if they are recent', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    await night('2026-02-10');
    service.held.delete(idOf('2026-02-09'));
    const { news } = await nightsFrom(nights, '2026-02-11', 6);
    expect(kindsOf({ news }, { settlementId: idOf('2026-02-09') })).toEqual(['gone']);
    expect(news.filter(({ kind }) => kind === 'no_longer_listed')).toEqual([]);
  });
});

describe('an unchanged day', () => {
  test('is no news, and no rows are read for it', async () => {
    const nights = await startNights('2026-01-12', few);
    const { service, night, folder } = nights;
    // Days without a settlement, and days before the first one of the folder.
    service.addDays('2026-01-05', '2026-01-17');
    service.addDays('2026-01-20', '2026-03-31');
    const stamped = service.add('2026-01-21', { name: 'stamped', frozen: { generatedAt: 0 } });
    const known = service.add('2026-01-22', { name: 'known', off: { fees: 3 } });
    const empty = service.add('2026-01-23', { name: 'empty', rows: [] });
    expect(await night('2026-02-10')).toMatchObject({ exitCode: 1 });
    // A field that the document does not have, and the order in which settlements are listed.
    stamped.frozen = { generatedAt: 1 };
    service.isBackwards = true;
    service.on('2026-01-11').off = { fees: 3 };
    service.taken();
    const { news, nights: runs } = await nightsFrom(nights, '2026-02-11', 6);
    expect(news).toEqual([]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 1));
    const asked = rowsAskedFor(service.taken());
    for (const { id } of [stamped, known, empty]) expect(asked).not.toContain(id);
    expect(existsSync(join(folder, '2026-01-11'))).toBe(false);
  });

  test('has news the night after a pending settlement on it is settled', async () => {
    const nights = await startNights('2026-01-12', { ...few, RECON_SWEPT_DAYS: '30' });
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    service.on('2026-01-15').status = 'pending_settlement';
    await night('2026-02-10');
    service.on('2026-01-15').status = 'settled';
    const { news } = await night('2026-02-11');
    expect(kindsOf({ news }, { settlementId: idOf('2026-01-15') })).toContain('settled');
    expect((await nightsFrom(nights, '2026-02-12', 3)).news).toEqual([]);
  });
});

describe('the setting swept_days', () => {
  test.for(['environment', 'profile'] as const)('is off with 0 in the %s', async (where) => {
    const folder = mkdtempSync(join(tmpdir(), 'recon-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, 'config.toml');
    writeFileSync(
      config,
      where === 'profile' ? '[profiles.shop]\nswept_days = 0\n' : '[profiles.shop]\n',
      { mode: 0o600 },
    );
    const nights = await startNights('2026-01-15', {
      RECON_RESTATED_DAYS: '2',
      RECON_CONFIG: config,
      ...(where === 'environment' && { RECON_SWEPT_DAYS: '0' }),
    });
    const { service, night } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    await night('2026-02-10');
    service.on('2026-01-15').off = { fees: 3 };
    service.taken();
    const { news, nights: runs } = await nightsFrom(nights, '2026-02-11', 4);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    expect(news).toEqual([]);
    expect(rangesOf(service.taken()).filter(([from]) => from < '2026-02-07')).toEqual([]);
  });

  test('is thirty days by default, and shown with its source', async () => {
    const { run } = await startNights('2026-01-15');
    const usual = await run('2026-02-10', ['config', 'show', '--json']);
    expect(usual.stdout).toMatch(/swept_days/);
    const set = await run('2026-02-10', ['config', 'show', '--format', 'table'], {
      RECON_SWEPT_DAYS: '12',
    });
    expect(set.stdout).toMatch(/swept_days.*12.*RECON_SWEPT_DAYS/);
    const unset = await run('2026-02-10', ['config', 'show', '--format', 'table']);
    expect(unset.stdout).toMatch(/swept_days.*30/);
  });

  test.for(['-1', '1.5', 'many'])('is refused by name with %s', async (value) => {
    const { night } = await startNights('2026-01-15', { RECON_SWEPT_DAYS: value });
    const { exitCode, stderr, stdout } = await night('2026-01-03');
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toMatch(/swept_days/i);
  });
});

describe('recon nightly --dry-run', () => {
  test('names the headers that the next night lists, and changes nothing', async () => {
    const nights = await startNights('2026-01-15', few);
    const { service, night, run, folder } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    await nightsFrom(nights, '2026-02-10', 2);
    const before = readFileSync(join(folder, 'nightly.json'), 'utf8');
    const dry = await run('2026-02-12', ['nightly', '--out', folder, '--dry-run']);
    expect(dry.exitCode).toBe(0);
    const again = await run('2026-02-12', ['nightly', '--out', folder, '--dry-run']);
    expect(again.stdout).toBe(dry.stdout);
    expect(readFileSync(join(folder, 'nightly.json'), 'utf8')).toBe(before);
    service.taken();
    await night('2026-02-12');
    const swept = rangesOf(service.taken()).filter(([from]) => from < '2026-02-07');
    expect(swept.length).toBeGreaterThan(0);
    for (const [from, to] of swept) {
      expect(dry.stdout).toContain(from);
      expect(dry.stdout).toContain(to);
    }
  });

  test('names no older day if the setting is 0', async () => {
    const nights = await startNights('2026-01-15', { ...few, RECON_SWEPT_DAYS: '0' });
    const { service, run, folder } = nights;
    service.addDays('2026-01-15', '2026-03-31');
    await nightsFrom(nights, '2026-02-10', 2);
    const { stdout } = await run('2026-02-12', ['nightly', '--out', folder, '--dry-run']);
    expect(stdout).not.toMatch(/2026-01|2026-02-0[1-7]/);
  });
});
