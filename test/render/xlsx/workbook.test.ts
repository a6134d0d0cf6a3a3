import { expect, test } from 'vitest';
import { renderWorkbook } from '../../../src/render/xlsx/workbook.ts';
import type { SheetCell, TableSheet, Workbook } from '../../../src/report/common/view.ts';
import { recordsSheet } from '../../../src/report/common/workbook.ts';
import { hostile } from '../hostile.ts';
import { partsOf, readWorkbook } from './read-workbook.ts';

function sheetOf(...cells: readonly SheetCell[]): TableSheet {
  return { name: 'Data', columns: [{ title: 'Value' }], rows: cells.map((cell) => [cell]) };
}

function workbookOf(...tables: readonly TableSheet[]): Workbook {
  return { title: 'A workbook', summary: [], tables };
}

/** The values of one column, as another program reads them. */
async function readBack(...cells: readonly SheetCell[]) {
  const sheets = await readWorkbook(await renderWorkbook(workbookOf(sheetOf(...cells)), {}));
  return { values: sheets.get('Data')?.slice(1).flat(), summary: sheets.get('Summary')?.flat() };
}

const amount = (minor: bigint, scale: number): SheetCell => ({ kind: 'amount', minor, scale });

test('numbers, dates and texts are read back with their types', async () => {
  const { values } = await readBack(
    amount(-1234n, 2),
    amount(30n, 2),
    amount(999_999_999_999_999n, 18),
    { kind: 'count', minor: 36n, scale: 0 },
    { kind: 'difference', minor: 1n, scale: 3 },
    { kind: 'date', day: '2026-03-01' },
    '007',
  );
  expect(values).toEqual([
    ...[-12.34, 0.3, 0.000999999999999999, 36, 0.001],
    new Date('2026-03-01T00:00:00Z'),
    '007',
  ]);
});

test('an amount of more than 15 digits is a text with all digits, and has a note', async () => {
  const { values, summary } = await readBack(
    amount(9_007_199_254_740_993n, 2),
    {
      kind: 'formula',
      formula: 'SUM(A2)',
      result: { kind: 'amount', minor: -(10n ** 15n), scale: 0 },
    },
    amount(999_999_999_999_999n, 2),
  );
  expect(values).toEqual(['90071992547409.93', '-1000000000000000', 9_999_999_999_999.99]);
  expect(summary).toContain(
    '2 amounts have more than 15 digits and are written as text, because a spreadsheet would round ' +
      'such a number.',
  );
});

test('a text is never a formula, an error, a link or XML', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '#REF!',
    '#N/A',
    '</t><f>1</f>',
    'https://a.example',
  ];
  const bytes = await renderWorkbook(workbookOf(sheetOf(...texts)), {});
  const sheets = await readWorkbook(bytes);
  expect(sheets.get('Data')?.slice(1).flat()).toEqual(texts);
  const parts = partsOf(bytes);
  const data = parts.get('xl/worksheets/sheet2.xml') ?? '';
  expect(data).not.toMatch(/<f>|<hyperlink|t="e"/);
  expect([...parts.keys()].filter((path) => /rels\/sheet|externalLink|vba/.test(path))).toEqual([]);
  // A cell of the format @ stays text where somebody edits it.
  expect(parts.get('xl/styles.xml')).toContain('formatCode="@"');
});

test('control characters in a text are shown as on a screen', async () => {
  const { values } = await readBack(...hostile, 'no\ufffechar\uffff', 'a_x0041_b');
  for (const value of values ?? []) {
    expect(value).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u);
  }
  expect(values).toContain(String.raw`\u001b[2J\u001b[1;1Hall is well`);
  expect(values).toContain(String.raw`line\u000abreak`);
  expect(values?.slice(-2)).toEqual(['no\ufffdchar\ufffd', 'a_x0041_b']);
});

test('a text longer than a cell is cut, and has a note', async () => {
  const { values, summary } = await readBack('x'.repeat(32_766), 'y'.repeat(40_000));
  expect(values?.map((value) => String(value).length)).toEqual([32_766, 32_767]);
  expect(summary).toContain(
    '1 text is longer than a cell and cut; --format json has the whole text.',
  );
});

test('more rows than a sheet can have are refused', async () => {
  const rows = new Array<readonly SheetCell[]>(50_001).fill(['']);
  const sheet = { name: 'Data', columns: [{ title: 'Value' }], rows };
  await expect(renderWorkbook(workbookOf(sheet), {})).rejects.toMatchObject({
    failure: 'usage',
    message: 'The sheet Data would have 50,001 rows; a sheet has 50,000 at most.',
  });
});

test('the same workbook has the same bytes, and its time of creation only on request', async () => {
  const workbook = workbookOf(sheetOf('one', amount(1n, 2)));
  const [one, other] = [await renderWorkbook(workbook, {}), await renderWorkbook(workbook, {})];
  expect(Buffer.compare(one, other)).toBe(0);
  const madeAt = '2026-04-05T12:00:00.000Z';
  const stamped = await renderWorkbook(workbook, { madeAt });
  const summary = (await readWorkbook(stamped)).get('Summary');
  expect(summary?.at(-1)).toEqual(['Created', madeAt]);
  expect(partsOf(stamped).get('docProps/core.xml')).toContain('2026-04-05T12:00:00Z');
});

test('a sheet prints on its paper, as wide as a page, with the titles on each page', async () => {
  const sheet: TableSheet = {
    name: "All of 'it', or more",
    columns: [
      { title: 'Id', isKey: true },
      { title: 'Amount' },
      { title: 'Rest', isUnprinted: true },
    ],
    rows: [['a', amount(1n, 2), '']],
  };
  const pageSetup = async (paper: 'a4' | 'letter') =>
    partsOf(await renderWorkbook(workbookOf(sheet), { paper })).get('xl/worksheets/sheet2.xml');
  expect(await pageSetup('a4')).toContain(
    '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>',
  );
  const letter = await pageSetup('letter');
  expect(letter).toContain('paperSize="1"');
  expect(letter).toContain('<pageSetUpPr fitToPage="1"/>');
  expect(letter).toContain('<pane xSplit="1" ySplit="1" topLeftCell="B2" state="frozen"');
  expect(letter).toContain('<autoFilter ref="A1:C2"/>');
  const names = partsOf(await renderWorkbook(workbookOf(sheet), {})).get('xl/workbook.xml');
  expect(names).toContain("'All of ''it'', or more'!$A$1:$B$2");
  expect(names).toContain("'All of ''it'', or more'!$1:$1");
});

test('a sheet that could not be read on one page prints on several, with what names its rows on each', async () => {
  const wide = (columns: number): TableSheet => ({
    name: 'Wide',
    columns: [
      { title: 'Id', isKey: true },
      ...Array.from({ length: columns }, (_, at) => ({ title: `T${at}` })),
    ],
    rows: [['a', ...Array.from({ length: columns }, () => 'a'.repeat(38))]],
  });
  const parts = async (columns: number) =>
    partsOf(await renderWorkbook(workbookOf(wide(columns)), {}));
  const fits = await parts(4);
  expect(fits.get('xl/worksheets/sheet2.xml')).toContain('fitToWidth="1"');
  const tooWide = await parts(6);
  // 8 points.
  expect(tooWide.get('xl/worksheets/sheet2.xml')).toContain('orientation="landscape" scale="80"/>');
  expect(tooWide.get('xl/workbook.xml')).toContain("'Wide'!$A:$A,'Wide'!$1:$1");
});

test('sentences take the room that the other columns of a page leave', async () => {
  const widthBeside = async (others: number) => {
    const sheet: TableSheet = {
      name: 'Said',
      columns: [
        ...Array.from({ length: others }, (_, at) => ({ title: `T${at}` })),
        { title: 'Cause', isProse: true },
      ],
      rows: [[...Array.from({ length: others }, () => 'a'.repeat(38)), 'a cause '.repeat(30)]],
    };
    const parts = partsOf(await renderWorkbook(workbookOf(sheet), {}));
    const xml = parts.get('xl/worksheets/sheet2.xml') ?? '';
    return Number(new RegExp(`<col min="${others + 1}".*? width="(\\d+)"`).exec(xml)?.[1]);
  };
  expect(await Promise.all([1, 3, 4].map(widthBeside))).toEqual([82, 47, 24]);
});

test('records are a sheet with a type for each cell', async () => {
  const sheet = recordsSheet('Records', {
    columns: [
      { key: 'settlement_date', kind: 'day' },
      { key: 'fees', kind: 'amount' },
      { key: 'rows', kind: 'integer' },
      { key: 'value', kind: 'value' },
    ],
    rows: [
      ['2026-03-01', { minor: -150n, scale: 2 }, 36, 'settled'],
      ['unknown', undefined, undefined, '0.0000000000000000001'],
    ],
  });
  const sheets = await readWorkbook(await renderWorkbook(workbookOf(sheet), {}));
  expect(sheets.get('Records')).toEqual([
    ['Settlement date', 'Fees', 'Transactions', 'Value'],
    [new Date('2026-03-01T00:00:00Z'), -1.5, 36, 'settled'],
    ['unknown', null, null, '0.0000000000000000001'],
  ]);
});
