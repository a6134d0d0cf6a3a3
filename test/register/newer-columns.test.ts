import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parseBooked } from '../../src/register/booked-register.ts';
import { besideRegister, chainedWriter } from '../../src/register/chained-csv.ts';
import { addClose, readCloses } from '../../src/register/closes-register.ts';
import { readKeptCsv } from '../../src/register/kept-csv.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { bookNext } from './book-next.ts';
import { closeOf } from './close-of.ts';

let path: string;
let output: string;

beforeEach(async () => {
  const folder = await temporaryFolder();
  [path, output] = [join(folder, 'register.csv'), join(folder, 'batch')];
});

/** Writes the register as a newer version would: two more columns, one of them in the middle. */
async function writeAsNewer(guard: (check: string) => object): Promise<void> {
  const { columns, records } = await readKeptCsv(path);
  const [first = '', ...others] = columns.slice(0, -1);
  const wider = [first, 'seen_by', ...others, 'vat_id', 'check'];
  const writer = chainedWriter<string>({ columns: wider, lines: [] });
  let last = '';
  for (const { cells } of records) {
    const isEnd = cells.get('line') === 'end';
    const more = isEnd ? {} : { seen_by: 'Anna, Ben', vat_id: "'=1" };
    writer.add({ ...Object.fromEntries(cells), ...more });
    if (!isEnd) last = writer.check;
  }
  writeFileSync(path, writer.text());
  const check = 'batch' in guard('') ? writer.check : last;
  writeFileSync(besideRegister(path, 'last'), JSON.stringify({ ...guard(check), seen: true }));
}

/** The lines without the closing one. */
const linesNow = () => readFileSync(path, 'utf8').split('\r\n').slice(0, -2);

const batchesNow = async () => parseBooked(await readKeptCsv(path), path).batches;

test('a register of bookings keeps the columns of a newer version, whatever is booked', async () => {
  await bookNext(path, `${output}1`, { isNew: true });
  await bookNext(path, `${output}2`);
  const before = await batchesNow();
  await writeAsNewer((check) => ({ batch: 2, check }));
  expect(await batchesNow()).toEqual(before);
  const newer = linesNow();
  expect(newer[1]).toMatch(/^batch,"Anna, Ben",1,/);
  await bookNext(path, `${output}3`);
  await bookNext(path, `${output}4`);
  expect(linesNow().slice(0, newer.length)).toEqual(newer);
  expect(linesNow().at(-1)).toMatch(/^posting,,4,/);
  const batches = await batchesNow();
  expect(batches.slice(0, 2)).toEqual(before);
  expect(batches.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('a register of bookings is damaged if a cell of a newer column was altered', async () => {
  await bookNext(path, output, { isNew: true });
  await writeAsNewer((check) => ({ batch: 1, check }));
  const text = readFileSync(path, 'utf8');
  for (const other of [
    text.replace('Anna', 'Anne'),
    text.replace('seen_by,', ''),
    text.replace(/check(?=\r)/, 'check,more'),
    text.replace('line,seen_by,batch', 'line,batch,batch'),
  ]) {
    writeFileSync(path, other);
    await expect(batchesNow()).rejects.toMatchObject({ failure: 'damaged' });
  }
});

const owner = { host: 'web1', pid: 1, startedAt: 'then' };
const lock = { owner, isRunning: () => false, clock: new FakeClock() };
test('a register of closes keeps the columns of a newer version, whatever is closed', async () => {
  const record = (isNew = false) =>
    addClose(path, { isNew, lock }, (records) => closeOf(records.length + 1));
  await record(true);
  await record();
  await writeAsNewer((check) => ({ close: 2, check }));
  expect(await readCloses(path)).toEqual([closeOf(1), closeOf(2)]);
  const newer = linesNow();
  expect(newer[1]).toMatch(/^close,"Anna, Ben",1,/);
  await record();
  await record();
  expect(linesNow().slice(0, newer.length)).toEqual(newer);
  expect(await readCloses(path)).toEqual([1, 2, 3, 4].map(closeOf));
});
