import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { renderWorkbook } from '../../src/render/xlsx/workbook.ts';
import type { SheetCell } from '../../src/report/common/view.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { hostile } from '../render/hostile.ts';
import { type ReadCell, readWorkbook } from '../render/xlsx/read-workbook.ts';
import { programAt } from '../support/programs.ts';
import { runRecon } from '../support/run-recon.ts';

const soffice = programAt('soffice', 'libreoffice');

/** Formulas are computed when a file is opened: otherwise their cached values are shown. */
const alwaysRecalculate = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
  <item oor:path="/org.openoffice.Office.Calc/Formula/Load">
    <prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
  </item>
</oor:items>`;

/** All sheets as CSV, with all digits of numbers. */
const everySheet = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1';

/** What LibreOffice makes of a workbook: its sheets, computed by itself, or a PDF. */
async function opened(workbook: Uint8Array, format: string): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await temporaryFolder();
  const user = join(folder, 'office', 'user');
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'registrymodifications.xcu'), alwaysRecalculate);
  await writeFile(join(folder, 'report.xlsx'), workbook);
  const out = join(folder, 'out');
  await promisify(execFile)(soffice ?? '', [
    `-env:UserInstallation=file://${join(folder, 'office')}`,
    ...['--headless', '--convert-to', format, '--outdir', out, join(folder, 'report.xlsx')],
  ]);
  const files = await readdir(out);
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(out, name))] as const)),
  );
}

/** The cells of each sheet as LibreOffice computes them. */
async function computed(workbook: Uint8Array) {
  const files = await opened(workbook, everySheet);
  return new Map(
    [...files].map(([name, csv]) => [
      name.replace(/^report-(.*)\.csv$/, '$1'),
      parse(csv, { relax_column_count: true }) as string[][],
    ]),
  );
}

/** A cell as it was written, in the words of such a CSV. */
function textOf(cell: ReadCell | undefined): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return cell === null || cell === undefined ? '' : String(cell);
}

async function written(...args: readonly string[]): Promise<Uint8Array> {
  const path = join(await temporaryFolder(), 'report.xlsx');
  await runRecon([...args, '--output', path]);
  return readFile(path);
}

describe.skipIf(soffice === undefined)('LibreOffice', () => {
  it.each([
    ['the month', ['settlements', '--sandbox', '--rows', '--by', 'month,payment']],
    ['opposite differences', ['settlements', '--sandbox', '--scenario', 'offsetting']],
    ['incomplete settlements', ['settlements', '--sandbox', '--scenario', 'malformed']],
    ['other decimal places', ['settlements', '--sandbox', '--scenario', 'other-scale']],
    ['fee rates', ['settlements', '--sandbox', '--scenario', 'fee-drift', '--compare', 'previous']],
    ['an explanation', ['explain', '--sandbox']],
    ['the close of the month', ['close', '--sandbox']],
    ['orders', ['orders', '--sandbox']],
    ['fees', ['fees', '--sandbox']],
  ])('computes every cell of %s as it was written', async (_, args) => {
    const workbook = await written(...args);
    const sheets = await readWorkbook(workbook);
    const found = await computed(workbook);
    expect([...found.keys()].sort()).toEqual([...sheets.keys()].sort());
    for (const [name, rows] of sheets) {
      // Lines at the end that are empty are not among the rows.
      const cells = rows.map((row) => row.map(textOf));
      expect(found.get(name)?.slice(0, cells.length)).toEqual(cells);
    }
    const all = [...found.values()].flat(2);
    expect(all.filter((cell) => /^(?:#[A-Z/0]+[!?]?|Err:\d+)$/.test(cell))).toEqual([]);
  });

  it('computes formulas itself, and so shows a wrong cached value', async () => {
    const amount = (minor: bigint) => ({ kind: 'amount', minor, scale: 2 }) as const;
    const wrong: SheetCell = { kind: 'formula', formula: 'ROUND(A2+0.01,2)', result: amount(999n) };
    const columns = [{ title: 'One' }, { title: 'Other' }];
    const sheet = { name: 'Data', columns, rows: [[amount(100n), wrong]] };
    const workbook = await renderWorkbook({ title: '', summary: [], tables: [sheet] }, {});
    expect((await computed(workbook)).get('Data')?.[1]).toEqual(['1', '1.01']);
  });

  it('shows every text as it is and runs none', async () => {
    const texts = [...hostile, '=1+1', '+1', '-1', '@A1', '#REF!', 'a_x0041_b', '007', ' x '];
    const sheet = { name: 'Data', columns: [{ title: 'Text' }], rows: texts.map((one) => [one]) };
    const workbook = await renderWorkbook({ title: '', summary: [], tables: [sheet] }, {});
    const read = (await readWorkbook(workbook)).get('Data')?.slice(1).flat();
    expect((await computed(workbook)).get('Data')?.slice(1).flat()).toEqual(read);
    expect(read?.slice(hostile.length)).toEqual(texts.slice(hostile.length));
  });

  it.each(['a4', 'letter'])('prints each sheet of the month on one page of %s', async (paper) => {
    const workbook = await written('settlements', '--sandbox', '--paper', paper);
    const pdf = [...(await opened(workbook, 'pdf')).values()].join('');
    const sizes = { a4: [842, 595], letter: [792, 612] }[paper] ?? [];
    const pages = [
      ...pdf.matchAll(/\/Type\s*\/Page\b[^>]*\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/g),
    ];
    expect(pages.map(([, ...size]) => size.map((one) => Math.round(Number(one))))).toEqual(
      ['Summary', 'Accounts', 'Exceptions', 'Settlements'].map(() => sizes),
    );
  });
});
