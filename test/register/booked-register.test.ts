import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/model/journal-entry.ts';
import {
  type BookedBatch,
  newRegister,
  parseBooked,
  registerText,
} from '../../src/register/booked-register.ts';
import { readKeptCsv } from '../../src/register/kept-csv.ts';
import { booked } from '../books/build-entry.ts';
import { temporaryFolder } from '../cli/temporary.ts';

function batch(number: number, ...entries: readonly JournalEntry[]): BookedBatch {
  return { number, bookedOn: '2026-04-01', about: '{"format":"hledger"}', entries };
}

const three = [
  batch(1, booked('a', 10_000n), booked('b', -5n)),
  batch(
    2,
    booked('a b', [
      ['t1', 100n],
      ['t2', 1n],
    ]),
  ),
  batch(3, { ...booked('c', 1n, { isPending: true }), reverses: 'AAAA' }),
];

async function read(text: string) {
  const path = join(await temporaryFolder(), 'booked.csv');
  writeFileSync(path, text);
  return parseBooked(await readKeptCsv(path), path);
}

test('a register contains what was written, in readable lines', async () => {
  const { text, check } = registerText(newRegister, three);
  expect(await read(text)).toMatchObject({ batches: three, check });
  expect(text.split('\r\n').slice(0, 3)).toEqual([
    'line,batch,date,entry_id,reverses,settlement_ids,bank_entry_ids,accounting_token,state,currency,decimal_places,purpose,account,amount,settlement_id,transaction_id,text,check',
    expect.stringMatching(
      /^batch,1,2026-04-01,,,,,,,,,,,,,,"{""format"":""hledger""}",[A-Z2-7]{20}$/,
    ),
    expect.stringMatching(
      /^posting,1,2026-03-05,[A-Z2-7]{20},,a,,token,settled,EUR,2,in_transit,assets:in_transit,100.00,,,Settlement,[A-Z2-7]{20}$/,
    ),
  ]);
});

test('a register keeps every text, and none is a formula in a spreadsheet', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('', '\ufeff€', '\u2028', '=', "'=", '-1', "'-", '\r'),
      async (some, start) => {
        const text = start + some;
        const batches = [batch(1, booked('a', 1n, { text, accounts: () => text }))];
        const written = registerText(newRegister, batches).text;
        expect((await read(written)).batches).toEqual(batches);
        expect(
          parse(written)
            .flat()
            .filter((cell) => /^[=+@\t\r]/.test(cell)),
        ).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('a register keeps ids that contain the separator of ids', async () => {
  const ids = ['a | b', '|', '50%7C', ' | '];
  const entry = { ...booked('a', 1n), settlementIds: ids, bankEntryIds: ids };
  const batches = [batch(1, entry)];
  expect((await read(registerText(newRegister, batches).text)).batches).toEqual(batches);
});

test('a register refuses a text that could not be read again', () => {
  const batches = [batch(1, { ...booked('a', 1n), settlementIds: ['\ud800'] })];
  expect(() => registerText(newRegister, batches)).toThrow(
    'A text cannot be kept in a file: "\\ud800".',
  );
});

test('a register is damaged if any line is lost, added, moved or edited', async () => {
  const lines = registerText(newRegister, three).text.split('\r\n').slice(0, -1);
  const damaged = (some: readonly string[]) =>
    expect(read(some.join('\r\n')), some.join('\n')).rejects.toMatchObject({ failure: 'damaged' });
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    await damaged(lines.toSpliced(at, 1));
    await damaged(lines.toSpliced(at, 0, line));
    await damaged(lines.toSpliced(at, 1, line.replace(/.(?=,[^,]*$)/, '7')));
    if (at > 0) await damaged(lines.slice(0, at));
    if (at > 0) await damaged(lines.toSpliced(at - 1, 2, line, lines[at - 1] ?? ''));
  }
  await expect(read(lines.join('\r\n').replace('100.00', '100.01'))).rejects.toMatchObject({
    where: expect.stringMatching(/booked\.csv:3$/),
  });
});

test('a register may have the line ends of another editor', async () => {
  const { text } = registerText(newRegister, three);
  expect((await read(`\ufeff${text.replaceAll('\r\n', '\n')}\n\n`)).batches).toEqual(three);
});
