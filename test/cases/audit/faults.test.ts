import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, layouts } from './adapter.ts';
import { makeBase, newFolder } from './base.ts';
import { faults } from './faults.ts';
import { batches, judgeAtOnce, nameOf } from './judge.ts';

let folder = '';
const base = () => join(folder, 'export');

beforeAll(async () => {
  folder = await newFolder();
  await makeBase(base());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([[[]], [['--silent-days', '6', '--fail-on', 'finding']]])(
  'tables as they were written have no finding (%j)',
  async (args) => {
    expect(await audit([base()], args)).toMatchObject({ exitCode: 0, findings: [], stderr: '' });
  },
);

const { known, told, own } = faults;
const alone = [...told, ...own].filter(({ isMonthly }) => !isMonthly).map((one) => [one]);
const groups = [...batches(known), ...alone];

test.each(groups.map((some) => [nameOf(some), some] as const))('%s', (_, some) =>
  judgeAtOnce(some, base(), layouts.daily),
);
