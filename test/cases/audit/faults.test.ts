import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit, layouts } from './adapter.ts';
import { makeBase, newFolder } from './base.ts';
import { faults } from './faults.ts';
import { judge } from './judge.ts';

let folder = '';
const base = () => join(folder, 'export');

beforeAll(async () => {
  folder = await newFolder();
  await makeBase(base());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([[], ['--silent-days', '6'], ['--fail-on', 'finding']])(
  'tables as they were written have no finding (%s %s)',
  async (...args) => {
    expect(await audit([base()], args)).toMatchObject({ exitCode: 0, findings: [], stderr: '' });
  },
);

describe.each(Object.entries(faults))('%s', (_, some) => {
  const daily = some.filter(({ isMonthly }) => !isMonthly);
  test.each(daily.map((fault) => [fault.name, fault] as const))('%s', (_, fault) =>
    judge(fault, base(), layouts.daily),
  );
});
