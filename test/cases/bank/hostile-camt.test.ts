import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bankOf,
  bankOfFolder,
  entriesOf,
  folderOf,
  isNamed,
  moneyFrom,
  runBank,
} from '../../bank/bank-report.ts';
import {
  amountOf,
  document,
  documentOf,
  entry,
  entryOn,
  lineOf,
  ownAccount,
  statement,
} from '../../bank/camt-message.ts';
import { Random } from '../../support/random.ts';

const kinds = ['052', '053', '054'] as const;
const period = ['2026-03-02', '2026-03-06'] as const;
const control = entryOn('2026-03-04', '1.00');

/** A file with one good entry of 1.00, and one in question. */
const besideControl = (questioned: string) => document({ period, entries: [control, questioned] });

describe('an entry without a day', () => {
  const without = {
    'neither date': ['', ''],
    'empty dates': ['<BookgDt><Dt></Dt></BookgDt>', '<ValDt><Dt/></ValDt>'],
    'blank dates': ['<BookgDt><Dt>  \n </Dt></BookgDt>', '<ValDt><Dt> </Dt></ValDt>'],
    'dates without content': ['<BookgDt/>', '<ValDt></ValDt>'],
    'an empty booking date alone': ['<BookgDt><Dt/></BookgDt>', ''],
    'an empty time of booking': ['<BookgDt><DtTm></DtTm></BookgDt>', ''],
  } as const;
  const cases = Object.entries(without).flatMap(([name, dates]) =>
    kinds.map((kind) => ({ name, kind, booked: dates[0], valued: dates[1] })),
  );

  test.each(cases)('$name in a camt.$kind is undated, and is given no day', async (given) => {
    const { kind, booked, valued } = given;
    const undated = entry('77.00', { booked, valued });
    const text = document({ kind, period, entries: [control, undated] });
    const run = await bankOf({ 'a.xml': text });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toEqual(['undated']);
    const [finding] = run.report.statementFindings;
    expect(finding?.file).toContain('a.xml');
    expect(finding?.line).toBe(lineOf(text, '<Amt Ccy="EUR">77.00'));
  });

  test.each(kinds)('in a camt.%s without a period is undated too', async (kind) => {
    const undated = entry('77.00', { booked: '', valued: '' });
    const run = await bankOf({ 'a.xml': document({ kind, entries: [control, undated] }) });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
    expect(run.codes).toContain('undated');
  });

  test('is listed with its amount in the table', async () => {
    const undated = entry('7654.32', { booked: '', valued: '' });
    const folder = await folderOf({ 'a.xml': besideControl(undated) });
    const { stdout } = await runBank([folder], ['--format', 'table']);
    expect(stdout).toMatch(/a\.xml:\d+/);
    expect(stdout).toMatch(/7,?654\.32/);
  });

  test('does not match a pay-out, even with its id and amount', async () => {
    const details =
      '<NtryDtls><TxDtls><Refs><EndToEndId>E2E-20260302-01</EndToEndId></Refs></TxDtls></NtryDtls>';
    const undated = entry('4197.18', { booked: '', valued: '', rest: details });
    const dated = entryOn('2026-03-03', '4197.18', details);
    const message = { account: 'DE79123456780000143027', period } as const;
    const range = ['--on', '2026-03-02'];
    const asked = { scenario: 'month', args: range };
    const good = await bankOf({ 'a.xml': document({ ...message, entries: [dated] }) }, asked);
    const bad = await bankOf({ 'a.xml': document({ ...message, entries: [undated] }) }, asked);
    const stateOf = ({ report }: typeof good) =>
      report.matches.find(({ settlements }) =>
        settlements.some(({ id }) => id.startsWith('dd4bcd07')),
      )?.state;
    expect(stateOf(good)).toBe('matched');
    expect(stateOf(bad)).not.toBe('matched');
    expect(stateOf(bad)).not.toBe('suggested');
    expect(stateOf(bad)).not.toBe('missing_on_bank');
    expect(bad.exitCode).toBe(4);
    expect(entriesOf(bad.report).filter(({ status }) => status === 'booked')).toEqual([]);
  });

  test('does not make the report incomplete if its statement is of other days', async () => {
    const undated = entry('77.00', { booked: '', valued: '' });
    const file = document({ period: ['2026-01-05', '2026-01-09'], entries: [undated] });
    const asked = { args: ['--from', '2026-03-02', '--to', '2026-03-06'] };
    const inRange = await bankOf({ 'a.xml': besideControl(undated) }, asked);
    const elsewhere = await bankOf(
      { 'a.xml': document({ period, entries: [control] }), 'old.xml': file },
      asked,
    );
    expect(inRange.exitCode).toBe(4);
    expect(elsewhere.exitCode).toBe(0);
  });

  test('is not undated if it has one of its dates', async () => {
    const files = {
      'booked.xml': document({ period, entries: [entry('2.00', { valued: '' })] }),
      'valued.xml': document({
        account: 'NL91ABNA0417164300',
        period,
        entries: [entry('3.00', { booked: '' })],
      }),
      'time.xml': document({
        account: 'FR1420041010050500013M02606',
        period,
        entries: [
          entry('4.00', {
            booked: '<BookgDt><DtTm>2026-03-05T08:15:30.123+01:00</DtTm></BookgDt>',
            valued: '',
          }),
        ],
      }),
    };
    const run = await bankOf(files);
    expect(run.money).toEqual(['2', '3', '4'].map((whole) => `2026-03-05 ${whole}.00 EUR`));
    expect(run.codes).toEqual([]);
    expect(run.exitCode).toBe(0);
  });
});

describe('an invalid day', () => {
  const impossible = ['2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10'];
  const malformed = ['2026-3-5', '05.03.2026', '20260305', '2026-03-05x', '2026-03', '26-03-05'];

  test.each([...impossible, ...malformed])('as booking date is unreadable: %s', async (day) => {
    const questioned = entry('77.00', { booked: `<BookgDt><Dt>${day}</Dt></BookgDt>` });
    const text = besideControl(questioned);
    const run = await bankOf({ 'a.xml': text });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
    expect(run.exitCode).toBe(4);
    const [finding] = run.report.statementFindings;
    expect(finding).toMatchObject({
      code: 'unreadable',
      line: lineOf(text, '<Amt Ccy="EUR">77.00'),
    });
    expect(finding?.message).toContain(day);
  });

  test.each(['99:99:99', '24:30:00', '12:60:00', '25:00:00'])(
    'has an impossible time and is unreadable: %s',
    async (time) => {
      const booked = `<BookgDt><DtTm>2026-03-05T${time}</DtTm></BookgDt>`;
      const run = await bankOf({
        'a.xml': besideControl(entry('77.00', { booked, valued: '' })),
      });
      expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
      expect(run.exitCode).toBe(4);
      expect(run.codes).toEqual(['unreadable']);
    },
  );

  test.each(impossible)('as value date is named, and not replaced by another: %s', async (day) => {
    const questioned = entry('77.00', { valued: `<ValDt><Dt>${day}</Dt></ValDt>` });
    const run = await bankOf({ 'a.xml': besideControl(questioned) });
    expect(run.codes).toHaveLength(1);
    expect(['odd_value_date', 'unreadable']).toContain(run.codes[0]);
    const listed = entriesOf(run.report).find(({ amount }) => amount.amount === '77.00');
    if (listed) expect([day, null, '']).toContain(listed.valueDate);
  });
});

describe('an amount', () => {
  const fine = {
    'with leading zeros': ['00077.10', '77.10'],
    'with a sign, as decimals may have': ['+77.10', '77.10'],
    'among blanks and line breaks': ['\n  77.10\t', '77.10'],
    'as characters by number': ['&#55;7.1&#x30;', '77.10'],
    'in a CDATA section': ['<![CDATA[77.10]]>', '77.10'],
    'without decimals': ['77', '77.00'],
    'of five decimals': ['77.10000', '77.10'],
    'of eighteen digits': ['9999999999999999.99', '9999999999999999.99'],
  };
  test.each(Object.entries(fine))('%s is exact, or is named', async (_, [written, meant]) => {
    const money = `<Amt Ccy="EUR">${written}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
    const run = await bankOf({ 'a.xml': besideControl(entry('', { money })) });
    const read = run.money.filter((one) => one !== '2026-03-04 1.00 EUR');
    if (run.codes.length === 0) {
      expect(read.map((one) => one.replace(/(\.\d\d)0+ /, '$1 '))).toEqual([
        `2026-03-05 ${meant} EUR`,
      ]);
    } else {
      expect(read).toEqual([]);
      expect(run.exitCode).toBe(4);
    }
  });

  const refused = {
    'with an element in it': '<Amt Ccy="EUR">77<Sub/>00.10</Amt>',
    'with an element behind it': '<Amt Ccy="EUR">77.10<Sub>5</Sub></Amt>',
    'with an element before it': '<Amt Ccy="EUR"><Old>12.00</Old>77.10</Amt>',
    'with an element around it': '<Amt Ccy="EUR"><Value>77.10</Value></Amt>',
    twice: '<Amt Ccy="EUR">77.10</Amt><Amt Ccy="EUR">88.10</Amt>',
    'twice the same': '<Amt Ccy="EUR">77.10</Amt><Amt Ccy="EUR">77.10</Amt>',
    'once in each of two currencies': '<Amt Ccy="EUR">77.10</Amt><Amt Ccy="USD">88.10</Amt>',
    'the second of which is empty': '<Amt Ccy="EUR">77.10</Amt><Amt Ccy="EUR"/>',
    'the first of which is empty': '<Amt Ccy="EUR"/><Amt Ccy="EUR">77.10</Amt>',
    'with a comma': '<Amt Ccy="EUR">77,10</Amt>',
    'with grouped thousands': '<Amt Ccy="EUR">1,077.10</Amt>',
    'with two points': '<Amt Ccy="EUR">1.077.10</Amt>',
    'with an exponent': '<Amt Ccy="EUR">77e2</Amt>',
    'in hexadecimal': '<Amt Ccy="EUR">0x77</Amt>',
    'with a blank in it': '<Amt Ccy="EUR">7 7.10</Amt>',
    'with a line break in it': '<Amt Ccy="EUR">77\n.10</Amt>',
    'with a hard blank': '<Amt Ccy="EUR">1&#160;077.10</Amt>',
    'in other digits': '<Amt Ccy="EUR">٧٧.10</Amt>',
    'in wide digits': '<Amt Ccy="EUR">７７.10</Amt>',
    'with its currency in it': '<Amt Ccy="EUR">EUR 77.10</Amt>',
    'with an invisible blank': '<Amt Ccy="EUR">77&#8203;.10</Amt>',
    'that is no number': '<Amt Ccy="EUR">NaN</Amt>',
    'without end': '<Amt Ccy="EUR">INF</Amt>',
    empty: '<Amt Ccy="EUR"></Amt>',
    'that is not there': '',
    'of a hundred thousand digits': `<Amt Ccy="EUR">${'7'.repeat(100_000)}.10</Amt>`,
  };
  test.each(Object.entries(refused))('%s is unreadable', async (_, amount) => {
    const money = `${amount}<CdtDbtInd>CRDT</CdtDbtInd>`;
    const text = besideControl(entry('', { money }));
    const run = await bankOf({ 'a.xml': text });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
    expect(run.exitCode).toBe(4);
    expect(run.codes.every((code) => code === 'unreadable')).toBe(true);
    const [finding] = run.report.statementFindings;
    expect(finding?.element).toContain('Amt');
    const line = lineOf(
      text,
      '<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-05',
    );
    expect([line - 1, line]).toContain(finding?.line);
  });

  const contradictory = {
    'two directions': entry('', {
      money: `${amountOf('77.10')}<CdtDbtInd>DBIT</CdtDbtInd>`,
    }),
    'a direction with another in it': entry('', {
      money: '<Amt Ccy="EUR">77.10</Amt><CdtDbtInd>CR<b>x</b>DT</CdtDbtInd>',
    }),
    'an unknown direction': entry('', {
      money: '<Amt Ccy="EUR">77.10</Amt><CdtDbtInd>CREDIT</CdtDbtInd>',
    }),
    'no direction': entry('', { money: '<Amt Ccy="EUR">77.10</Amt>' }),
    'two booking dates': entry('77.10', {
      booked: '<BookgDt><Dt>2026-03-05</Dt></BookgDt><BookgDt><Dt>2026-03-06</Dt></BookgDt>',
    }),
    'two days in one booking date': entry('77.10', {
      booked: '<BookgDt><Dt>2026-03-05</Dt><Dt>2026-03-06</Dt></BookgDt>',
    }),
    'a booking date with an element in it': entry('77.10', {
      booked: '<BookgDt><Dt>2026-03-0<b>1</b>5</Dt></BookgDt>',
    }),
    'two statuses': entry('77.10', {
      status: '<Sts><Cd>PDNG</Cd></Sts><Sts><Cd>BOOK</Cd></Sts>',
    }),
  };
  test.each(Object.entries(contradictory))(
    'of an entry with %s is read or named',
    async (_, questioned) => {
      const run = await bankOf({ 'a.xml': besideControl(questioned) });
      expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
      expect(run.exitCode).toBe(4);
      expect(run.codes).toContain('unreadable');
    },
  );

  test('is the amount of the entry, whatever amounts its details have', async () => {
    const details =
      '<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">85.00</Amt></InstdAmt><TxAmt>' +
      '<Amt Ccy="EUR">75.00</Amt></TxAmt></AmtDtls><Amt Ccy="EUR">75.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>' +
      '<Chrgs><Rcrd><Amt Ccy="EUR">2.10</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs></TxDtls></NtryDtls>';
    const charges = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">2.10</TtlChrgsAndTaxAmt></Chrgs>';
    const rest = `<AmtDtls><CntrValAmt><Amt Ccy="USD">84.00</Amt></CntrValAmt></AmtDtls>${charges}${details}`;
    const run = await bankOf({ 'a.xml': besideControl(entry('77.10', { rest })) });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR', '2026-03-05 77.10 EUR']);
    expect(run.codes).toEqual([]);
  });
});

describe('an empty statement', () => {
  const inside = {
    'of nothing': '',
    'of its id': '<Id>S-1</Id>',
    'of its id and its time': '<Id>S-1</Id><CreDtTm>2026-03-31T23:00:00Z</CreDtTm>',
    'of an account alone': `<Id>S-1</Id><Acct><Id><IBAN>${ownAccount}</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
    'of a comment': '<!-- nothing today -->',
    'of balances without an account':
      '<Id>S-1</Id><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>',
    'of an entry without an account': `<Id>S-1</Id>${entryOn('2026-03-05', '5.00')}`,
    'of an account without a number': `<Id>S-1</Id><Acct><Id><IBAN></IBAN></Id></Acct>${entryOn('2026-03-05', '5.00')}`,
  };
  const cases = kinds.flatMap((kind) =>
    Object.entries(inside).map(([name, content]) => ({ kind, name, content })),
  );

  test.each(cases)('$name in a camt.$kind is unreadable', async ({ kind, content }) => {
    const empty = statement({ kind, inside: content || ' ' });
    const run = await bankOf({ 'a.xml': documentOf({ kind }, empty) });
    expect(run.exitCode).toBe(4);
    expect(run.report.verdict).toBe('incomplete');
    expect(run.codes).toContain('unreadable');
    expect(run.report.statementFindings[0]?.file).toContain('a.xml');
    const [finding] = run.report.statementFindings;
    expect(finding?.line).toBeGreaterThanOrEqual(4);
    expect(finding?.line).toBeLessThanOrEqual(7);
    expect(run.report.matches.filter(({ settlements }) => settlements.length > 0)).toEqual([]);
  });

  test('in a self-closing element is unreadable, and the one beside it is read', async () => {
    const text = documentOf({}, `<Stmt/>\n${statement({ period, entries: [control] })}`);
    const run = await bankOf({ 'a.xml': text });
    expect(run.exitCode).toBe(4);
    expect(run.codes).toEqual(['unreadable']);
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
  });

  test('with a balance or a period is a statement without entries', async () => {
    const days = ['2026-03-02', '2026-03-06'] as const;
    const balances = [
      ['OPBD', '5.00', days[0]],
      ['CLBD', '5.00', days[1]],
    ] as const;
    const run = await bankOf({
      'balances.xml': document({ balances }),
      'period.xml': document({ account: 'NL91ABNA0417164300', period: days }),
    });
    expect(run.exitCode).toBe(0);
    expect(run.codes).toEqual([]);
    expect(run.report.statements.map(({ entries }) => entries)).toEqual([0, 0]);
  });

  const odd = {
    'empty.xml': documentOf({}, '<Stmt/>'),
    'empty-report.xml': documentOf({ kind: '052' }, '<Rpt><Id>1</Id></Rpt>'),
    'empty-notification.xml': documentOf({ kind: '054' }, '<Ntfctn></Ntfctn>'),
    'account.xml': document({}),
    'undated.xml': document({ entries: [entry('5.00', { booked: '', valued: '' })] }),
    'odd.xml': document({ entries: [entry('5.00', { valued: '<ValDt><Dt>x</Dt></ValDt>' })] }),
    'nothing.sta': ':20:X\n:25:123\n:28C:1/1\n-\n',
    'unreadable.sta': ':20:X\n:25:124\n:28C:\n:61:2602300230C1,00NTRFX\n-\n',
  };
  const formats = ['table', 'csv', 'json', 'ndjson', 'html', 'markdown'];

  test.each(formats)('is shown without words of the program in %s', async (format) => {
    const all = await folderOf(odd);
    for (const path of [all, ...Object.keys(odd).map((name) => join(all, name))]) {
      const asked = { scenario: 'pending' };
      const { stdout, stderr } = await runBank([path], ['--format', format], asked);
      const text = format === 'html' ? stdout.replace(/<script[\s\S]*?<\/script>/g, '') : stdout;
      expect(text + stderr, path).not.toMatch(/\bNaN\b|\bundefined\b|\[object |Invalid Date/);
    }
  });
});

describe('a statement as real banks write it', () => {
  const days = { period } as const;
  const own = (index: number) => `DE${20 + index}370400440532013000`;
  const good: Readonly<Record<string, string | Uint8Array>> = {
    'crlf.xml': document({ ...days, account: own(0), entries: [control] }).replaceAll('\n', '\r\n'),
    'bom.xml': `\uFEFF${document({ ...days, account: own(1), entries: [control] })}`,
    'prefixes.xml': document({ ...days, account: own(2), entries: [control] })
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
      .replace('xmlns=', 'xmlns:ns2='),
    'windows.xml': Buffer.from(
      document({ ...days, account: own(3), entries: [control] })
        .replace('UTF-8', 'windows-1252')
        .replace('</Ntry>', '<AddtlNtryInf>M\u00fcller</AddtlNtryInf></Ntry>'),
      'latin1',
    ),
    'no-period.xml': document({ account: own(4), entries: [control] }),
    'old.xml': document({
      ...days,
      version: '02',
      account: own(5),
      entries: [entry('1.00', { status: '<Sts>BOOK</Sts>' }).replaceAll('03-05', '03-04')],
    }),
    'one-line.xml': document({ ...days, account: own(6), entries: [control] }).replaceAll('\n', ''),
    'other-account.xml': document({ ...days, account: own(7), entries: [control] }).replace(
      /<IBAN>.*<\/IBAN>/,
      '<Othr><Id>0532013007</Id></Othr>',
    ),
    'own-namespace.xml': document({ ...days, account: own(8), entries: [control] }).replace(
      /xmlns="[^"]*"/,
      'xmlns="ISO:camt.053.001.02:APC:STUZZA:payments:002"',
    ),
    'intraday.xml': document({
      ...days,
      kind: '052',
      account: own(9),
      balances: [
        ['PRCD', '5.00', '2026-03-02'],
        ['ITBD', '6.00', '2026-03-06'],
      ],
      entries: [control],
    }),
    'available.xml': document({
      ...days,
      account: own(10),
      balances: [
        ['PRCD', '5.00', '2026-03-01'],
        ['OPBD', '5.00', '2026-03-02'],
        ['CLBD', '6.00', '2026-03-06'],
        ['CLAV', '4.00', '2026-03-06'],
        ['FWAV', '3.00', '2026-03-07'],
        ['INFO', '9.00', '2026-03-07'],
      ],
      entries: [control],
    }),
    'supplementary.xml': document({
      ...days,
      account: own(11),
      entries: [
        control.replace(
          '</Ntry>',
          '<AddtlNtryInf>two <![CDATA[<Amt>9.00</Amt>]]></AddtlNtryInf></Ntry>',
        ),
      ],
    }).replace(
      '</Document>',
      '<SplmtryData><Envlp><Amt Ccy="EUR">9.00</Amt></Envlp></SplmtryData></Document>',
    ),
  };

  test.each(Object.keys(good))('is read to the cent, without findings: %s', async (name) => {
    const run = await bankOf({ [name]: good[name] ?? '' });
    expect(run.codes).toEqual([]);
    expect(run.money).toEqual(['2026-03-04 1.00 EUR']);
    expect(run.exitCode).toBe(0);
  });

  test('is read as several statements of a document, each with its own account', async () => {
    const statements = [1, 2, 3].map((index) =>
      statement({
        ...days,
        account: own(index),
        id: 'SAME',
        entries: [entryOn('2026-03-04', `${index}.00`)],
      }),
    );
    const run = await bankOf({ 'a.xml': documentOf({}, statements.join('\n')) });
    expect(run.money).toEqual([1, 2, 3].map((index) => `2026-03-04 ${index}.00 EUR`));
    expect(run.report.statements).toHaveLength(3);
    expect(run.exitCode).toBe(0);
  });

  test('has reversals with the direction as written', async () => {
    const reversed = entry('-8.00', { rest: '' }).replace(
      '</CdtDbtInd>',
      '</CdtDbtInd><RvslInd>true</RvslInd>',
    );
    const run = await bankOf({ 'a.xml': besideControl(reversed) });
    expect(run.money).toEqual(['2026-03-04 1.00 EUR', '2026-03-05 -8.00 EUR']);
  });
});

describe('a generated statement', () => {
  /** Bytes that a broken transfer, a careless script or a human may put somewhere. */
  const strange = ['', ' ', ',', '.', '-', '+', 'e', 'O', 'l', '\u00a0', '<', '>', '&', '"', '\t'];

  /** A file of up to five entries: what is in it, and where the amounts are. */
  function generate(random: Random, account: string) {
    const entries = Array.from({ length: random.int(1, 5) }, () => {
      const cents = random.int(1, 9_999_999);
      const sign = random.chance(40) ? '-' : '';
      const amount = `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      return { day: `2026-03-0${random.int(2, 6)}`, amount };
    });
    const text = document({
      kind: random.pick(kinds),
      version: random.pick(['02', '04', '08', '13']),
      account,
      ...(random.chance(70) && { period }),
      entries: entries.map(({ day, amount }) => entryOn(day, amount)),
    });
    const money = entries.map(({ day, amount }) => `${day} ${amount} EUR`).sort();
    return { text: random.chance(30) ? text.replaceAll('\n', '\r\n') : text, money };
  }

  test('is read as written', async () => {
    const random = new Random(1);
    const made = Array.from({ length: 120 }, (_, index) => ({
      name: `whole-${index}-.xml`,
      ...generate(random, `AB${1000 + index}X`),
    }));
    const run = await bankOfFolder(Object.fromEntries(made.map(({ name, text }) => [name, text])));
    for (const { name, money } of made) expect(moneyFrom(run, name), name).toEqual(money);
    expect(run.codes).toEqual([]);
  });

  test('gives the same or is named after one character in an entry is changed', async () => {
    const random = new Random(29);
    const made = Array.from({ length: 600 }, (_, index) => {
      const { text, money } = generate(random, `AB${1000 + index}X`);
      const values = [...text.matchAll(/<(?:Amt Ccy="EUR"|Dt)>([^<]*)</g)].map((found) => {
        const start = found.index + found[0].indexOf('>') + 1;
        return [start, start + (found[1] ?? '').length] as const;
      });
      const first = text.indexOf('<Ntry>');
      const [from, to] = random.chance(70)
        ? random.pick(values)
        : ([first, text.lastIndexOf('</Ntry>')] as const);
      const at = random.int(from, to - 1);
      const by = random.pick(strange);
      const changed = text.slice(0, at) + by + text.slice(at + random.int(0, 1));
      // Another amount or day that is as well formed as the first: nobody can tell.
      const value = values.find(([start, end]) => start <= at && at < end);
      const now = value ? changed.slice(value[0], changed.indexOf('<', value[0])).trim() : '';
      // So is another code of a currency.
      const line = changed.slice(changed.lastIndexOf('\n', at - 1), changed.indexOf('\n', at));
      const isCode = by !== '' && /Ccy="(?!EUR)[A-Z]{3}"/.test(line);
      const isFree = isCode || /^[+-]?\d+(\.\d+)?$/.test(now);
      return { name: `changed-${index}-.xml`, text: changed, money, isFree };
    });
    const run = await bankOfFolder(Object.fromEntries(made.map(({ name, text }) => [name, text])));
    const wrong = made.filter(({ name, money, isFree }) => {
      const isSame = JSON.stringify(moneyFrom(run, name)) === JSON.stringify(money);
      return !isFree && !isSame && !isNamed(run, name);
    });
    expect(wrong.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
    expect(made.filter(({ name }) => isNamed(run, name)).length).toBeGreaterThan(100);
  });
});
