import { describe, expect, test } from 'vitest';
import { settingTable } from '../../src/config/table.ts';
import { zipOf } from '../cases/bank/zip-file.ts';
import { findingsIn, moneyIn, read, readFiles } from './reading.ts';
import { number, row, text, workbookOf } from './workbook-file.ts';

const mappingOf = (mapping: object) => {
  const parsed = settingTable.bank_csv.parse({
    key: 'bank_csv',
    text: JSON.stringify(mapping),
    origin: 'default',
  });
  if (!parsed) throw new Error('No mapping');
  return parsed;
};

const mapping = mappingOf({
  ...{ delimiter: ';', decimal: ',', date_format: 'DD.MM.YYYY', skip_lines: 2 },
  ...{ date: 'Datum', amount: 'Betrag', currency: 'EUR', account: 'DE1', texts: ['Zweck', 'Art'] },
});

const header = row(
  4,
  text('A4', 'Datum'),
  text('B4', 'Zweck'),
  text('D4', 'Betrag'),
  text('E4', 'Art'),
);
const title = row(1, text('A1', 'Umsätze; &quot;Privat&quot;'));
/** 2026-03-05 is the day 46086 since 1900. */
const paid = row(5, number('A5', '46086', 2), text('B5', 'Payout; E2E-1'), number('D5', '1234.5'));
const sheet = (...rows: readonly string[]) => title + header + rows.join('');
const day = { formats: ['0.00', 'dd\\.mm\\.yyyy'] };

describe('a workbook', () => {
  test('is read by the mapping of CSV files, a line a row', async () => {
    const strings = [
      '<t>Miete</t>',
      '<r><t>Pay</t></r><r><t xml:space="preserve">out 2</t></r><rPh><t>x</t></rPh>',
    ];
    const more =
      row(7, text('A7', '06.03.2026'), '<c r="B7" t="s"><v>1</v></c>', text('D7', '-1.234,50')) +
      row(9, number('A9', '46088.5', 2), '<c r="B9" t="s"><v>0</v></c>', number('D9', '-1E-2'));
    const result = await read(workbookOf({ ...day, rows: sheet(paid, more), strings }), {
      mapping,
    });
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual([
      ...['2026-03-05 1234.50', '2026-03-06 -1234.50', '2026-03-07 -0.01'],
    ]);
    expect(result.entries.map(({ place, details }) => [place.line, details.texts])).toEqual([
      [5, ['Payout; E2E-1']],
      [7, ['Payout 2']],
      [9, ['Miete']],
    ]);
  });

  test.each([
    ['1234.5599999999999', '1234.56'],
    ['-3452.7199999999998', '-3452.72'],
    ['0.1', '0.10'],
    ['1E3', '1000.00'],
    ['1.2E-1', '0.12'],
    ['100', '100.00'],
    ['90071992547409.9', '90071992547409.90'],
  ])('has exact numbers: %s is %s', async (written, amount) => {
    const rows = sheet(row(5, number('A5', '46086', 2), number('D5', written)));
    const result = await read(workbookOf({ ...day, rows }), { mapping });
    expect(moneyIn(result)).toEqual([`2026-03-05 ${amount}`]);
  });

  test.each([
    [
      'a result that is no amount',
      number('D5', '0.30000000000000004'),
      'Betrag ≈0,30000000000000004',
    ],
    ['an error', '<c r="D5" t="e"><v>#N/A</v></c>', 'Betrag #N/A'],
    ['a truth value', '<c r="D5" t="b"><v>1</v></c>', 'Betrag TRUE'],
    ['a formula without a result', '<c r="D5"><f>A1+1</f></c>', 'Betrag =A1+1'],
    ['a day', number('D5', '46086', 2), 'Betrag 05.03.2026'],
    ['a text that does not exist', '<c r="D5" t="s"><v>7</v></c>', 'Betrag text 7'],
  ])('never takes %s for an amount', async (_, cell, found) => {
    const rows = sheet(row(5, number('A5', '46086', 2), cell));
    const result = await read(workbookOf({ ...day, rows }), { mapping });
    expect(findingsIn(result)).toEqual([`line 5: ${found}`]);
    expect(result.entries).toEqual([]);
  });

  test('has the stored results of formulas', async () => {
    const cell = '<c r="D5"><f>1+1</f><v>2</v></c>';
    const rows = sheet(row(5, number('A5', '46086', 2), cell));
    expect(moneyIn(await read(workbookOf({ ...day, rows }), { mapping }))).toEqual([
      '2026-03-05 2.00',
    ]);
  });

  test.each([
    ['a built-in style', '46086', 3, {}, '2026-03-05'],
    ['days from 1904', '44624', 2, { is1904: true }, '2026-03-05'],
    ['a style with a text in quotes', '46086', 2, { formats: ['0', 'yyyy"-x-"'] }, '2026-03-05'],
    ['the last day before the one that did not exist', '59', 2, {}, '1900-02-28'],
    ['the day after it', '61', 2, {}, '1900-03-01'],
    ['a date as a text of ISO 8601', '', 0, {}, '2026-03-05'],
  ])('has days by their style: %s', async (_, serial, style, change, expected) => {
    const cell =
      serial === ''
        ? '<c r="A5" t="d"><v>2026-03-05T00:00:00</v></c>'
        : number('A5', serial, style);
    const rows = sheet(row(5, cell, number('D5', '1')));
    const result = await read(workbookOf({ ...day, ...change, rows }), { mapping });
    expect(result.findings).toEqual([]);
    expect(result.entries.map(({ date }) => date)).toEqual([expected]);
  });

  test.each([
    ['no style of a date', '46086', 0],
    ['29 February 1900, which did not exist', '60', 2],
    ['a format with days only in quotes', '46086', 1],
  ])('does not guess a day: %s', async (_, serial, style) => {
    const rows = sheet(row(5, number('A5', serial, style), number('D5', '1')));
    const formats = ['0 "days"', 'dd.mm.yyyy'];
    const result = await read(workbookOf({ formats, rows }), { mapping });
    expect(findingsIn(result)).toEqual([`line 5: Datum ${serial}`]);
  });

  test('is read from its first visible sheet, and the others are named', async () => {
    const other = row(1, text('A1', 'x'));
    const bytes = workbookOf({
      ...{ ...day, rows: other, isFirstHidden: true },
      more: { March: sheet(paid), Empty: '', April: other },
    });
    const result = await readFiles({ 'bank.xlsx': bytes }, { mapping });
    expect(moneyIn(result)).toEqual(['2026-03-05 1234.50']);
    expect(result.findings).toMatchObject([
      { code: 'other_file', place: { file: 'bank.xlsx:April' }, element: 'another sheet' },
      { code: 'other_file', place: { file: 'bank.xlsx:Sheet1' } },
    ]);
  });

  test('without a mapping, or with other columns, is refused by its kind', async () => {
    const bytes = workbookOf({ ...day, rows: sheet(paid) });
    await expect(read(bytes)).rejects.toThrow('This is an Excel workbook, not a bank statement');
    const rows = row(4, text('A4', 'Date'));
    await expect(read(workbookOf({ rows }), { mapping })).rejects.toThrow('with other columns');
  });

  test.each([
    ['rows in another order', row(9, number('A9', '1')) + row(8, number('A8', '1'))],
    ['cells in another order', row(5, number('B5', '1'), number('A5', '1'))],
    ['a cell twice', row(5, number('A5', '1'), number('A5', '1'))],
    ['a column beyond any table', row(5, number('XFD5', '1'))],
    ['a row beyond any sheet', row(1_048_577, number('A1', '1'))],
    ['XML that ends early', '<row r="5"><c r="A5">'],
  ])('that is damaged is unreadable, and nothing of it counts: %s', async (_, spoiled) => {
    const rows = sheet(spoiled);
    const result = await read(workbookOf({ ...day, rows }), { mapping });
    expect(result.findings).toMatchObject([{ code: 'unreadable', element: 'sheet' }]);
    expect(result.entries).toEqual([]);
    expect(result.statements).toEqual([]);
  });

  test('with a document type or a damaged part is unreadable', async () => {
    const name = 'xl/sharedStrings.xml';
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>';
    for (const part of [
      { name, content: bomb },
      { name, content: '<sst/>', crc: 1 },
    ]) {
      const bytes = workbookOf({ ...day, rows: sheet(paid), parts: [part] });
      expect((await read(bytes, { mapping })).findings).toMatchObject([{ element: 'sheet' }]);
    }
  });

  test('with texts beyond any sheet is refused before they fill the memory', async () => {
    const content = `<sst>${'<si/>'.repeat(2_200_000)}</sst>`;
    const parts = [{ name: 'xl/sharedStrings.xml', content }];
    const bytes = workbookOf({ ...day, rows: sheet(paid), parts });
    expect((await read(bytes, { mapping })).findings).toMatchObject([
      { expected: 'texts of at most 64 MB' },
    ]);
  });
});

describe('a file of another kind', () => {
  test.each([
    ['a PDF', '%PDF-1.7'],
    ['an old Excel or Word file', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['an archive that is not zip', Buffer.from('1f8b0800', 'hex')],
    ['a web page', '<!DOCTYPE html><html></html>'],
    ['a QIF file', '!Type:Bank\nD03/05/26\n'],
    ['another XML message', '<?xml version="1.0"?><Document><CstmrCdtTrfInitn/></Document>'],
    ['JSON', '{"transactions": []}'],
    ['an empty file', ' \n'],
    ['a Word or PowerPoint document', zipOf([{ name: 'word/document.xml', content: '<w/>' }])],
    ['an OpenDocument file', zipOf([{ name: 'mimetype', content: 'application/vnd.oasis' }])],
    ['a binary Excel workbook', zipOf([{ name: 'xl/workbook.bin', content: 'x' }])],
  ])('is refused by its kind: %s', async (kind, content) => {
    await expect(read(content)).rejects.toThrow(`This is ${kind}`);
  });
});
