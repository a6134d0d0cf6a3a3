import { randomBytes } from 'node:crypto';
import { Zip, ZipDeflate, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { archiveReader, readMember } from '../../src/base/archive.ts';
import { camt, camtEntry, moneyIn, read, readFiles } from './reading.ts';

const text = (amount: string) => camt({ entries: [camtEntry(amount)] });
const files = {
  'march/1.xml': Buffer.from(text('1.00')),
  'march/2.xml': Buffer.from(text('2.00')),
  'march/read me.pdf': Buffer.from('%PDF-1.4'),
  'march/more.zip': zipSync({ 'a.xml': Buffer.from(text('9.00')) }),
  '__MACOSX/march/._1.xml': Buffer.from('junk'),
  '.DS_Store': Buffer.from('junk'),
};

test('an archive is read with packed and unpacked members, in pieces of any size', async () => {
  for (const level of [0, 6] as const) {
    const bytes = zipSync(files, { level });
    const results = [
      await readFiles({ 'bank.zip': bytes }),
      await readFiles({ 'bank.zip': bytes }, { blockBytes: 11 }),
    ];
    for (const result of results) {
      expect(moneyIn(result)).toEqual(['2026-03-05 1.00', '2026-03-05 2.00']);
      expect(result.findings.map(({ code, place }) => `${code} ${place.file}`)).toEqual([
        'not_read bank.zip:march/more.zip',
        'other_file bank.zip:march/read me.pdf',
      ]);
      expect(result.statements.map(({ place }) => place.file)).toEqual([
        'bank.zip:march/1.xml',
        'bank.zip:march/2.xml',
      ]);
    }
  }
});

test('an archive of many blocks is read, although each block comes into the place of the last one', async () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4'), randomBytes(200_000)]);
  const { findings } = await read(zipSync({ ...files, 'a.pdf': pdf }));
  expect(findings.map(({ code }) => code).sort()).toEqual(['not_read', 'other_file', 'other_file']);
});

test('a damaged archive is named', async () => {
  const bytes = zipSync(files);
  const refusal = { failure: 'usage', where: 'file' };
  await expect(read(bytes.subarray(0, 300))).rejects.toMatchObject(refusal);
  const broken = Buffer.from(bytes);
  broken.fill(0xff, 60, 160);
  const { findings, entries } = await read(broken);
  expect(findings.map(({ code, place }) => `${code} ${place.file}`)).toEqual([
    'not_read file:march/more.zip',
    'unreadable file:march/1.xml',
    'other_file file:march/read me.pdf',
  ]);
  expect(entries).toHaveLength(1);
});

test('an archive that would become too large is refused', () => {
  const bytes = zipSync({ 'a.txt': Buffer.alloc(2 ** 20), 'b.txt': Buffer.alloc(1) });
  const unpack = (limit: { files: number; bytes: number }) => () => {
    const reader = archiveReader('bank.zip', () => {}, limit);
    reader.push(bytes);
    reader.end();
  };
  expect(unpack({ files: 2, bytes: 2 ** 20 + 1 })).not.toThrow();
  expect(unpack({ files: 1, bytes: 2 ** 20 + 1 })).toThrow('The archive has more than');
  expect(unpack({ files: 2, bytes: 2 ** 20 })).toThrow('The archive has more than');
});

/** Nothing of the one member is used. */
const damage = { entries: [], statements: [], findings: [{ code: 'unreadable', element: 'file' }] };

test('a changed byte in an archive is never read as money', async () => {
  const entry = camt({ entries: [camtEntry('9880.00')] });
  for (const level of [0, 6] as const) {
    const bytes = Buffer.from(zipSync({ 'march.xml': Buffer.from(entry) }, { level }));
    const stored = bytes.indexOf('9880.00');
    expect(stored >= 0).toBe(level === 0);
    // Names and dates of files have no checksum.
    const content = { from: 30 + 'march.xml'.length, to: bytes.indexOf('PK\x01\x02', 'latin1') };
    for (let at = content.from; at < content.to; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await read(changed)).toMatchObject(damage);
    }
  }
});

/** Sets the size that a place of an archive announces: the member itself, or the directory at the end. */
function announcing(
  archive: Uint8Array,
  size: number,
  ...places: readonly ('own' | 'directory')[]
) {
  const bytes = Buffer.from(archive);
  if (places.includes('own')) bytes.writeUInt32LE(size, 22);
  const directory = bytes.indexOf('PK\x01\x02', 'latin1');
  if (places.includes('directory')) bytes.writeUInt32LE(size, directory + 24);
  return bytes;
}

test('a member that is not as large as announced is damaged', async () => {
  const text = Buffer.from(camt({ entries: [camtEntry('1.00')] }));
  for (const level of [0, 6] as const) {
    const bytes = zipSync({ 'march.xml': text }, { level });
    for (const size of [0, text.length - 1, text.length + 1, text.length * 2]) {
      for (const places of [['own'], ['directory'], ['own', 'directory']] as const) {
        expect(await read(announcing(bytes, size, ...places))).toMatchObject(damage);
      }
    }
  }
});

test('unpacking stops if a member has more than announced, and does not begin if it announces too much', () => {
  // Packing makes it no smaller, so it is unpacked in pieces of 16 KiB.
  const bomb = zipSync({ 'march.xml': randomBytes(100_000) }, { level: 6 });
  const taken = (archive: Uint8Array, refused = false) => {
    let bytes = 0;
    let ends = 0;
    const counter = {
      push: (piece: Uint8Array) => {
        bytes += piece.length;
      },
      end: () => {
        ends += 1;
      },
    };
    const reader = archiveReader('bank.zip', (members) => {
      for (const member of members) readMember(member, () => counter);
    });
    reader.push(archive);
    if (refused) expect(() => reader.end()).toThrow('The archive has more than');
    else reader.end();
    expect(ends).toBe(0);
    return bytes;
  };
  expect(taken(announcing(bomb, 1_000, 'own', 'directory'))).toBe(0);
  expect(taken(announcing(bomb, 40_000, 'own', 'directory'))).toBe(0);
  expect(taken(announcing(bomb, 3_000_000_000, 'own', 'directory'), true)).toBe(0);
});

test('an archive that was written as a stream is read', async () => {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((_error, piece) => pieces.push(piece));
  const member = new ZipDeflate('march.xml');
  zip.add(member);
  member.push(Buffer.from(text('3.00')), true);
  zip.end();
  expect(moneyIn(await read(Buffer.concat(pieces)))).toEqual(['2026-03-05 3.00']);
});
