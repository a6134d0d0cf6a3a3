import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLines, readRecords } from '../../cli/read-report.ts';
import { march, type Service, scenarioOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { Random } from '../../support/random.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

type Listed = Parameters<typeof scenarioOf>[0][number];

/** A settlement that is out of balance, with its difference in pay-in. */
interface Exception {
  readonly id: string;
  readonly difference: number;
  readonly listed: Listed;
}

const idOf = (number: number, kind = 0) =>
  `${String(number).padStart(8, '0')}-${String(kind).padStart(4, '0')}-4000-8000-0000000000e0`;

const dayOf = (number: number) => `2026-03-${String((number % 31) + 1).padStart(2, '0')}`;

const yen = { currencyCode: 'JPY', decimalPlaces: 0 };

/** The header contradicts itself by so much; there are no rows. */
function contradicting(number: number, difference: number, kind = 0, more = {}): Exception {
  const id = idOf(number, kind);
  const listed: Listed = {
    date: dayOf(number * 7 + kind),
    header: { settlementId: id, ...more },
    off: { amountPayIn: difference },
    rows: [],
  };
  return { id, difference, listed };
}

/** The header leaves out three declined purchases, one of which takes something away. */
function declining(number: number, difference: number, kind: number): Exception {
  const id = idOf(number, kind);
  const declined = [1500, 2700, -difference - 4200].map(
    (amount) => ['purchase', amount, 0, 0, { state: 'declined' }] as const,
  );
  const listed: Listed = {
    date: dayOf(number * 5 + kind),
    header: { settlementId: id },
    off: { amountGross: difference, amountPayIn: difference, totalTransactions: -3 },
    rows: [['purchase', 10_000, 250, 50], ['purchase', 4000, 100, 20], ...declined],
  };
  return { id, difference, listed };
}

/** Only the service says so. */
function reported(number: number, kind: number): Exception {
  const id = idOf(number, kind);
  const listed: Listed = {
    date: dayOf(number * 3 + kind),
    status: 'settled_out_of_balance',
    header: { settlementId: id },
    rows: [],
  };
  return { id, difference: 0, listed };
}

/** Different absolute amounts around `base`, of both signs, in no order. */
function amountsAround(base: number, count: number, seed: number): readonly number[] {
  const random = new Random(seed);
  const steps = Array.from({ length: count }, (_, index) => base + 13 * index + random.int(0, 12));
  return random.shuffled(steps).map((amount) => (random.chance(30) ? -amount : amount));
}

function service(
  exceptions: readonly Exception[],
  others: readonly Listed[] = [],
): Promise<Service> {
  const listed = new Random(7).shuffled([...exceptions.map((one) => one.listed), ...others]);
  return startService(scenarioOf(listed));
}

/** What is on a terminal. */
function onTerminal(
  { env }: Service,
  args: readonly string[] = [],
  { columns = 110, more = {} }: { columns?: number; more?: Record<string, string> } = {},
): Promise<RunResult> {
  return runRecon(['settlements', ...march, ...args], {
    env: { ...env, ...more, NO_COLOR: '1' },
    columns,
  });
}

/** The exceptions' part of the report, with no thousands separators. */
function exceptionsIn(stdout: string): string {
  const start = stdout.search(/^Out of balance/m);
  expect(start).toBeGreaterThan(0);
  const rest = stdout.slice(start);
  const end = rest.search(/^(Proposed rules|Pending|Accepted|Notes|Next)\b.*$/m);
  return ungrouped(end < 0 ? rest : rest.slice(0, end));
}

const ungrouped = (text: string) => text.replace(/(?<=\d),(?=\d{3})/g, '');

/** The ids of the exceptions in the order in which they are named first. */
function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\d{8}-\d{4}-4000-8000-0000000000e0/g))];
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const net = (ones: readonly Exception[]) => sum(ones.map(({ difference }) => difference));
const absolute = (ones: readonly Exception[]) =>
  sum(ones.map(({ difference }) => Math.abs(difference)));

const bySize = (ones: readonly Exception[]) =>
  [...ones].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

const idsOf = (ones: readonly Exception[]) => ones.map(({ id }) => id);

/** An amount of cents, with its sign if it has one. */
function euros(cents: number): string {
  const text = (Math.abs(cents) / 100).toFixed(2);
  return cents < 0 ? `-${text}` : text;
}

/** That a text has this amount, and not as a part of another. */
function expectAmount(text: string, amount: string): void {
  const pattern = amount.replace('.', '\\.').replace('-', '[-−]');
  expect(text).toMatch(new RegExp(`(?<![\\d.])${pattern}(?![\\d.]\\d)`));
}

describe('many settlements out of balance, on a terminal', () => {
  test('with one reason are one block of 1,250', { timeout: 120_000 }, async () => {
    const all = amountsAround(5_000, 1250, 1).map((amount, index) => contradicting(index, amount));
    const { exitCode, stdout } = await onTerminal(await service(all), ['--no-explain']);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').length).toBeLessThan(60);
    const text = exceptionsIn(stdout);
    expect(idsIn(text)).toEqual(idsOf(bySize(all).slice(0, 3)));
    expect(text).toContain('1250');
    expectAmount(text, euros(net(all)));
    expectAmount(text, euros(absolute(all)));
    // The reason is said once.
    expect(text.match(/contradicts/g)).toHaveLength(1);
    // Nothing is hidden without a word: the command that lists them all.
    expect(stdout).toMatch(/recon settlements .*--all/);
  });

  test('with several reasons are a block each, the largest difference first', async () => {
    const identity = amountsAround(90_000, 61, 2).map((amount, n) => contradicting(n, amount, 1));
    const declined = amountsAround(40_000, 37, 3).map((amount, n) => declining(n, amount, 2));
    const byService = Array.from({ length: 29 }, (_, n) => reported(n, 3));
    const balanced: readonly Listed[] = Array.from({ length: 5 }, (_, n) => ({
      date: dayOf(n),
      header: { settlementId: idOf(n, 9) },
      rows: [['purchase', 1000, 25, 5]],
    }));
    const all = [...identity, ...declined, ...byService];
    const { stdout } = await onTerminal(await service(all, balanced));
    const text = exceptionsIn(stdout);
    const shown = idsIn(text);
    expect(shown.slice(0, 6)).toEqual([
      ...idsOf(bySize(identity).slice(0, 3)),
      ...idsOf(bySize(declined).slice(0, 3)),
    ]);
    // Of those without a difference any three are named.
    expect(shown.slice(6).every((id) => idsOf(byService).includes(id))).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(9);
    for (const block of [identity, declined, byService]) {
      expect(text).toMatch(new RegExp(`(?<![\\d.,-])${block.length}(?![\\d.,-]\\d)`));
    }
    for (const block of [identity, declined]) {
      expectAmount(text, euros(net(block)));
      expectAmount(text, euros(absolute(block)));
    }
    expect(text).toContain('declined');
  });

  test('with one reason that is different show that one separately, in its order', async () => {
    const identity = amountsAround(9_000, 40, 4).map((amount, n) => contradicting(n, amount, 1));
    // Larger than any of the others, and than all of them together.
    const [own] = [declining(3, 9_876_543, 2)];
    const { stdout } = await onTerminal(await service([...identity, ...(own ? [own] : [])]));
    const text = exceptionsIn(stdout);
    expect(idsIn(text)).toEqual(idsOf([...(own ? [own] : []), ...bySize(identity).slice(0, 3)]));
    expectAmount(text, '98765.43');
    // Its own figures are there.
    expectAmount(text, '140.00');
    expectAmount(text, euros(14_000 - 9_876_543));
    expect(text).toContain(own?.listed.date);
  });

  test('in two currencies are never added up', async () => {
    const inEuros = amountsAround(30_000, 30, 5).map((amount, n) => contradicting(n, amount, 1));
    const inYen = amountsAround(70_000, 20, 6).map((amount, n) => contradicting(n, amount, 2, yen));
    const { stdout } = await onTerminal(await service([...inEuros, ...inYen]));
    const text = exceptionsIn(stdout);
    expectAmount(text, euros(net(inEuros)));
    expectAmount(text, euros(absolute(inEuros)));
    expectAmount(text, String(net(inYen)));
    expectAmount(text, String(absolute(inYen)));
    const both = [...inEuros, ...inYen];
    for (const wrong of [net(both), absolute(both)]) {
      expect(text).not.toContain(euros(wrong));
      expect(text).not.toMatch(new RegExp(`(?<!\\d)${wrong}(?!\\d)`));
    }
    expect(idsIn(text)).toEqual(
      expect.arrayContaining(idsOf([...bySize(inEuros).slice(0, 3), ...bySize(inYen).slice(0, 3)])),
    );
  });

  test('leave out those that are accepted', async () => {
    const all = bySize(
      amountsAround(50_000, 33, 8).map((amount, n) => contradicting(n, amount, 1)),
    );
    const [largest, ...rest] = all;
    const running = await service(all);
    const register = join(await temporaryFolder(), 'accepted.csv');
    const accepted = await runRecon(
      [
        ...['accept', largest?.id ?? '', '--accepted', register, '--reason', 'known'],
        ...['--difference', euros(largest?.difference ?? 0)],
      ],
      { env: running.env },
    );
    expect(accepted.exitCode).toBe(0);
    const { stdout } = await onTerminal(running, ['--accepted', register]);
    const text = exceptionsIn(stdout);
    expect(idsIn(text)).toEqual(idsOf(rest.slice(0, 3)));
    expectAmount(text, euros(net(rest)));
    expectAmount(text, euros(absolute(rest)));
    expect(stdout).toContain(largest?.id);
  });

  test('fit a narrow terminal too, with whole ids', async () => {
    const all = amountsAround(50_000, 64, 9).map((amount, n) => contradicting(n, amount, 1));
    const { stdout } = await onTerminal(await service(all), [], { columns: 60 });
    expect(idsIn(exceptionsIn(stdout))).toEqual(idsOf(bySize(all).slice(0, 3)));
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

/** Which amounts of a header are off, one bit each. */
const parts = ['amountGross', 'fees', 'tax', 'contradiction', 'count', 'service'] as const;

/**
 * So many kinds of findings, each of four settlements; the kinds are ever smaller, in every
 * measure.
 */
function kindsOf(count: number): readonly (readonly Exception[])[] {
  const hasAmount = (bits: number) => (bits & 0b1111) !== 0;
  const chosen = Array.from({ length: 63 }, (_, index) => index + 1).filter(hasAmount);
  return chosen.slice(0, count).map((bits, kind) => {
    const base = (count - kind) * 1_000_000;
    return [1, 2, 3, 4].map((place) => {
      const difference = (place === 2 ? -1 : 1) * (base + place * 1_013 + kind * 97);
      return oneOfKind(bits, difference, kind, place);
    });
  });
}

function oneOfKind(bits: number, difference: number, kind: number, place: number): Exception {
  const has = (part: (typeof parts)[number]) => ((bits >> parts.indexOf(part)) & 1) === 1;
  const small = { fees: has('fees') ? 7_177 : 0, tax: has('tax') ? 3_331 : 0 };
  const off = { amountGross: 0, ...small, amountPayIn: difference, totalTransactions: 0 };
  const held = has('contradiction') ? 911 : 0;
  if (has('amountGross')) off.amountGross = difference + small.fees + small.tax - held;
  else if (has('fees')) off.fees = held - difference - small.tax;
  else if (has('tax')) off.tax = held - difference;
  if (has('count')) off.totalTransactions = 5;
  const id = idOf(place, kind);
  const listed: Listed = {
    date: dayOf(place * 11 + kind),
    header: { settlementId: id },
    off,
    ...(has('service') && { status: 'settled_out_of_balance' }),
    rows: [],
  };
  return { id, difference, listed };
}

describe('kinds of exceptions, on a terminal', () => {
  test.each([25, 26, 40])('are shown up to 25, of %i', { timeout: 60_000 }, async (count) => {
    const kinds = kindsOf(count);
    const running = await service(kinds.flat());
    const args = ['settlements', ...march, '--no-explain'];
    const csv = await runRecon([...args, '--format', 'csv'], { env: running.env });
    const found = new Set(readRecords(csv.stdout).map((line) => line['discrepancies']));
    expect(found.size).toBe(count);

    const { stdout } = await onTerminal(running, ['--no-explain']);
    const shown = idsIn(exceptionsIn(stdout));
    const expected = kinds.slice(0, 25).flatMap((kind) => idsOf(bySize(kind).slice(0, 3)));
    expect(shown).toEqual(expected);
    // The command that lists the rest can be pasted: it has the range of this run.
    const command = /recon settlements[^\n]*(?:\n {4}[^\n]*)?--all/.exec(stdout);
    if (count > 25) expect(command?.[0]).toMatch(/2026-03/);
  });

  test('are all listed, settlement by settlement, with --all', { timeout: 60_000 }, async () => {
    const all = kindsOf(26).flat();
    const { exitCode, stdout } = await onTerminal(await service(all), ['--no-explain', '--all']);
    expect(exitCode).toBe(1);
    expect([...idsIn(exceptionsIn(stdout))].sort()).toEqual([...idsOf(all)].sort());
  });
});

describe('few exceptions, on a terminal', () => {
  test('have a line and findings for each, as before', async () => {
    const { stdout } = await runRecon(['settlements', '--sandbox'], {
      columns: 100,
      env: { NO_COLOR: '1' },
    });
    const text = exceptionsIn(stdout);
    for (const [day, id, difference] of [
      ['2026-03-04', '5851f760-04f7-5c6d-a667-c08371a2a756', '-0.01'],
      ['2026-03-10', 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd', '+82.79'],
      ['2026-03-12', 'b13e5c60-40c1-58ed-90d5-7eaf905f8d4f', ' 0.00'],
      ['2026-03-17', 'a020802c-de25-57ff-ba57-ea9fb8b9d1af', ' 0.00'],
      ['2026-03-18', 'dea6d695-dc38-5d75-b23b-cd0b86313cbe', '+5.00'],
      ['2026-03-25', '985c9336-3e86-59d9-92df-3ee311b1bf6d', '-5.00'],
    ] as const) {
      const line = text.split('\n').find((one) => one.startsWith(day) && one.includes(id));
      expect(line).toMatch(new RegExp(`EUR .*\\${difference.replace('.', '\\.')} *$`));
    }
    expect(text).toContain(
      'Likely cause: the settlement counts one transaction that is not listed',
    );
    // Each of the two opposite ones has its findings.
    expect(text.match(/^ {2}! gross: reported/gm)).toHaveLength(3);
  });

  test('of one kind are all named', async () => {
    const all = amountsAround(50_000, 3, 10).map((amount, n) => contradicting(n, amount, 1));
    const { stdout } = await onTerminal(await service(all));
    expect([...idsIn(exceptionsIn(stdout))].sort()).toEqual([...idsOf(all)].sort());
  });
});

describe('many exceptions elsewhere', () => {
  const mixed = [
    ...amountsAround(20_000, 30, 11).map((amount, n) => contradicting(n, amount, 1)),
    ...amountsAround(20_007, 30, 12).map((amount, n) => declining(n, amount, 2)),
  ];

  test('are all in CSV, JSON and NDJSON, in the order of days', async () => {
    const { env } = await service(mixed);
    const args = ['settlements', ...march, '--no-explain'];
    const csv = await runRecon([...args, '--format', 'csv'], { env });
    const lines = readRecords(csv.stdout);
    expect(lines).toHaveLength(60);
    const days = lines.map((line) => line['settlement_date'] ?? '');
    expect(days).toEqual([...days].sort());
    const json = await runRecon([...args, '--json'], { env });
    expect([...idsIn(json.stdout)].sort()).toEqual([...idsOf(mixed)].sort());
    const ndjson = await runRecon([...args, '--format', 'ndjson'], { env });
    expect(readLines(ndjson.stdout).filter(({ type }) => type === 'settlement')).toHaveLength(60);
  });

  test('are in the workbook by their absolute difference, with their days', async () => {
    const { env } = await service(mixed);
    const output = join(await temporaryFolder(), 'march.xlsx');
    await runRecon(['settlements', ...march, '--no-explain', '--output', output], { env });
    const sheets = await readWorkbook(await readFile(output));
    const records = recordsOf(sheets.get('Exceptions'));
    expect(records).toHaveLength(60);
    expect(records.map((record) => record['Settlement'])).toEqual(idsOf(bySize(mixed)));
    const day = (one: Exception) => one.listed.date;
    expect(
      records.map(({ Date: date }) =>
        date instanceof Date ? date.toISOString().slice(0, 10) : '',
      ),
    ).toEqual(bySize(mixed).map(day));
  });

  test('are on the page by their absolute difference, with their days', async () => {
    const { env } = await service(mixed);
    const output = join(await temporaryFolder(), 'march.html');
    await runRecon(['settlements', ...march, '--no-explain', '--output', output], { env });
    const page = await readFile(output, 'utf8');
    const start = page.search(/<h3>Out of balance/);
    const table = page.slice(start, page.indexOf('</table>', start));
    // A long table of a page is cut, and says so.
    const shown = idsIn(table);
    expect(shown.length).toBeGreaterThanOrEqual(50);
    expect(shown).toEqual(idsOf(bySize(mixed)).slice(0, shown.length));
    for (const { id, listed } of bySize(mixed).slice(0, shown.length)) {
      const row = table.slice(0, table.indexOf(id)).lastIndexOf('<tr');
      expect(table.slice(row, table.indexOf(id))).toContain(listed.date);
    }
  });

  test('are listed one by one in a pipe', async () => {
    const { env } = await service(mixed);
    const { stdout } = await runRecon(['settlements', ...march, '--no-explain'], { env });
    expect(idsIn(stdout)).toHaveLength(60);
  });
});
