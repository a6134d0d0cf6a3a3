import { expect, test } from 'vitest';
import { Booking } from '../../src/app/book-range.ts';
import { Closing } from '../../src/app/close-range.ts';
import { closeVerdict } from '../../src/app/close-report.ts';
import { matchBank } from '../../src/app/match-bank.ts';
import { readOnce } from '../../src/app/read-once.ts';
import { Collecting, reconcileSettlements } from '../../src/app/reconcile-settlements.ts';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import { bankWith, euros, judged, march, month, yen } from './month.ts';

const books = { closes: [] };
const names = new Map<string, string>();
const asked = { settings: { ...judged.settings, profile: undefined, filters: {} }, names };
const telling = { tell: () => ({ explanation: 'told', cause: 'cause', facts: undefined }) };

function closing() {
  return new Closing({
    query: march,
    settings: judged.settings,
    ageingAndAccepted: {},
    bank: bankWith(),
    books,
    today: '2026-04-02',
    causeOf: () => 'cause',
  });
}

async function booking() {
  const onBank = await matchBank(month(), march, bankWith());
  const options = {
    query: march,
    settings: judged.settings,
    identity: 'gross-fees-tax',
    names,
    books,
    format: 'hledger',
    mapping: exampleMappings.hledger,
    refusalOf: () => undefined,
  } as const;
  return new Booking(options, onBank);
}

test('a close, a journal and a report are made of one reading, which reads every row once', async () => {
  const source = month();
  const [close, journal, report] = [closing(), await booking(), new Collecting(asked, telling)];
  const headers = await close.list(source);
  const options = { ...judged, source, query: march, headers, explains: true };
  const run = await readOnce([close, journal, report], options);
  expect(source.asked.map(({ id }) => id).sort()).toEqual([euros.id, yen.id]);
  const closed = await close.judge(run);
  expect(closed.rollForward.lines.map(({ currency }) => currency).sort()).toEqual(['EUR', 'JPY']);
  const booked = journal.finish(run);
  expect(new Set(booked.booked.entries.map(({ currency }) => currency))).toEqual(
    new Set(['EUR', 'JPY']),
  );
  expect(report.finish(run).run.counts.balanced).toBe(2);
});

test('what is made of a shared reading is what each would make alone', async () => {
  const alone = closing();
  const own = await alone.judge(await alone.read({ ...judged, source: month() }));
  const shared = closing();
  const source = month();
  const headers = await shared.list(source);
  const report = new Collecting(asked, telling);
  const options = { ...judged, source, query: march, headers, explains: true };
  const run = await readOnce([shared, report], options);
  const closed = await shared.judge(run);
  expect(closed.digests).toEqual(own.digests);
  expect(closed.rollForward).toEqual(own.rollForward);
  expect(closeVerdict(closed)).toBe(closeVerdict(own));
  const single = await reconcileSettlements(asked, {
    ...judged,
    ...telling,
    source: month(),
    query: march,
    explains: true,
  });
  expect(report.finish(run).run.totals).toEqual(single.run.totals);
});
