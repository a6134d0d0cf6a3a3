import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openExportFolder } from '../../src/export/export-folder.ts';
import { jsonWithDigest } from '../../src/export/layout.ts';
import { readExportListing } from '../../src/export/listing.ts';
import { readScope } from '../../src/export/scope.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { build, opening, run, scope, tree } from './publishing.ts';

const day = '2026-03-05';
let folder: string;

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'exports', 'es');
});

const rowsOf = (path: string) => readFileSync(join(folder, path, 'transactions.csv'), 'utf8');

describe('publishing a day', () => {
  test('replaces a day, keeps the restated version, and leaves nothing else', async () => {
    await run(folder, { day, rows: 'one' });
    expect(readdirSync(folder)).toEqual([day, 'export.json']);
    await run(folder, { day, rows: 'two' });
    await run(folder, { day, rows: 'three' });
    expect(rowsOf(day)).toBe('three');
    expect([1, 2].map((number) => rowsOf(`.superseded/${day}.${number}`))).toEqual(['one', 'two']);

    await run(folder, { day, rows: 'three, renamed', keepsReplaced: false });
    expect(rowsOf(day)).toBe('three, renamed');
    await run(folder, { day, rows: 'four', keep: 1 });
    expect(readdirSync(join(folder, '.superseded'))).toEqual([`${day}.3`]);
    expect(rowsOf(`.superseded/${day}.3`)).toBe('three, renamed');
  });

  test('shows which days are in place, and keeps the superseded version of one', async () => {
    await run(folder, { day, rows: 'one' });
    const held = await openExportFolder(folder, opening());
    expect([...held.days]).toEqual([[day, join(folder, day)]]);
    await held.publish(await build(held, { day: '2026-03-06', rows: '' }), true);
    await held.publish(await build(held, { day, rows: 'two' }), true);
    expect([...held.days.keys()]).toEqual([day, '2026-03-06']);
    expect(readdirSync(join(folder, '.superseded'))).toEqual([`${day}.1`]);
    await held.close();
  });

  test('changes nothing if the same bytes are already there', async () => {
    await run(folder, { day, rows: 'one' });
    const before = tree(folder);
    const held = await openExportFolder(folder, opening());
    await held.publish(await build(held, { day, rows: 'one' }), true);
    await held.close();
    expect(tree(folder)).toEqual(before);
  });

  test('refuses a build without a manifest', async () => {
    const held = await openExportFolder(folder, opening());
    const unfinished = await held.startDay(day);
    await expect(held.publish(unfinished, true)).rejects.toThrow(RangeError);
    await expect(held.publish(unfinished, true)).rejects.toThrow('manifest');
    await held.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a build', () => {
  test('counts and hashes the texts and bytes that are written', async () => {
    const held = await openExportFolder(folder, opening());
    const started = await held.startDay(day);
    const file = await started.file('a.csv');
    await file.write('grün,');
    await file.write(new Uint8Array([0, 255]));
    for (let block = 0; block < 3; block += 1) await file.write('x'.repeat(65_536));
    const digest = await file.close();
    const written = readFileSync(join(started.folder, 'a.csv'));
    expect(written.length).toBe(6 + 2 + 3 * 65_536);
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(written).digest('hex');
    expect(digest).toEqual({ bytes: written.length, sha256 });
    await held.close();
  });

  test('leaves nothing if it fails, and names the file of the day', async () => {
    const held = await openExportFolder(folder, opening());
    const started = await held.startDay(day);
    await started.file('a.csv');
    await expect(started.file('a.csv')).rejects.toMatchObject({
      failure: 'output',
      where: join(folder, day, 'a.csv'),
    });
    await started.discard();
    expect(readdirSync(join(folder, '.building'))).toEqual([]);
    await held.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the scope of an export', () => {
  const other = { ...scope, host: 'api.example.org', profile: 'pt' };

  test('is written with the first day, and accepted again if it is the same', async () => {
    await (await openExportFolder(folder, opening())).close();
    expect(readdirSync(folder)).toEqual([]);
    await run(folder, { day, rows: 'one' });
    expect(await readScope(folder)).toEqual(scope);
    await (await openExportFolder(folder, opening())).close();
  });

  test('does not apply before a day was published', async () => {
    const held = await openExportFolder(folder, opening());
    await held.bind();
    await held.close();
    const taking = await openExportFolder(folder, opening({ scope: other }));
    await taking.publish(await build(taking, { day, rows: 'one' }), true);
    await taking.close();
    expect(await readScope(folder)).toEqual(other);
  });

  test('may get other names on request, from the first day on', async () => {
    await run(folder, { day, rows: 'one' });
    const taking = () => openExportFolder(folder, opening({ scope: other, rebind: true }));
    await (await taking()).close();
    expect(await readScope(folder)).toEqual(scope);
    const held = await taking();
    expect(held.changedNames).toEqual([
      'the profile was es, now pt',
      'the host was api.example.com, now api.example.org',
    ]);
    await held.bind();
    await held.close();
    expect(await readScope(folder)).toEqual(other);
  });

  test('cannot get other filters, even on request', async () => {
    await run(folder, { day, rows: 'one' });
    const asked = opening({ scope: { ...other, filters: { cid: 8 } }, rebind: true });
    await expect(openExportFolder(folder, asked)).rejects.toMatchObject({
      failure: 'usage',
      message: 'This export was created with other settings: --cid was 7, now 8.',
    });
  });

  test('keeps the fields of a newer version, also under other names', async () => {
    await run(folder, { day, rows: 'one' });
    const path = join(folder, 'export.json');
    const [{ sha256: _, ...fields }, newer] = [
      JSON.parse(readFileSync(path, 'utf8')),
      { region: 'EU', owner: { name: 'Anna' } },
    ];
    const text = jsonWithDigest({ ...fields, ...newer });
    writeFileSync(path, text);
    expect(await readScope(folder)).toEqual(scope);
    await run(folder, { day, rows: 'two' });
    expect(readFileSync(path, 'utf8')).toBe(text);
    const taking = await openExportFolder(folder, opening({ scope: other, rebind: true }));
    await taking.bind();
    await taking.close();
    expect(await readScope(folder)).toEqual(other);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(newer);
  });

  test.each([
    { other: { profile: null }, message: 'the profile was es, now not set' },
    {
      other: { host: 'sandbox:march' },
      message: 'the host was api.example.com, now sandbox:march',
    },
    {
      other: { filters: { mid: 'm' } },
      message: '--mid was not set, now m; --cid was 7, now not set',
    },
  ])('is refused if it is another one: $message', async ({ other, message }) => {
    await run(folder, { day, rows: 'one' });
    const before = tree(folder);
    const asked = opening({ scope: { ...scope, ...other } });
    await expect(openExportFolder(folder, asked)).rejects.toMatchObject({
      failure: 'usage',
      message: expect.stringContaining(`${message}.`),
      where: folder,
    });
    expect(tree(folder)).toEqual(before);
  });

  test.each([
    ['', 'damaged'],
    ['{"schema":2}', 'damaged'],
    [jsonWithDigest({ ...{ schema: 1, profile: 'es', host: 'h' }, filters: { new: 1 } }), 'usage'],
    [jsonWithDigest({ ...{ schema: 2, profile: 'es', host: 'h' }, filters: {} }), 'usage'],
  ])('is refused if its file contains %j', async (text, failure) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'export.json'), text);
    await expect(openExportFolder(folder, opening())).rejects.toMatchObject({
      failure,
      where: join(folder, 'export.json'),
    });
    expect(readdirSync(folder)).toEqual(['export.json']);
  });
});

describe('a place that is no folder of an export', () => {
  test('is refused if it contains other files', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'accounts.xlsx'), '');
    await expect(openExportFolder(folder, opening())).rejects.toMatchObject({
      failure: 'usage',
      where: join(folder, 'accounts.xlsx'),
    });
    expect(readdirSync(folder)).toEqual(['accounts.xlsx']);
  });

  test('is refused if it is a file', async () => {
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a report');
    await expect(openExportFolder(folder, opening())).rejects.toMatchObject({
      failure: 'output',
      message: expect.stringContaining('A file is in the place'),
      where: folder,
    });
    expect(readFileSync(folder, 'utf8')).toBe('a report');
  });

  test.skipIf(process.getuid?.() === 0)('is refused if nobody may write there', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o555);
    const refusal = expect(openExportFolder(folder, opening())).rejects;
    await refusal.toMatchObject({ failure: 'output', message: 'No permission to write there.' });
    chmodSync(folder, 0o755);
  });
});

describe('an obstacle', () => {
  test.each(['a symbolic link', 'a file'])(
    'in the place of a day (%s) is named and left alone',
    async (what) => {
      await run(folder, { day: '2026-03-06', rows: 'one' });
      const elsewhere = join(folder, '..', 'elsewhere');
      cpSync(join(folder, '2026-03-06'), elsewhere, { recursive: true });
      if (what === 'a file') writeFileSync(join(folder, day), '');
      else symlinkSync(elsewhere, join(folder, day));
      const before = tree(join(folder, '..'));

      const held = await openExportFolder(folder, opening());
      expect([...held.days.keys()]).toEqual(['2026-03-06']);
      await expect(held.startDay(day)).rejects.toMatchObject({
        failure: 'output',
        where: join(folder, day),
      });
      await held.close();
      expect((await readExportListing(folder)).blocked).toEqual([day]);
      expect(tree(join(folder, '..'))).toEqual(before);
    },
  );

  test('in the place of superseded versions, a symbolic link, is refused', async () => {
    await run(folder, { day, rows: 'one' });
    mkdirSync(join(folder, '..', 'elsewhere'));
    symlinkSync('../elsewhere', join(folder, '.superseded'));
    await expect(openExportFolder(folder, opening())).rejects.toMatchObject({
      failure: 'output',
      where: join(folder, '.superseded'),
    });
    rmSync(join(folder, '.superseded'));
  });

  test('in the place of an intent, an unreadable file, is refused, and nothing is removed', async () => {
    await run(folder, { day, rows: 'one' });
    mkdirSync(join(folder, '.intents'));
    writeFileSync(join(folder, '.intents', `${day}.json`), '{"schema":2}');
    const before = tree(folder);
    await expect(openExportFolder(folder, opening())).rejects.toMatchObject({
      failure: 'output',
      where: join(folder, '.intents', `${day}.json`),
    });
    expect(tree(folder)).toEqual(before);
  });
});

test('files of others are left alone and do not disturb', async () => {
  await run(folder, { day, rows: 'one' });
  const foreign = ['notes.txt', '2026-02-31', '2026-03-05.bak', '.draft-of-mine', '.lock.old'];
  for (const name of foreign) writeFileSync(join(folder, name), name);
  await run(folder, { day, rows: 'two', keep: 0 });
  expect(readdirSync(folder).sort()).toEqual([...foreign, day, 'export.json'].sort());
});

test('a listing of a missing folder is empty and creates nothing', async () => {
  const { days, intents, drafts } = await readExportListing(folder);
  expect([days.size, intents, drafts]).toEqual([0, [], []]);
  expect(tree(join(folder, '..'))).toEqual({});
});
