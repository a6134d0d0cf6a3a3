import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, exportInto, layouts, verify } from './adapter.ts';
import { copyOf, makeBase, newFolder } from './base.ts';
import { Place } from './tables.ts';

let folder = '';
const base = () => join(folder, 'export');

beforeAll(async () => {
  folder = await newFolder();
  await makeBase(base());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const early = ['--from', '2026-03-03', '--to', '2026-03-11'];

/** What the service may do and still be exported; nothing in the tables contradicts it. */
const scenarios: readonly (readonly [
  name: string,
  args?: readonly string[],
  may?: readonly string[],
])[] = [
  ['month', [], ['never_settled']],
  ['two-causes', [...early, '--tolerance', '500']],
  ['fee-off-by-one', [...early, '--ignore', 'fees,identity']],
  ['contradicting-header', [...early, '--identity', 'off']],
  ['conflicting-row', early],
  ['conflicting-header', early],
  ['foreign-currency-row', early],
  ['foreign-settlement-row', early],
  ['other-scale', early],
  ['unusual-scale', early],
  ['service-says-settled', early],
  ['pending-unread', early],
  ['unknown-status', early],
  ['outside-range'],
  ['hostile-text', early],
  ['malformed', ['--publish-incomplete', '2026-03-04,2026-03-05,2026-03-06'], ['incomplete_day']],
];

test.each(scenarios.map(([scenario, args = [], may = []]) => ({ scenario, args, may })))(
  '$scenario $args is no fault of the tables',
  async ({ scenario, args, may }) => {
    const place = await newFolder();
    try {
      const out = join(place, 'export');
      const made = await exportInto(out, ['--sandbox', '--scenario', scenario, ...args]);
      expect([0, 1, 4], made.stderr).toContain(made.exitCode);
      const { findings, stderr } = await audit([out]);
      const wrong = findings.filter(
        ({ code, weight }) => weight !== 'notice' && !may.includes(code),
      );
      expect({ wrong, stderr }).toEqual({ wrong: [], stderr: '' });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  },
);

test.each(['day=2026-01-01', 'month=2026-01', "it's [a] {b} *", 'profile=other'])(
  'a folder called %s is a folder like any other',
  async (name) => {
    const copy = await copyOf(base());
    const parent = join(dirname(copy), name);
    await mkdir(parent);
    await rename(copy, join(parent, name));
    const { report } = await audit([base()]);
    const moved = await audit([join(parent, name)]);
    expect(moved).toMatchObject({ exitCode: 0, findings: [], report });
  },
);

test('a file of many versions is one line of mixed_versions, with a count', async () => {
  const copy = await copyOf(base(), layouts.daily.root);
  const place = new Place(copy, layouts.daily);
  await place.select(
    place.file('transactions', '2026-02-03'),
    "* EXCLUDE (n) REPLACE ('v' || n AS day_version, transaction_id || '#' || n AS transaction_id)",
    '(FROM source LIMIT 1), (FROM range(1000) AS numbers (n))',
  );
  const { exitCode, findings } = await audit([copy]);
  expect(exitCode).toBe(4);
  const mixed = findings
    .filter(({ code }) => code === 'mixed_versions')
    .flatMap(({ rows }) => rows);
  expect(mixed).toHaveLength(1);
  expect(JSON.stringify(mixed)).toContain('2026-02-03');
  expect(JSON.stringify(mixed)).toMatch(/1[,.]?00[01]/);
});

test('what a catalogue puts beside the tables is named by --verify, and is no problem', async () => {
  const copy = await copyOf(base());
  for (const table of ['transactions', 'days']) {
    const [delta, iceberg] = ['_delta_log', 'metadata'].map((one) =>
      join(copy, 'lake', table, one),
    ) as [string, string];
    await mkdir(delta);
    await mkdir(iceberg);
    await writeFile(join(delta, '00000000000000000000.json'), '{"commitInfo":{}}\n');
    await writeFile(join(delta, '00000000000000000010.checkpoint.parquet'), 'PAR1');
    await writeFile(join(iceberg, 'v1.metadata.json'), '{}');
  }
  const { exitCode, stdout, stderr } = await verify(copy);
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout + stderr).toContain('_delta_log');
  expect(stdout + stderr).toContain('metadata');
  expect(await audit([copy])).toMatchObject({ exitCode: 0, findings: [], stderr: '' });
});

test('what else lies in the tables is a problem for --verify', async () => {
  const copy = await copyOf(base());
  await mkdir(join(copy, 'lake', 'transactions', 'elsewhere'));
  await writeFile(join(copy, 'lake', 'transactions', 'elsewhere', 'x.parquet'), 'PAR1');
  const { exitCode, stdout } = await verify(copy);
  expect(exitCode).toBe(4);
  expect(stdout).toContain('elsewhere');
});
