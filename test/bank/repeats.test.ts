import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { document, entryOn } from './camt-message.ts';
import {
  amountOf,
  camt,
  camtEntry,
  checksIn,
  findingsIn,
  moneyIn,
  payments,
  read,
  readFiles,
} from './reading.ts';

const day = '2026-03-05';
const e2e = (id: string) => payments(`<Refs><EndToEndId>${id}</EndToEndId></Refs>`);

/** Reads files in this order and the other one, which must make no difference. */
async function readAll(...texts: readonly string[]) {
  const named = texts.map((text, index) => [`x${index}`, text] as const);
  const result = await readFiles(Object.fromEntries(named));
  const other = await readFiles(Object.fromEntries(named.toReversed()));
  const withoutPlaces = (all: typeof result) =>
    JSON.stringify(all, (key, value: unknown) => {
      if (key === 'place') return undefined;
      return typeof value === 'bigint' ? String(value) : value;
    });
  expect(withoutPlaces(other)).toBe(withoutPlaces(result));
  return result;
}

describe('entries in several files', () => {
  test('count as often as the one file that has them most often', async () => {
    const twice = [camtEntry('1.00'), camtEntry('1.00')];
    const result = await readAll(
      camt({ entries: twice }),
      camt({ entries: [...twice, camtEntry('2.00', { reference: 'B' })] }),
      camt({ entries: [camtEntry('2.00', { reference: 'B' })] }),
    );
    expect(moneyIn(result)).toEqual([`${day} 1.00`, `${day} 1.00`, `${day} 2.00`]);
    expect(result.repeated).toBe(3);
    expect(new Set(result.entries.map(({ id }) => id)).size).toBe(3);
  });

  test('keep their ids, whichever files there are', async () => {
    const one = camt({ entries: [camtEntry('1.00', { reference: 'A' })] });
    const more = camt({ entries: [camtEntry('3.00'), camtEntry('1.00000', { reference: 'A' })] });
    const [alone] = (await read(one)).entries;
    const together = (await readAll(one, more)).entries;
    expect(together.map(({ id }) => id)).toContain(alone?.id);
  });

  test('are different with the same reference and another amount or day', async () => {
    const reference = 'FEE';
    const result = await readAll(
      camt({ entries: [camtEntry('1.00', { reference }), camtEntry('2.00', { reference })] }),
      camt({ day: '2026-03-06', entries: [camtEntry('1.00', { reference, day: '2026-03-06' })] }),
    );
    expect(moneyIn(result)).toEqual([`${day} 1.00`, `${day} 2.00`, '2026-03-06 1.00']);
  });

  test('are different on the next page, and in the next statement of the day', async () => {
    const entries = [camtEntry('1.00')];
    const pages = await readAll(
      camt({ number: '7', page: '1', balances: { OPBD: '0', ITBD: '1' }, entries }),
      camt({ number: '7', page: '2', balances: { ITBD: '1', CLBD: '2' }, entries }),
      camt({ number: '8', balances: { OPBD: '2', CLBD: '3' }, entries }),
      camt({ number: '8', balances: { OPBD: '2', CLBD: '3' }, entries }),
    );
    expect(pages.entries).toHaveLength(3);
    expect(pages.statements).toHaveLength(3);
    expect(pages.findings).toEqual([]);
  });

  test.each([
    ['with balances', '', ['OPBD', '0', '2'], ['ITBD', '2', '5']],
    ['that do not go on', '', ['OPBD', '0', '2'], ['ITBD', '3', '6']],
    ['of which one says nothing', '', [], ['ITBD', '2', '5']],
    ['without balances', '', [], []],
  ])('are different on a later page, of pages %s', async (_, __, first, second) => {
    const same = camtEntry('2.00');
    const balancesOf = ([type = '', from = '', to = '']: readonly string[]) =>
      type === '' ? {} : { [type]: from, CLBD: to };
    for (const number of ['7', '']) {
      // A later page may have earlier days.
      const early = camtEntry('1.00', { day: '2026-03-03' });
      const entries = [same, camtEntry('0.00', { day: '2026-03-03' })];
      const pages = [
        camt({ number, page: '1', balances: balancesOf(first), entries: [same] }),
        camt({ number, page: '2', balances: balancesOf(second), entries: [...entries, early] }),
      ];
      const expected = ['2026-03-03 0.00', '2026-03-03 1.00', `${day} 2.00`, `${day} 2.00`];
      expect(moneyIn(await readAll(...pages))).toEqual(expected);
      expect(moneyIn(await read(pages.join('')))).toEqual(expected);
      // And the same file once more repeats both.
      expect(moneyIn(await readAll(pages.join(''), pages.join('')))).toEqual(expected);
    }
  });

  test('are different in an MT940 file that continues with the same number', async () => {
    const message = (number: string, from: string, to: string, mark: readonly [string, string]) =>
      [
        ...[':20:1', ':25:DE89370400440532013000', ...(number && [`:28C:${number}`])],
        `:60${mark[0]}:C260305EUR${from}`,
        ':61:2603050305C40000,NTRFNONREF',
        ':86:Transfer',
        `:62${mark[1]}:C260305EUR${to}`,
        '-',
        '',
      ].join('\r\n');
    for (const number of ['5', '5/1', '']) {
      const pages = [
        message(number, '0,', '40000,', ['F', 'M']),
        message(number, '40000,', '80000,', ['M', 'F']),
      ].join('');
      const expected = [`${day} 40000.00`, `${day} 40000.00`];
      expect(moneyIn(await read(pages))).toEqual(expected);
      expect(moneyIn(await readAll(pages, pages))).toEqual(expected);
    }
  });

  test('are the same in two views of the same days in one file', async () => {
    const entries = [camtEntry('2.00'), camtEntry('-2.00')];
    const still = { balances: { OPBD: '0', CLBD: '0' }, entries };
    const week = { ...still, entries: [...entries, camtEntry('1.00'), camtEntry('-1.00')] };
    const both = camt(still) + camt(week);
    expect((await readAll(both)).entries).toHaveLength(4);
  });

  test('have the details of all files', async () => {
    const poor = camtEntry('6.00', { reference: 'A' });
    const rich = camtEntry('6.00', { reference: 'A', more: e2e('E-1') });
    const result = await readAll(camt({ entries: [poor] }), camt({ entries: [rich] }));
    expect(result.entries).toMatchObject([{ details: { endToEndIds: ['E-1'] } }]);
  });
});

describe('reports and notifications', () => {
  const parts = payments(
    '<Refs><EndToEndId>E-1</EndToEndId></Refs><Amt Ccy="EUR">4.00</Amt>',
    '<Refs><EndToEndId>E-2</EndToEndId></Refs><Amt Ccy="EUR">2.00</Amt>',
  );
  const batch = camt({
    balances: { OPBD: '0', CLBD: '6' },
    entries: [camtEntry('6.00', { reference: 'A' })],
  });

  test('add their details to the entries of the statement, and no money', async () => {
    const result = await readAll(
      batch,
      camt({ message: 'camt.052', entries: [camtEntry('6.00')] }),
      camt({ message: 'camt.054', entries: [camtEntry('6.00', { reference: 'A', more: parts })] }),
    );
    expect(moneyIn(result)).toEqual([`${day} 6.00`]);
    expect(result.entries[0]?.parts).toMatchObject([
      { endToEndIds: ['E-1'], amount: 400n },
      { endToEndIds: ['E-2'], amount: 200n },
    ]);
    expect(result.findings).toEqual([]);
  });

  test('add nothing if it is not certain to which entry', async () => {
    const notice = (id: string) =>
      camt({ message: 'camt.054', entries: [camtEntry('6.00', { more: e2e(id) })] });
    const two = camt({ entries: [camtEntry('6.00'), camtEntry('6.00', { reference: 'B' })] });
    const result = await readAll(two, notice('E-1'), notice('E-2'));
    expect(result.entries).toHaveLength(2);
    expect(result.entries.flatMap(({ details }) => details.endToEndIds)).toEqual([]);
    const one = await readAll(camt({ entries: [camtEntry('6.00')] }), notice('E-1'));
    expect(one.entries[0]?.details.endToEndIds).toEqual(['E-1']);
  });

  test('that list the payments of a batch one by one do not count beside it', async () => {
    const single = camt({ message: 'camt.054', entries: [camtEntry('4.00'), camtEntry('2.00')] });
    expect(moneyIn(await readAll(batch, single))).toEqual([`${day} 6.00`]);
    const nothing = camt({ balances: { OPBD: '0', CLBD: '0' }, entries: [] });
    expect(moneyIn(await readAll(nothing, single))).toEqual([]);
  });

  test('count on days that no statement covers', async () => {
    const next = '2026-03-06';
    const entries = [camtEntry('1.00', { day: next })];
    const report = camt({ message: 'camt.052', day: next, entries });
    const notice = camt({ message: 'camt.054', day: next, entries });
    expect(moneyIn(await readAll(batch, report, notice))).toEqual([`${day} 6.00`, `${next} 1.00`]);
  });

  test('announce entries, which stay pending until they are booked', async () => {
    const announced = (amount: string, id: string) =>
      camtEntry(amount, { day: '2026-03-04', status: '<Cd>PDNG</Cd>', more: e2e(id) });
    const report = camt({
      message: 'camt.052',
      day: '2026-03-04',
      entries: [announced('1.00', 'E-1'), announced('1.00', 'E-2')],
    });
    const booked = camt({ entries: [camtEntry('1.00', { more: e2e('E-2') })] });
    expect(moneyIn(await readAll(report))).toEqual([
      '2026-03-04 1.00 pending',
      '2026-03-04 1.00 pending',
    ]);
    const result = await readAll(report, booked);
    expect(moneyIn(result)).toEqual(['2026-03-04 1.00 pending', `${day} 1.00`]);
    expect(result.entries[0]?.details.endToEndIds).toEqual(['E-1']);
  });

  test('do not hide a payment that was made twice', async () => {
    const next = camt({
      message: 'camt.052',
      day: '2026-03-06',
      entries: [camtEntry('6.00', { day: '2026-03-06', more: e2e('E-1') })],
    });
    const first = camt({ entries: [camtEntry('6.00', { more: e2e('E-1') })] });
    expect(moneyIn(await readAll(first, next))).toEqual([`${day} 6.00`, '2026-03-06 6.00']);
  });
});

describe('pending entries', () => {
  test('that two kinds of statements announce count once, and two payments twice', async () => {
    const status = '<Cd>PDNG</Cd>';
    const coming = (...ids: readonly string[]) =>
      ids.map((id) => camtEntry('6.00', { status, more: e2e(id) }));
    const report = camt({ message: 'camt.052', entries: coming('E-1', 'E-2') });
    const result = await readAll(camt({ entries: coming('E-1') }), report);
    expect(moneyIn(result)).toEqual([`${day} 6.00 pending`, `${day} 6.00 pending`]);
    expect(result.repeated).toBe(1);
  });
});

describe('the same days in MT940 and camt', () => {
  const mt940 = [
    ...[':20:X', ':25:DE89370400440532013000', ':28C:1', ':60F:C260304EUR0,'],
    ...[':61:260305C6,NTRFE-1//B-9', ':86:Pay-out', ':62F:C260305EUR6,'],
  ].join('\n');

  test('count once, with what both say', async () => {
    const result = await readAll(
      camt({ balances: { OPBD: '0', CLBD: '6' }, entries: [camtEntry('6.00')] }),
      mt940,
    );
    expect(moneyIn(result)).toEqual([`${day} 6.00`]);
    expect(result.entries[0]?.details).toMatchObject({ references: ['E-1'], texts: ['Pay-out'] });
  });

  test('count once where MT940 has bank code and number in the place of the IBAN', async () => {
    const local = (account: string) => mt940.replace('DE89370400440532013000', account);
    const result = (account: string) =>
      readAll(camt({ entries: [camtEntry('6.00')] }), local(account));
    expect(moneyIn(await result('37040044/532013000'))).toEqual([`${day} 6.00`]);
    expect(moneyIn(await result('37040044/0532013001EUR'))).toHaveLength(2);
    expect((await readAll(local('37040044/532013000'))).entries[0]?.account).toBe(
      '37040044/532013000',
    );
  });

  test('count by the entry that can be read, if the other cannot', async () => {
    const broken = camt({
      entries: [camtEntry('1.00'), camtEntry('6.00').replace('6.00', '6,00')],
    });
    const other = mt940.replace(':61:', ':61:260305C1,NTRFX\n:61:').replace('EUR6,', 'EUR7,');
    expect(moneyIn(await readAll(broken, other))).toEqual([`${day} 1.00`, `${day} 6.00`]);
  });
});

describe('the arithmetic of statements', () => {
  const of = (date: string, opening: string, closing: string, amount: string, number = '') =>
    camt({
      ...{ day: date, number, balances: { OPBD: opening, CLBD: closing } },
      entries: [camtEntry(amount, { day: date })],
    });

  test('is checked within a statement, with its sign', async () => {
    const result = await readAll(of(day, '-1.00', '2.00', '3.005'));
    expect(findingsIn(result)).toEqual(['line 3: balance_break -0.005']);
    const pending = camtEntry('9.00', { status: '<Cd>PDNG</Cd>' });
    const whole = camt({ balances: { PRCD: '1', CLBD: '2' }, entries: [camtEntry('1'), pending] });
    expect(findingsIn(await read(whole))).toEqual([]);
  });

  test('is checked only with two balances, also over pages', async () => {
    const page = (balances: Readonly<Record<string, string>>) =>
      camt({ balances, entries: [camtEntry('1')] });
    expect(findingsIn(await read(page({ ITBD: '5' })))).toEqual([]);
    expect(findingsIn(await read(page({ OPBD: '5', ITBD: '7' })))).toEqual([
      'line 3: balance_break 1.00',
    ]);
  });

  test.each([
    ['checked', { OPBD: '1', CLBD: '2' }],
    ['no_opening_balance', { CLBD: '2' }],
    ['no_closing_balance', { OPBD: '1' }],
    ['no_balances', {}],
  ])('is %s with the balances %j', async (expected, balances) => {
    const result = await read(camt({ balances, entries: [camtEntry('1.00')] }));
    expect(checksIn(result)).toEqual([expected]);
    expect(result.findings).toEqual([]);
  });

  test('is not checked over currencies, in what was read in part, and in notifications', async () => {
    const balances = { OPBD: '1', CLBD: '9' };
    const text = camt({ balances, entries: [camtEntry('1.00')] });
    const checks = async (written: string) => {
      const result = await read(written);
      return [...checksIn(result), ...findingsIn(result)];
    };
    const dollars = (type: string) =>
      text.replace(new RegExp(`(?<=>${type}<[\\s\\S]*?)Ccy="EUR"`), 'Ccy="USD"');
    expect(await checks(text)).toEqual(['checked', 'line 3: balance_break 7.00']);
    expect(await checks(dollars('OPBD'))).toEqual(['other_currency']);
    expect(await checks(dollars('CLBD'))).toEqual(['other_currency']);
    const entry = camtEntry('8.00').replace('EUR', 'USD');
    expect(await checks(text.replace('</Stmt>', `${entry}</Stmt>`))).toContain('other_currency');
    expect(await checks(text.replace('</Stmt>', `${camtEntry('7,00')}</Stmt>`))).toEqual([
      ...['partly_read', 'line 11: Ntry/Amt 7,00'],
    ]);
    const entries = [camtEntry('1.00')];
    expect(await checks(camt({ message: 'camt.054', entries }))).toEqual(['notification']);
  });

  test('is checked from one statement to the next: by number, or else by day', async () => {
    const friday = of('2026-03-06', '0', '1', '1', '8');
    const monday = (opening: string, number: string) =>
      of('2026-03-09', opening, String(Number(opening) + 1), '1', number);
    const gaps = async (...texts: readonly string[]) => findingsIn(await readAll(...texts));
    expect(await gaps(friday, monday('1', '9'))).toEqual([]);
    expect(await gaps(friday, monday('3', '9'))).toEqual(['line 3: statement_gap 2.00']);
    expect(await gaps(friday, monday('3', ''))).toEqual(['line 3: statement_gap 2.00']);
    // A statement that was not fetched is missing between them.
    expect(await gaps(friday, of('2026-03-11', '3', '4', '1', '11'))).toEqual([]);
    // They overlap, or are of two accounts.
    expect(await gaps(friday, of('2026-03-06', '3', '4', '1'))).toEqual([]);
    expect(await gaps(friday, monday('3', '9').replace('DE89', 'DE88'))).toEqual([]);
    // Numbers begin again: this one is of another month.
    const later = (date: string) => of(date, '3', '4', '1', '9');
    expect(await gaps(friday, later('2026-04-06'))).toEqual(['line 3: statement_gap 2.00']);
    expect(await gaps(friday, later('2026-04-07'))).toEqual([]);
  });

  test('has a finding for a number that was left out if money moved meanwhile', async () => {
    const mt940 = (number: string, date: string, opening: string, closing: string) =>
      [':20:X', ':25:DE89370400440532013000', `:28C:${number}`, `:60F:C${date}EUR${opening}`]
        .concat([`:61:${date}C1,NTRFX`, `:62F:C${date}EUR${closing}`, '-', ''])
        .join('\n');
    const gaps = async (...texts: readonly string[]) => findingsIn(await readAll(...texts));
    const first = mt940('1/1', '260302', '9,', '10,');
    expect(await gaps(first, mt940('3/1', '260304', '130,', '131,'))).toEqual([
      'line 1: statement_gap 120.00',
    ]);
    expect(await gaps(first, mt940('3/1', '260304', '10,', '11,'))).toEqual([]);
    expect(await gaps(first, mt940('1/3', '260302', '130,', '131,'))).toEqual([
      'line 1: statement_gap 120.00',
    ]);
    // The months between may have no statements; a number that is not higher says nothing.
    expect(await gaps(first, mt940('3/1', '260503', '130,', '131,'))).toEqual([
      'line 1: statement_gap 120.00',
    ]);
    expect(await gaps(first, mt940('3/1', '260504', '130,', '131,'))).toEqual([]);
    expect(await gaps(first, mt940('1/1', '260304', '130,', '131,'))).toEqual([]);
    // In camt, where numbers follow on each other elsewhere.
    const eight = of('2026-03-04', '0', '1', '1', '8');
    const eleven = of('2026-03-09', '3', '4', '1', '11');
    expect(await gaps(eight, eleven)).toEqual([]);
    expect(await gaps(eight, of('2026-03-05', '1', '2', '1', '9'), eleven)).toEqual([
      'line 3: statement_gap 1.00',
    ]);
    expect(await gaps(eight, of('2026-03-05', '1', '3', '2', '9'), eleven)).toEqual([]);
  });

  test('has no finding for reports of a day that is not over', async () => {
    const report = camt({
      message: 'camt.052',
      balances: { OPBD: '5', ITBD: '9' },
      entries: [camtEntry('1')],
    });
    expect(findingsIn(await read(report))).toEqual([]);
    const interim = report.replace('OPBD', 'ITBD');
    expect(findingsIn(await read(interim))).toEqual(['line 3: balance_break 3.00']);
  });
});

test('the result does not depend on the order of files, and no file is read twice', async () => {
  const entry = fc.record({
    amount: fc.constantFrom('1.00', '2.00', '-1.00'),
    reference: fc.constantFrom('', 'A', 'B'),
    more: fc.constantFrom('', e2e('E-1'), e2e('E-2')),
    day: fc.constantFrom('2026-03-04', day),
    status: fc.constantFrom('<Cd>BOOK</Cd>', '<Cd>PDNG</Cd>'),
  });
  const file = fc.record({
    message: fc.constantFrom('camt.052' as const, 'camt.053' as const, 'camt.054' as const),
    number: fc.constantFrom('', '7', '8'),
    entries: fc.array(entry, { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 4 }), async (files) => {
      const texts = files.map((one) =>
        camt({
          ...one,
          entries: one.entries.map(({ amount, ...rest }) => camtEntry(amount, rest)),
        }),
      );
      const once = await readAll(...texts);
      const again = await readAll(...texts, ...texts);
      expect(again.entries.map(amountOf)).toEqual(once.entries.map(amountOf));
      expect(again.entries.map(({ id }) => id)).toEqual(once.entries.map(({ id }) => id));
    }),
    { numRuns: 40 },
  );
});

describe('statements of the same days', () => {
  const statementOf = (
    period: readonly [from: string, to: string],
    [opening, closing]: readonly [string, string],
    entries: readonly string[],
  ) =>
    document({
      period,
      entries,
      balances: [
        ['OPBD', opening, period[0]],
        ['CLBD', closing, period[1]],
      ],
    });
  const march = ['2026-03-01', '2026-03-31'] as const;
  const week = ['2026-03-02', '2026-03-08'] as const;
  const entry = (amount: string, more: string, date = day) => entryOn(date, amount, more);
  const text = (words: string) =>
    `<NtryDtls><TxDtls><RmtInf><Ustrd>${words}</Ustrd></RmtInf></TxDtls></NtryDtls>`;

  test('list the same money if their balances agree, whatever references the bank gives', async () => {
    const ofMonth = [
      entry('12.00', `<AcctSvcrRef>M-1</AcctSvcrRef>${text('Pay-out A')}`),
      entry('12.00', '<AcctSvcrRef>M-2</AcctSvcrRef>'),
      entry('7.00', '<NtryRef>3</NtryRef>', '2026-03-20'),
    ];
    const ofWeek = [
      entry('12.00', '<AcctSvcrRef>W-1</AcctSvcrRef>'),
      entry('12.00', `<AcctSvcrRef>W-2</AcctSvcrRef>${text('Pay-out A')}`),
    ];
    const result = await readAll(
      statementOf(march, ['1.00', '32.00'], ofMonth),
      statementOf(week, ['1.00', '25.00'], ofWeek),
    );
    expect(moneyIn(result)).toEqual([`${day} 12.00`, `${day} 12.00`, '2026-03-20 7.00']);
    expect(findingsIn(result)).toEqual([]);
  });

  test('list the same money if one of them adds up what the other has one by one', async () => {
    const result = await readAll(
      statementOf(march, ['1.00', '25.00'], [entry('24.00', text('Batch'))]),
      statementOf(week, ['1.00', '25.00'], [entry('11.00', text('A')), entry('13.00', text('B'))]),
    );
    expect(moneyIn(result)).toEqual([`${day} 11.00`, `${day} 13.00`]);
  });

  test('have different entries if the balance goes on from one to the other', async () => {
    const days = [day, day] as const;
    const result = await readAll(
      statementOf(days, ['1.00', '13.00'], [entry('12.00', text('A'))]),
      statementOf(days, ['13.00', '25.00'], [entry('12.00', text('B'))]),
    );
    expect(moneyIn(result)).toEqual([`${day} 12.00`, `${day} 12.00`]);
  });

  test('without balances list once what only differs in a number that counts the lines', async () => {
    const numbered = (number: number) => entry('12.00', `<NtryRef>${number}</NtryRef>${text('A')}`);
    const result = await readAll(
      document({ period: march, entries: [numbered(17)] }),
      document({ period: week, entries: [numbered(1)] }),
    );
    expect(moneyIn(result)).toEqual([`${day} 12.00`]);
    expect(findingsIn(result)).toEqual([]);
  });

  test('without balances have a finding for an entry with other details, which counts once', async () => {
    const files = [
      document({ period: march, entries: [entry('12.00', text('Pay-out A'))] }),
      document({ period: week, entries: [entry('12.00', text('other words'))] }),
    ] as const;
    const result = await readFiles({ month: files[0], week: files[1] });
    expect(moneyIn(result)).toEqual([`${day} 12.00`]);
    expect(result.findings.map(({ code, found }) => `${code} ${found}`)).toEqual(['overlap 12.00']);
  });

  test('without balances keep two payments with ids of their own', async () => {
    const result = await readAll(
      document({ period: march, entries: [entry('12.00', e2e('A'))] }),
      document({ period: week, entries: [entry('12.00', e2e('B'))] }),
    );
    expect(moneyIn(result)).toEqual([`${day} 12.00`, `${day} 12.00`]);
    expect(findingsIn(result)).toEqual([]);
  });

  test('must have the balances of the longer one', async () => {
    const ofMonth = [entry('12.00', text('A')), entry('7.00', text('B'), '2026-03-20')];
    const result = await readAll(
      statementOf(march, ['1.00', '20.00'], ofMonth),
      statementOf(week, ['2.00', '14.00'], [entry('12.00', text('A'))]),
    );
    expect(findingsIn(result)).toEqual(['line 4: overlap_break 1.00']);
  });
});

test.each([
  ['DE89370400440532013000', '37040044/532013000EUR'],
  ['NL91ABNA0417164300', '417164300'],
  ['ES9121000418450200051332', '21000418450200051332'],
  ['GB29NWBK60161331926819', '601613/31926819'],
])('an account is one, written %s or %s', async (iban, national) => {
  const of = (account: string) =>
    document({ account, period: ['2026-03-05', '2026-03-05'], entries: [entryOn(day, '12.00')] });
  const result = await readAll(
    of(iban),
    of(national).replace(/<IBAN>(.*?)<\/IBAN>/, '<Othr><Id>$1</Id></Othr>'),
  );
  expect(result.entries.map(({ account }) => account)).toEqual([iban]);
});
