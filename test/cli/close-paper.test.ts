import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partsOf, readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

async function written(name: string, ...more: readonly string[]): Promise<Buffer> {
  const path = join(await temporaryFolder(), name);
  await runRecon(['close', '--sandbox', ...more, '--output', path]);
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
    // From the gross to the line before the net pay-out.
    const row = labels.indexOf('Net pay-out') + 1;
    expect(xml).toContain(`SUM(C${row - 4}:C${row - 1})`);
    // No ladder is on two pages.
    const ends = [...xml.matchAll(/<brk id="(\d+)"/g)].map(([, row]) => lead[Number(row)]?.[0]);
    expect(ends).toEqual(['From the sale to the books, USD']);
    expect(xml).toContain(`SUMIFS('Roll-forward'!$H$2:$H$4,'Roll-forward'!$B$2:$B$4,$B${row})`);
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

test('every sheet of a close prints as wide as one page in 8 points at least', async () => {
  const parts = partsOf(await written('march.xlsx'));
  const names = parts.get('xl/workbook.xml') ?? '';
  const found = names.matchAll(/Print_Area" localSheetId="(\d+)">[^<]*!\$A\$\d+:\$([A-Z])\$/g);
  const areas = [...found].map(([, sheet, last = '']) => [Number(sheet), last] as const);
  expect(areas.length).toBeGreaterThan(8);
  for (const [sheet, last] of areas) {
    const xml = parts.get(`xl/worksheets/sheet${sheet + 1}.xml`) ?? '';
    expect(xml).toContain('fitToWidth="1"');
    const widths = [...xml.matchAll(/<col min="\d+".*? width="(\d+)"/g)].map(([, one]) =>
      Number(one),
    );
    const printed = widths.slice(0, last.charCodeAt(0) - 64);
    // A page in landscape format has room for 141 digits of 10 points.
    expect(printed.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(141 / 0.8);
  }
  // The pages of the lead sheet end between its tables.
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('scale="80"');
});

test('overdue settlements are named on page and workbook, with what to do about them', async () => {
  const scenario = ['--scenario', 'overdue'];
  const page = String(await written('march.html', ...scenario));
  expect(page).toContain('<h3>Overdue: 3</h3>');
  const sheets = await readWorkbook(await written('march.xlsx', ...scenario));
  const named = (sheet: string) => recordsOf(sheets.get(sheet));
  const ids = named('Exceptions').flatMap(({ Settlement: id }) => (id ? [String(id)] : []));
  expect(ids).toHaveLength(3);
  const decisions = named('Decisions').filter((one) => ids.includes(String(one['Settlement id'])));
  expect(decisions.map(({ Cause: cause }) => cause)).toEqual(
    ids.map(() => 'Ask the service when it will settle.'),
  );
  for (const id of ids) expect(page).toContain(id);
});

test('the page of a close names what is out of balance, draws the ladder and can be signed', async () => {
  const page = String(await written('march.html'));
  expect(page).toContain('<h3>Out of balance: 6</h3>');
  expect(page.match(/<figcaption><h3>From the sale to the books, [A-Z]{3}</g)).toHaveLength(3);
  const order = ['Out of balance: 6', 'Orders to decide: ', 'From the sale to the books, EUR'];
  const places = order.map((title) => page.indexOf(`<h3>${title}`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // Of parts of one kind, the first is linked.
  expect(page.match(/">Roll-forward of what is in transit<\/a>/g)).toHaveLength(1);
  expect(page).toContain('@bottom-left { content: "Settlement reconciliation · NOT READY: ');
  // Name and day on one line.
  expect(page).toMatch(/<dt>Reviewed by<\/dt><dd>_+ on _+<\/dd>/);
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

test('what was accepted stands in the checklist, and with its reason on screen, page and workbook', async () => {
  const folder = await temporaryFolder();
  const accepted = ['--accepted', join(folder, 'accepted.csv')];
  const reasons = ['--reason', 'a rounding of theirs', '--by', 'Anna'];
  const [first, paidTwice] = [
    '5851f760-04f7-5c6d-a667-c08371a2a756',
    'aaec682c-1e81-5a13-8528-ea6e0f0c173c',
  ];
  for (const words of [
    [first, '--difference=-0.01'],
    [paidTwice, '--bank', '--difference', '+323136'],
  ]) {
    const { exitCode } = await runRecon([
      ...['accept', ...words, '--sandbox', ...accepted, ...reasons],
    ]);
    expect(exitCode).toBe(0);
  }
  const close = ['close', '--sandbox', ...accepted];
  const { stdout: screen } = await runRecon([...close, '--format', 'table'], {
    env: { NO_COLOR: '1' },
    columns: 200,
  });
  expect(screen).toMatch(/^settlements +OUT OF BALANCE, 1 accepted: -0\.01 EUR /m);
  expect(screen).toMatch(/^bank +NOT RECONCILED, 1 accepted: \+323,136 JPY /m);
  expect(screen).toContain('\nAccepted: 2\n');
  expect(screen.match(/= accepted on \S+ by Anna: a rounding of theirs/g)).toHaveLength(2);
  const report = JSON.parse((await runRecon([...close, '--json'])).stdout);
  expect(report.accepted).toMatchObject([
    { kind: 'pay_in', id: first, difference: { amount: '-0.01' }, by: 'Anna' },
    { kind: 'bank', id: paidTwice, difference: { amount: '323136' }, by: 'Anna' },
  ]);
  const file = async (name: string) => {
    await runRecon([...close, '--output', join(folder, name)]);
    return readFile(join(folder, name));
  };
  const page = String(await file('march.html'));
  expect(page).toContain('<h3>Accepted: 2</h3>');
  expect(page).toContain('by Anna: a rounding of theirs');
  const sheets = await readWorkbook(await file('march.xlsx'));
  expect(
    recordsOf(sheets.get('Accepted')).map((one) => [one['Difference'], one['By'], one['Reason']]),
  ).toEqual([
    [-0.01, 'Anna', 'a rounding of theirs'],
    [323136, 'Anna', 'a rounding of theirs'],
  ]);
  expect(sheets.get('Summary')?.flat()).toContain('OUT OF BALANCE, 1 accepted: -0.01 EUR');
});

test('an accepted order that is taken out of the register after the close is told; another reason for it is not', async () => {
  const folder = await temporaryFolder();
  const [list, accepted] = [join(folder, 'list.csv'), join(folder, 'accepted.csv')];
  const registers = ['--accepted', accepted, '--closes', join(folder, 'closes.csv')];
  const close = (...more: readonly string[]) =>
    runRecon(['close', '--sandbox', ...registers, ...more]);
  await close('--decisions', list);
  const [columns = '', ...lines] = (await readFile(list, 'utf8')).split('\r\n');
  const order = lines.find((line) => line.startsWith('order,#ORD-99-0001,')) ?? '';
  await writeFile(list, `${columns}\r\n${order.replace(/,,,,,$/, ',accept,as agreed,,,')}\r\n`);
  expect(
    (await runRecon(['accept', '--sandbox', '--accepted', accepted, '--from', list])).exitCode,
  ).toBe(0);
  await close('--record', '--by', 'Anna', '--force', '--note', 'as agreed');
  const kept = await readFile(accepted, 'utf8');
  await writeFile(accepted, kept.replace('as agreed', 'agreed anew'));
  const same = await close();
  expect([same.exitCode, same.stderr]).toEqual([
    0,
    expect.stringContaining('since then: nothing has changed in its settlements.'),
  ]);
  await writeFile(accepted, kept.split('\r\n').slice(0, 1).concat('').join('\r\n'));
  const gone = await close();
  expect([gone.exitCode, gone.stderr]).toEqual([
    1,
    expect.stringContaining('no longer in the register as recorded (order #ORD-99-0001).'),
  ]);
});
