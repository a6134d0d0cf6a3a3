import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  dayAfter,
  idOf,
  kindsOf,
  type NightReport,
  type Nights,
  startNights,
} from '../../cli/changing-service.ts';
import { startReceiver, status } from './receiver.ts';

const known = idOf('2026-03-03');

/** A folder after two nights, with one difference that was told: nothing is new any more. */
async function settled(settings: Readonly<Record<string, string>> = {}): Promise<Nights> {
  const nights = await startNights('2026-03-01', { RECON_RESTATED_DAYS: '3', ...settings });
  nights.service.addDays('2026-03-01', '2026-03-31');
  nights.service.on('2026-03-03').off = { fees: 7 };
  expect(await nights.night('2026-03-12')).toMatchObject({ exitCode: 1 });
  expect(await nights.night('2026-03-13')).toMatchObject({ exitCode: 1, news: [] });
  nights.service.taken();
  return nights;
}

/** Whether a report or a notification says that the state was damaged. */
function saysDamaged(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      (/^state_?damaged$/i.test(key) && inner === true) || (inner !== value && saysDamaged(inner)),
  );
}

/** The files that were kept aside. */
function keptAside(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('nightly.json.damaged'))
    .sort();
}

async function expectIntact({ run, folder }: Nights, today = '2026-03-20'): Promise<void> {
  const { exitCode, stdout } = await run(today, [
    ...['export', '--verify', '--out', folder, '--format', 'table'],
  ]);
  expect(stdout).toMatch(/^INTACT/);
  expect(exitCode).toBe(0);
}

describe('a damaged nightly.json', () => {
  const damages: readonly (readonly [string, (text: string) => string | Buffer])[] = [
    ['cut in the middle', (text) => text.slice(0, text.length / 2)],
    ['cut by its last line', (text) => text.trimEnd().slice(0, -1)],
    ['emptied', () => ''],
    ['full of zeros', (text) => Buffer.alloc(text.length)],
    ['not text at all', () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3])],
    ['replaced by null', () => 'null\n'],
    ['replaced by a list', () => '[]\n'],
    ['replaced by an empty object', () => '{}\n'],
    ['replaced by other JSON', () => '{"name": "recon", "days": 7}\n'],
    ['written into by hand', (text) => text.replace('"nightsWithNews": ', '"nightsWithNews": 1')],
    ['without what was told', (text) => text.replace(/"since": "2026-03-01",/, '')],
    ['two of it, one after the other', (text) => text + text],
  ];

  test.for(damages)('is named and kept, and its news may be old: %s', async ([, damage]) => {
    const nights = await settled();
    const { night, folder } = nights;
    const path = join(folder, 'nightly.json');
    const damaged = Buffer.from(damage(readFileSync(path, 'utf8')));
    writeFileSync(path, damaged);

    const receiver = await startReceiver();
    const report = await night('2026-03-14', [], receiver.env);
    expect(report.exitCode).toBe(1);
    expect(saysDamaged(report.json)).toBe(true);
    expect(kindsOf(report, { settlementId: known })).toContain('out_of_balance');
    expect(report.stderr + report.stdout).toContain('nightly.json');
    expect(keptAside(folder)).toEqual(['nightly.json.damaged']);
    expect(readFileSync(join(folder, 'nightly.json.damaged'))).toEqual(damaged);
    const [told, ...more] = receiver.taken();
    expect(more).toEqual([]);
    expect(saysDamaged(told?.json)).toBe(true);
    expect(String(told?.json['text'])).toMatch(/before/i);

    const next = await night('2026-03-15', [], receiver.env);
    expect(next).toMatchObject({ exitCode: 1, news: [] });
    expect(saysDamaged(next.json)).toBe(false);
    expect(receiver.taken()).toEqual([]);
    await expectIntact(nights);
  });

  test('of a later version is never read as empty without a message', async () => {
    const { night, folder } = await settled();
    const path = join(folder, 'nightly.json');
    const later = readFileSync(path, 'utf8').replace(/"schema": \d+/, '"schema": 99');
    writeFileSync(path, later);
    const report = await night('2026-03-14');
    expect(report.stderr + report.stdout).toContain('nightly.json');
    if (report.exitCode >= 2) {
      expect(readFileSync(path, 'utf8')).toBe(later);
    } else {
      expect(saysDamaged(report.json)).toBe(true);
      expect(readFileSync(join(folder, 'nightly.json.damaged'), 'utf8')).toBe(later);
    }
  });

  test('is kept beside an earlier damaged one', async () => {
    const { night, folder } = await settled();
    const path = join(folder, 'nightly.json');
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      writeFileSync(path, text);
      expect(saysDamaged((await night(dayAfter('2026-03-14', index))).json)).toBe(true);
    }
    const kept = keptAside(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect([...kept].sort()).toEqual(['one', 'three', 'two']);
  });

  test('is reported even without known differences', async () => {
    const nights = await settled();
    const { service, night, folder } = nights;
    service.on('2026-03-03').off = {};
    await nights.run('2026-03-13', ['export', '--out', folder, '--on', '2026-03-03']);
    await night('2026-03-14');
    writeFileSync(join(folder, 'nightly.json'), '{');
    const report = await night('2026-03-15');
    expect(report.exitCode).toBe(0);
    expect(saysDamaged(report.json)).toBe(true);
    expect(report.stderr + report.stdout).toContain('nightly.json');
  });

  test('is reported with the news that is finally accepted', async () => {
    const { night, folder } = await settled();
    const receiver = await startReceiver();
    writeFileSync(join(folder, 'nightly.json'), '{');
    receiver.answer = status(400);
    expect(await night('2026-03-14', [], receiver.env)).toMatchObject({ exitCode: 5 });
    const [refused] = receiver.taken();
    receiver.answer = status(200);
    await night('2026-03-15', [], receiver.env);
    const [accepted] = receiver.taken();
    const ids = (news: NightReport['news'] = []) => news.map(({ id }) => id);
    expect(ids(accepted?.news)).toEqual(expect.arrayContaining([...ids(refused?.news)]));
    expect(kindsOf({ news: accepted?.news ?? [] }, { settlementId: known })).toContain(
      'out_of_balance',
    );
    expect(saysDamaged(accepted?.json)).toBe(true);
    expect(keptAside(folder)).toEqual(['nightly.json.damaged']);
  });

  test('is left unchanged in a dry run', async () => {
    const { run, folder } = await settled();
    writeFileSync(join(folder, 'nightly.json'), '{');
    await run('2026-03-14', ['nightly', '--out', folder, '--dry-run']);
    expect(readFileSync(join(folder, 'nightly.json'), 'utf8')).toBe('{');
    expect(keptAside(folder)).toEqual([]);
  });

  test('is no damage if a folder is in its place, which is said before anything is read', async () => {
    const { run, service, folder } = await settled();
    rmSync(join(folder, 'nightly.json'));
    mkdirSync(join(folder, 'nightly.json'));
    const { exitCode, stdout, stderr } = await run('2026-03-14', ['nightly', '--out', folder]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Expected a file, found a folder.');
    expect(service.taken()).toEqual([]);
    expect(keptAside(folder)).toEqual([]);
  });

  test('is not reported if the file was deleted, and everything is news', async () => {
    const { night, folder } = await settled();
    rmSync(join(folder, 'nightly.json'));
    const report = await night('2026-03-14');
    expect(kindsOf(report, { settlementId: known })).toContain('out_of_balance');
    expect(saysDamaged(report.json)).toBe(false);
    expect(keptAside(folder)).toEqual([]);
  });

  test('is not reported on the first night', async () => {
    const { service, night, folder } = await startNights('2026-03-01');
    service.addDays('2026-03-01', '2026-03-05');
    expect(saysDamaged((await night('2026-03-04')).json)).toBe(false);
    expect(keptAside(folder)).toEqual([]);
  });
});

/** What can happen to a file; it is found by its size or by its time. */
const manners: Readonly<Record<string, (path: string) => void>> = {
  'one byte changed': flipByte,
  'a line more': (path) => writeFileSync(path, `${readFileSync(path, 'latin1')}x\n`, 'latin1'),
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  emptied: (path) => writeFileSync(path, ''),
  deleted: (path) => rmSync(path),
};

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const place = Math.floor(bytes.length / 2);
  bytes.writeUInt8((bytes.readUInt8(place) ^ 1) & 0xff, place);
  writeFileSync(path, bytes);
}

/** As `flipByte`, but the file shows the time that it had. */
function flipByteSecretly(path: string): void {
  const { atime, mtime } = statSync(path);
  flipByte(path);
  utimesSync(path, atime, mtime);
}

/** The files of a day, without the time at which it was exported. */
function dayContents(folder: string, day: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(join(folder, day))
      .sort()
      .map((name) => [
        name,
        readFileSync(join(folder, day, name), 'latin1')
          .replace(/"exportedAt": "[^"]*"/, '')
          .replace(/^\{\n {2}"sha256": .*/, ''),
      ]),
  );
}

const files = [
  'settlements.csv',
  'transactions.csv',
  'groups.csv',
  'discrepancies.csv',
  'source.ndjson.gz',
  'manifest.json',
];

describe('a wrong clock', () => {
  test('that says 9999 ends a night before anything is read, and says what it says', async () => {
    const { run, service, folder } = await settled();
    const { exitCode, stderr } = await run('9999-12-31', ['nightly', '--out', folder]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('More than 10,000 days are due, from 2026-03-01 to 9999-12-30.');
    expect(stderr).toContain('By the clock of this machine, it is 9999-12-31.');
    expect(service.taken()).toEqual([]);
    const right = await run('2026-03-14', ['nightly', '--out', folder]);
    expect(right.exitCode).toBe(1);
  });

  test('that is behind the days of the folder is told, with --quiet too', async () => {
    const nights = await settled();
    const { run, night, folder } = nights;
    const behind = await run('2026-03-09', ['nightly', '--out', folder, '--quiet']);
    expect(behind.stdout).toContain('days up to 2026-03-12, which are still to come by the clock');
    expect((await night('2026-03-11')).json['profiles']).toMatchObject([{ aheadTo: '2026-03-12' }]);
    // The day that is not over may have been exported by hand.
    const { json } = await night('2026-03-12');
    expect(JSON.stringify(json)).not.toContain('aheadTo');
    await expectIntact(nights);
  });
});

describe('damaged files of an old day', () => {
  test.for(Object.keys(manners))('are reported, read again and intact: %s', async (manner) => {
    const nights = await settled({ RECON_SWEPT_DAYS: '30' });
    const { night, folder } = nights;
    // One day for each of the files, far older than what is read again by itself.
    const damaged = files.map((file, index) => ({ file, day: dayAfter('2026-03-01', index) }));
    const before = damaged.map(({ day }) => dayContents(folder, day));
    for (const { file, day } of damaged) manners[manner]?.(join(folder, day, file));

    const report = await night('2026-03-14');
    for (const { file, day } of damaged) {
      const planned = report.days.find((one) => one.day === day);
      const reasons = file === 'manifest.json' ? ['damaged', 'missing'] : ['damaged'];
      expect(reasons, file).toContain(planned?.reason);
      expect(kindsOf(report, { day }), file).not.toEqual([]);
    }
    // What was known of them stays known.
    expect(kindsOf(report, { settlementId: known })).not.toContain('out_of_balance');
    expect(damaged.map(({ day }) => dayContents(folder, day))).toEqual(before);
    await expectIntact(nights);
    const next = await night('2026-03-15');
    expect(next).toMatchObject({ exitCode: 1, news: [] });
    expect(next.days.filter(({ reason }) => reason === 'damaged')).toEqual([]);
  });

  test('are reported for a recent day too', async () => {
    const nights = await settled();
    const { night, folder } = nights;
    manners['one byte changed']?.(join(folder, '2026-03-11', 'transactions.csv'));
    manners['deleted']?.(join(folder, '2026-03-12', 'settlements.csv'));
    const report = await night('2026-03-14');
    expect(kindsOf(report, { day: '2026-03-11' })).not.toEqual([]);
    expect(kindsOf(report, { day: '2026-03-12' })).not.toEqual([]);
    await expectIntact(nights);
    expect((await night('2026-03-15')).news).toEqual([]);
  });

  test('are found by the sweep if a byte changed and the size and the time did not', async () => {
    const nights = await settled({ RECON_SWEPT_DAYS: '4' });
    const { night, folder } = nights;
    const damaged = ['2026-03-01', '2026-03-05', '2026-03-09'];
    for (const day of damaged) flipByteSecretly(join(folder, day, 'transactions.csv'));
    const told: (string | null)[] = [];
    for (let index = 0; index < 5; index++) {
      told.push(...(await night(dayAfter('2026-03-14', index))).news.map(({ day }) => day));
    }
    expect(told.sort()).toEqual(damaged);
    await expectIntact(nights);
  });

  test('are found by the sweep even if the damage is older than the first night', async () => {
    const nights = await startNights('2026-03-01', {
      RECON_RESTATED_DAYS: '1',
      RECON_SWEPT_DAYS: '3',
    });
    const { service, run, night, folder } = nights;
    service.addDays('2026-03-01', '2026-03-31');
    const range = ['--from', '2026-03-01', '--to', '2026-03-11'];
    expect((await run('2026-03-12', ['export', '--out', folder, ...range])).exitCode).toBe(0);
    flipByte(join(folder, '2026-03-04', 'transactions.csv'));
    const told: (string | null)[] = [];
    for (let index = 0; index < 5; index++) {
      told.push(...(await night(dayAfter('2026-03-13', index))).news.map(({ day }) => day));
    }
    expect(told).toEqual(['2026-03-04']);
    await expectIntact(nights);
  });

  test('include the tables of the day', async () => {
    const nights = await settled({ RECON_PARQUET: 'true' });
    const { night, folder } = nights;
    const table = (name: string, day: string) =>
      join(folder, 'lake', name, `day=${day}`, 'part-0.parquet');
    rmSync(table('transactions', '2026-03-02'));
    flipByte(table('settlements', '2026-03-05'));
    const report = await night('2026-03-14');
    expect(kindsOf(report, { day: '2026-03-02' })).not.toEqual([]);
    expect(kindsOf(report, { day: '2026-03-05' })).not.toEqual([]);
    await expectIntact(nights);
    expect((await night('2026-03-15')).news).toEqual([]);
  });

  test('are read again if the whole day is missing', async () => {
    const nights = await settled();
    const { night, folder } = nights;
    const before = dayContents(folder, '2026-03-02');
    rmSync(join(folder, '2026-03-02'), { recursive: true });
    const report = await night('2026-03-14');
    expect(report.days.map(({ day }) => day)).toContain('2026-03-02');
    expect(dayContents(folder, '2026-03-02')).toEqual(before);
    await expectIntact(nights);
    expect((await night('2026-03-15')).news).toEqual([]);
  });

  test('are repaired on a day without settlements, which the service lists as before', async () => {
    const nights = await startNights('2026-03-01', { RECON_RESTATED_DAYS: '3' });
    nights.service.addDays('2026-03-01', '2026-03-04');
    await nights.night('2026-03-07');
    flipByte(join(nights.folder, '2026-03-05', 'source.ndjson.gz'));
    const report = await nights.night('2026-03-08');
    expect(kindsOf(report, { day: '2026-03-05' })).toEqual(['repaired']);
    expect(report.exitCode).toBe(0);
    await expectIntact(nights, '2026-03-09');
  });

  test('are not replaced by an empty day if the service no longer lists the day', async () => {
    const nights = await settled();
    const { service, night, folder } = nights;
    const source = readFileSync(join(folder, '2026-03-02', 'source.ndjson.gz'));
    flipByte(join(folder, '2026-03-02', 'transactions.csv'));
    service.oldestDay = '2026-03-08';
    const report = await night('2026-03-14');
    expect(kindsOf(report, { day: '2026-03-02' })).not.toEqual([]);
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === 'source.ndjson.gz')
      .some((entry) => readFileSync(join(entry.parentPath, entry.name)).equals(source));
    expect(kept).toBe(true);
    expect(readFileSync(join(folder, '2026-03-02', 'settlements.csv'), 'utf8')).toContain(
      idOf('2026-03-02'),
    );
    // One such night is enough to tell it.
    expect(kindsOf(await night('2026-03-15'), { day: '2026-03-02' })).toEqual([]);
  });

  test('are tried every night until they can be read again', async () => {
    const nights = await settled();
    const { service, night, folder } = nights;
    const before = dayContents(folder, '2026-03-02');
    flipByte(join(folder, '2026-03-02', 'transactions.csv'));
    flipByte(join(folder, '2026-03-02', 'source.ndjson.gz'));
    service.interfere = ({ path, body }) =>
      path.endsWith('/transactions') && body['settlementId'] === idOf('2026-03-02')
        ? { status: 500, body: 'broken' }
        : undefined;
    expect((await night('2026-03-14')).exitCode).toBe(4);
    expect((await night('2026-03-15')).exitCode).toBe(4);
    service.interfere = () => undefined;
    expect((await night('2026-03-16')).exitCode).toBe(1);
    expect(dayContents(folder, '2026-03-02')).toEqual(before);
    await expectIntact(nights);
  });

  test('are shown with their reason by --dry-run, and not repaired', async () => {
    const { run, folder } = await settled();
    const path = join(folder, '2026-03-02', 'transactions.csv');
    flipByte(path);
    const damaged = readFileSync(path);
    const dry = await run('2026-03-14', ['nightly', '--out', folder, '--dry-run', '--json']);
    const { days } = JSON.parse(dry.stdout) as { days: readonly Record<string, unknown>[] };
    expect(days.find(({ day }) => day === '2026-03-02')).toMatchObject({ reason: 'damaged' });
    expect(readFileSync(path)).toEqual(damaged);
  });
});

describe('unchanged files', () => {
  test.for([
    ['touched', touchAll],
    ['copied to another place and back', copyAll],
  ] as const)('are no news, and nothing is read for them: %s', async ([, change]) => {
    const nights = await settled({ RECON_SWEPT_DAYS: '0' });
    const { service, night, folder } = nights;
    const before = dayContents(folder, '2026-03-03');
    change(folder);
    const report = await night('2026-03-14');
    expect(report).toMatchObject({ exitCode: 1, news: [] });
    expect(report.days.filter(({ state }) => state === 'restated')).toEqual([]);
    const rows = service
      .taken()
      .filter(({ path, body }) => path.endsWith('/transactions') && body['settlementId'] !== known)
      .map(({ body }) => body['settlementId']);
    expect(new Set(rows)).toEqual(new Set([idOf('2026-03-13')]));
    expect(dayContents(folder, '2026-03-03')).toEqual(before);
    expect((await night('2026-03-15')).news).toEqual([]);
    await expectIntact(nights);
  });

  test('may have a file of somebody else beside the days, which is left unchanged', async () => {
    const nights = await settled();
    const { night, folder } = nights;
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect((await night('2026-03-14')).news).toEqual([]);
    expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
  });

  function touchAll(folder: string): void {
    const later = new Date(Date.now() + 60_000);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), later, later);
    }
  }

  function copyAll(folder: string): void {
    cpSync(folder, `${folder}-copy`, { recursive: true });
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-copy`, folder);
  }
});
