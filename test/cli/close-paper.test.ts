import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partsOf, readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

async function written(name: string): Promise<Buffer> {
  const path = join(await temporaryFolder(), name);
  await runRecon(['close', '--sandbox', '--output', path]);
  return readFile(path);
}

describe('the workbook of a close', () => {
  test('leads with the checklist, ladders that agree with the roll-forward, and a place to sign', async () => {
    const bytes = await written('march.xlsx');
    const sheets = await readWorkbook(bytes);
    const lead = sheets.get('Summary') ?? [];
    const labels = lead.map(([label]) => label);
    for (const one of [
      'Checklist',
      'From the sale to the books, EUR',
      'Prepared by',
      'Reviewed by',
    ]) {
      expect(labels).toContain(one);
    }
    // A total that is added up stands beside the one that the roll-forward has.
    const agreed = lead.flatMap(([step, currency, amount, , other]) =>
      typeof other === 'number' ? [[step, currency, amount, other]] : [],
    );
    expect(agreed).toHaveLength(7);
    for (const [, , amount, other] of agreed) expect(amount).toBe(other);
    const xml = partsOf(bytes).get('xl/worksheets/sheet1.xml') ?? '';
    expect(xml).toContain('SUM(C33:C36)');
    expect(xml).toContain("SUMIFS('Roll-forward'!$I$2:$I$4,'Roll-forward'!$B$2:$B$4,$B37)");
  });

  test('says how late only what is open is, and offers what may be decided', async () => {
    const bytes = await written('march.xlsx');
    const sheets = await readWorkbook(bytes);
    const late = recordsOf(sheets.get('In transit')).filter((one) => one['Days late'] !== null);
    expect(late.map((one) => [one['Open'], one['Days late'], one['State']])).toEqual([
      [3059.32, 11, 'not on the statements'],
    ]);
    const at = [...sheets.keys()].indexOf('Decisions') + 1;
    expect(partsOf(bytes).get(`xl/worksheets/sheet${at}.xml`)).toContain(
      '"accept,confirm,settled with,written off"',
    );
    const checks = [...recordsOf(sheets.get('Roll-forward')), ...recordsOf(sheets.get('Bridge'))];
    expect(new Set(checks.map((one) => one['Check']))).toEqual(new Set([0]));
  });
});

test('the page of a close names what is out of balance, draws the ladder and can be signed', async () => {
  const page = String(await written('march.html'));
  expect(page).toContain('<h3>Out of balance: 6</h3>');
  expect(page.match(/<figcaption><h3>From the sale to the books, [A-Z]{3}</g)).toHaveLength(3);
  expect(page).toContain('<dt>Reviewed by</dt>');
});

test('a close that was forced is not in green: screen, page and workbook say so, with its note', async () => {
  const folder = await temporaryFolder();
  const closes = ['close', '--sandbox', '--closes', join(folder, 'closes.csv')];
  const force = ['--record', '--by', 'Anna', '--force', '--note', 'known to the judge'];
  const screen = await runRecon([...closes, '--new-register', ...force, '--format', 'table']);
  expect(screen.stdout).toMatch(
    /^CLOSED BY FORCE on \S+ by Anna\nForced, with this left to decide: .*\n/,
  );
  expect(screen.stdout).toContain('known to the judge');
  const file = async (name: string) => {
    await runRecon([...closes, '--output', join(folder, name)]);
    return readFile(join(folder, name));
  };
  const page = String(await file('march.html'));
  expect(page).toContain('<header class="answer unsure"><h2>CLOSED BY FORCE on');
  const bytes = await file('march.xlsx');
  const [, , [, label] = [], [, text] = [], , [, note] = []] =
    (await readWorkbook(bytes)).get('Summary') ?? [];
  expect([label, text, note]).toEqual([
    expect.stringMatching(/^CLOSED BY FORCE on/),
    expect.stringMatching(/^Forced, with this left to decide: /),
    'known to the judge',
  ]);
});
