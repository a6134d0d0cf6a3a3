import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { batchAgain, batchesIn, bookNextBatch } from '../../src/app/book-batch.ts';
import { bookRange } from '../../src/app/book-range.ts';
import { ReconError } from '../../src/base/errors.ts';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import { journalText } from '../../src/render/journal.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { lock } from './lock.ts';
import { bankWith, euros, judged, march, month, yen } from './month.ts';

function book(changes: Partial<Parameters<typeof bookRange>[0]> = {}) {
  return bookRange({
    ...judged,
    source: month(),
    query: march,
    identity: 'gross-fees-tax',
    names: new Map(),
    books: { closes: [] },
    format: 'hledger',
    mapping: exampleMappings.hledger,
    bank: bankWith(),
    refusalOf: ({ complete }) =>
      complete ? undefined : new ReconError('service', 'Not all was read.'),
    ...changes,
  });
}

test('a month of two currencies is booked, each settlement and each receipt in its own', async () => {
  const { booked, control, bookable } = await book();
  expect(booked.entries.map(({ currency }) => currency).sort()).toEqual([
    'EUR',
    'EUR',
    'JPY',
    'JPY',
  ]);
  expect(control.map(({ currency, payIn }) => [currency, payIn])).toEqual([
    ['EUR', 9_64n],
    ['JPY', 964n],
  ]);
  expect(bookable.settled).toEqual(new Set([euros.id, yen.id]));
});

test('without statements, only the settlements are booked', async () => {
  const { booked, onBank } = await book({ bank: undefined });
  expect([booked.entries.length, onBank]).toEqual([2, undefined]);
});

test('a month that was not read whole is not booked', async () => {
  const failure = new ReconError('network', 'No answer.');
  const source = month([euros, yen], { [euros.id]: { failure } });
  await expect(book({ source })).rejects.toThrow('Not all was read.');
});

test('a register gets what is new as a batch, once, and gives its file again', async () => {
  const folder = await temporaryFolder();
  const register = join(folder, 'booked.csv');
  const kept = { register, isNew: true, lock, onFinished: () => {} };
  const known = { ...kept, isNew: false };
  const { bookable, booked } = await book();
  const request = {
    output: join(folder, '1.journal'),
    format: 'hledger',
    mapping: exampleMappings.hledger,
    service: 'host',
    profile: 'main',
    closedThrough: undefined,
    run: bookable,
    today: '2026-04-02',
    leftOut: booked.foreignRows.leftOut,
    rebind: false,
    reversesMissing: false,
    write: journalText,
    commentsOf: () => ['A journal.'],
  } as const;
  const first = await bookNextBatch(kept, request);
  expect([first.batch?.number, first.isOpen]).toEqual([1, false]);
  const second = await bookNextBatch(known, { ...request, output: join(folder, '2.journal') });
  expect(second.batch).toBeUndefined();
  expect(await batchesIn(known)).toHaveLength(1);
  expect(Buffer.from(await batchAgain(known, 1, journalText))).toEqual(
    await readFile(request.output),
  );
  await expect(batchAgain(known, 2, journalText)).rejects.toThrow(
    'Batch 2 is not in the register.',
  );
  await expect(bookNextBatch(known, { ...request, profile: 'other' })).rejects.toThrow(
    'the profile was main, now other',
  );
});
