import { describe, expect, test } from 'vitest';
import type { SandboxRequest } from '../../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../../src/sandbox/scenario.ts';
import { march, purchases, type Service, scenarioOf, startService } from '../../cli/service.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

/** What an explanation may ask beyond the settlement's own header and rows. */
const mostBeyond = 20;

interface Explained {
  readonly verdict: string;
  readonly tested: readonly { readonly codes: readonly string[] }[];
  readonly neighboursWithRows: number | null;
}

interface Asked extends RunResult {
  readonly service: Service;
  readonly settlements: readonly Explained[];
  /** The requests beyond the token, and the headers and rows of the settlements that were asked for. */
  readonly beyond: readonly SandboxRequest[];
}

async function explain(
  scenario: string | Scenario,
  ids: readonly string[],
  ...args: readonly string[]
): Promise<Asked> {
  const service = await startService(scenario);
  const run = await runRecon(['explain', ...ids, '--json', ...args], { env: service.env });
  const { settlements } = JSON.parse(run.stdout) as { readonly settlements: readonly Explained[] };
  const beyond = [...service.asked('headers'), ...service.asked('rows')].filter(
    ({ body }) => !ids.includes(String(body?.['settlementId'])),
  );
  return { ...run, service, settlements, beyond };
}

/** The first cause of the only settlement. */
function firstCause({ settlements }: Asked): string | undefined {
  return settlements[0]?.tested[0]?.codes.join(' ');
}

/** Whose rows were asked for. */
function readWithRows(requests: readonly SandboxRequest[]): ReadonlySet<string> {
  const rows = requests.filter(({ path }) => path.endsWith('/transactions'));
  return new Set(rows.map(({ body }) => String(body?.['settlementId'])));
}

describe('the month of the sandbox', () => {
  const month = [
    ['5851f760-04f7-5c6d-a667-c08371a2a756', 'rounding'],
    ['be678572-cc4e-5b84-ae52-bdd95f9ee0dd', 'missing_rows'],
    ['b13e5c60-40c1-58ed-90d5-7eaf905f8d4f', undefined],
    ['a020802c-de25-57ff-ba57-ea9fb8b9d1af', 'only_the_service'],
    ['dea6d695-dc38-5d75-b23b-cd0b86313cbe', 'neighbour'],
    ['985c9336-3e86-59d9-92df-3ee311b1bf6d', 'neighbour'],
  ] as const;

  test.each(month)('%s has the same first cause, within a few requests', async (id, cause) => {
    const asked = await explain('month', [id]);
    expect(asked.exitCode).toBe(1);
    expect(firstCause(asked)).toBe(cause);
    expect(asked.beyond.length).toBeLessThanOrEqual(mostBeyond);
  });

  test.each(month)('%s has the same first cause with --deep', async (id, cause) => {
    const asked = await explain('month', [id], '--deep');
    expect(asked.exitCode).toBe(1);
    expect(firstCause(asked)).toBe(cause);
  });

  test('has two settlements that balance together and name each other', async () => {
    const [one, other] = [month[4][0], month[5][0]];
    const { stdout } = await explain('month', [one]);
    expect(stdout).toContain(other);
  });

  test('has at most twice the requests for two settlements', async () => {
    const ids = month.slice(0, 2).map(([id]) => id);
    const { exitCode, beyond, settlements } = await explain('month', ids);
    expect(exitCode).toBe(1);
    expect(settlements.map(({ tested }) => tested[0]?.codes[0])).toEqual([
      'rounding',
      'missing_rows',
    ]);
    expect(beyond.length).toBeLessThanOrEqual(2 * mostBeyond);
  });

  test.each([
    ['b13e5c60-40c1-58ed-90d5-7eaf905f8d4f'],
    ['a020802c-de25-57ff-ba57-ea9fb8b9d1af'],
    ['4292d16b-ddf6-5f31-b2e1-18a8841e9ba9'],
  ])('%s has no difference, and asks for no neighbours', async (id) => {
    expect((await explain('month', [id])).beyond).toEqual([]);
  });

  test('has no requests for neighbours with --neighbours 0', async () => {
    const { beyond } = await explain('month', [month[0][0]], '--neighbours', '0');
    expect(beyond).toEqual([]);
  });

  test('has a report that says how many neighbours were read with their rows', async () => {
    for (const [id] of month) {
      const { settlements, beyond } = await explain('month', [id]);
      expect(settlements[0]?.neighboursWithRows ?? 0).toBe(readWithRows(beyond).size);
    }
  });

  test('is read once, whatever is explained', async () => {
    const service = await startService('month');
    const { exitCode } = await runRecon(['explain', ...march, '--json'], { env: service.env });
    expect(exitCode).toBe(1);
    // As often as the report of the settlements reads them.
    const report = await startService('month');
    await report.settlements();
    expect(service.asked('rows')).toHaveLength(report.asked('rows').length);
  });
});

type Written = Parameters<typeof scenarioOf>[0];

const target = '00000000-0000-4000-8000-0000000000aa';

/** A settlement a day, or several, around that of 16 March, which has the id above. */
function crowd(options: {
  readonly perDay: number;
  readonly rowsEach: number;
  readonly own: Partial<Written[number]>;
  /** What is different about a neighbour of that day of March. */
  readonly others?: (day: number, at: number) => Partial<Written[number]>;
}): Scenario {
  const { perDay, rowsEach, own, others = () => ({}) } = options;
  const days = Array.from({ length: 29 }, (_, at) => at + 2);
  return scenarioOf([
    ...days.flatMap((day) =>
      Array.from({ length: day === 16 ? 0 : perDay }, (_, at) => ({
        date: dateOf(day),
        rows: purchases(rowsEach),
        ...others(day, at),
      })),
    ),
    { date: dateOf(16), rows: purchases(20), header: { settlementId: target }, ...own },
  ]);
}

function dateOf(day: number): string {
  return `2026-03-${String(day).padStart(2, '0')}`;
}

describe('many neighbours', () => {
  /** Differences for which no row and no neighbour can be found. */
  const differences = {
    'gross alone': { amountGross: 3_33, amountPayIn: 3_33 },
    'gross, fees and tax': { amountGross: 17_77, fees: 5_13, tax: 2_01, amountPayIn: 10_63 },
    'fees alone': { fees: 41_07, amountPayIn: -41_07 },
    'the number of transactions alone': { totalTransactions: 7 },
  } as const;

  const crowds = [
    { perDay: 1, rowsEach: 5 },
    { perDay: 2, rowsEach: 5 },
    { perDay: 1, rowsEach: 120 },
    { perDay: 4, rowsEach: 30 },
  ];

  const cases = [
    ...crowds.map((one) => ({ name: 'gross alone' as const, ...one })),
    { name: 'gross, fees and tax' as const, perDay: 1, rowsEach: 5 },
    { name: 'fees alone' as const, perDay: 1, rowsEach: 30 },
    { name: 'the number of transactions alone' as const, perDay: 2, rowsEach: 5 },
  ];

  test.each(cases)(
    '$perDay a day of $rowsEach rows, with a difference in $name',
    async ({ name, ...one }) => {
      const off = differences[name];
      const asked = await explain(crowd({ ...one, own: { off } }), [target]);
      expect(asked.exitCode).toBe(1);
      expect(asked.settlements[0]?.verdict).toBe('out_of_balance');
      expect(asked.beyond.length).toBeLessThanOrEqual(mostBeyond);
    },
  );

  test('allow the requests for all rows of a large settlement', async () => {
    const own = { rows: purchases(750), off: { amountGross: 3_33, amountPayIn: 3_33 } };
    const asked = await explain(crowd({ perDay: 1, rowsEach: 5, own }), [target]);
    expect(asked.exitCode).toBe(1);
    expect(asked.beyond.length).toBeLessThanOrEqual(mostBeyond);
    const mine = asked.service
      .asked('rows')
      .filter(({ body }) => body?.['settlementId'] === target);
    expect(mine.length).toBeGreaterThanOrEqual(9);
  });

  test('are read within the limit if all of them are out of balance', async () => {
    const others = (day: number) => ({ off: { amountGross: day, amountPayIn: day } });
    const own = { off: { amountGross: 3_33, amountPayIn: 3_33 } };
    const asked = await explain(crowd({ perDay: 1, rowsEach: 120, own, others }), [target]);
    expect(asked.exitCode).toBe(1);
    expect(asked.beyond.length).toBeLessThanOrEqual(mostBeyond);
  });

  test('are read in greater number with --deep', async () => {
    const scenario = crowd({
      perDay: 1,
      rowsEach: 30,
      own: { off: { amountGross: 3_33, amountPayIn: 3_33 } },
    });
    const plain = await explain(scenario, [target]);
    const deep = await explain(scenario, [target], '--deep');
    expect(deep.exitCode).toBe(1);
    expect(plain.beyond.length).toBeLessThanOrEqual(mostBeyond);
    expect(readWithRows(deep.beyond).size).toBeGreaterThan(readWithRows(plain.beyond).size);
  });

  test.each([
    ['the day before', 15],
    ['the day after', 17],
  ])('include the one that explains the difference, %s', async (_, at) => {
    // A row of the target is listed in the other one, whose header leaves it out.
    const others = (day: number) =>
      day === at ? { off: { amountGross: -5_00, amountPayIn: -5_00 } } : {};
    const own = { off: { amountGross: 5_00, amountPayIn: 5_00 } };
    const asked = await explain(crowd({ perDay: 1, rowsEach: 30, own, others }), [target]);
    expect(asked.beyond.length).toBeLessThanOrEqual(mostBeyond);
    expect(firstCause(asked)).toBe('neighbour');
  });

  test.each([
    ['five days later', 21],
    ['nine days before', 7],
  ])('include the one that explains the difference with --deep, %s', async (_, at) => {
    const others = (day: number) =>
      day === at ? { off: { amountGross: -5_00, amountPayIn: -5_00 } } : {};
    const own = { off: { amountGross: 5_00, amountPayIn: 5_00 } };
    const asked = await explain(
      crowd({ perDay: 1, rowsEach: 30, own, others }),
      [target],
      '--deep',
    );
    expect(firstCause(asked)).toBe('neighbour');
  });
});

describe('the limit of each page is shown by --verbose', () => {
  const commands = {
    explain: ['explain', 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd'],
    settlements: ['settlements', ...march],
    transactions: ['transactions', ...march],
  };

  test.each(Object.entries(commands))('for %s', async (_, args) => {
    const service = await startService('month');
    const { stderr } = await runRecon([...args, '--verbose'], { env: service.env });
    const shown = stderr.split('\n').flatMap((line) => {
      const offset = /\boffset (\d+)/.exec(line)?.[1];
      return offset === undefined ? [] : [`${offset} of ${/\blimit (\d+)/.exec(line)?.[1]}`];
    });
    const asked = [...service.asked('headers'), ...service.asked('rows')].map(
      ({ body }) => `${body?.['offset']} of ${body?.['limit']}`,
    );
    expect(shown.length).toBeGreaterThan(6);
    expect(shown.toSorted()).toEqual(asked.toSorted());
  });
});
