import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { archiveReader } from '../../src/bank/archive.ts';
import { readStatements } from '../../src/bank/read-statements.ts';
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

test('an archive is read, what is packed and what is not, cut anywhere', async () => {
  for (const level of [0, 6] as const) {
    const bytes = zipSync(files, { level });
    const results = [
      await readFiles({ 'bank.zip': bytes }),
      await readFiles({ 'bank.zip': bytes }, { blockBytes: 11 }),
    ];
    for (const result of results) {
      expect(moneyIn(result)).toEqual(['2026-03-05 1.00', '2026-03-05 2.00']);
      expect(result.leftOut).toEqual(['bank.zip:march/read me.pdf', 'bank.zip:march/more.zip']);
      expect(result.statements.map(({ place }) => place.file)).toEqual([
        'bank.zip:march/1.xml',
        'bank.zip:march/2.xml',
      ]);
    }
  }
});

test('a text that is longer than can be held is refused', async () => {
  const blocks = async function* () {
    yield Buffer.from('<BkToCstmrStmt>');
    'z'.repeat(2 ** 30);
  };
  const refused = readStatements([{ name: 'long.xml', blocks }], undefined);
  await expect(refused).rejects.toMatchObject({ failure: 'usage', where: 'long.xml' });
});

test('a damaged archive is named', async () => {
  const bytes = zipSync(files);
  const refusal = { failure: 'usage', where: 'file' };
  await expect(read(bytes.subarray(0, 300))).rejects.toMatchObject(refusal);
  const broken = Buffer.from(bytes);
  broken.fill(0xff, 60, 160);
  await expect(read(broken)).rejects.toMatchObject(refusal);
});

test('an archive that would become too large is refused', () => {
  const bytes = zipSync({ 'a.txt': Buffer.alloc(2 ** 20), 'b.txt': Buffer.alloc(1) });
  const nobody = () => ({ push: () => {}, end: () => {} });
  const unpack = (limit: { files: number; bytes: number }) => () => {
    const reader = archiveReader('bank.zip', nobody, limit);
    reader.push(bytes);
    reader.end();
  };
  expect(unpack({ files: 2, bytes: 2 ** 20 + 1 })).not.toThrow();
  expect(unpack({ files: 1, bytes: 2 ** 20 + 1 })).toThrow('The archive has more than');
  expect(unpack({ files: 2, bytes: 2 ** 20 })).toThrow('The archive has more than');
});
