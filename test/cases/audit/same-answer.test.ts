import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { figures } from '../../audit/figures.ts';
import { rangeAt, Shop, shopAt } from '../../cli/shop.ts';
import { runRecon } from '../../support/run-recon.ts';

/** Scenarios of the sandbox, with the settings that they are judged by. */
const scenarios: Readonly<Record<string, string>> = {
  month: '',
  'other-scale': '',
  'other-identity': 'identity = "off"',
  'declined-rows': 'rules = { not_counted = [{ state = "declined" }] }',
  'foreign-currency-row': '',
  malformed: '',
};
const names = Object.keys(scenarios);

interface Totals {
  readonly profile: string;
  readonly totals: readonly object[];
  readonly groups: readonly object[];
}

let place = '';
let audited: Totals & { readonly findings: readonly { readonly code: string }[] };

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'recon-same-'));
  const config = join(place, 'config.toml');
  const profiles = Object.entries(scenarios).map(
    ([name, lines]) => `[profiles.${name}]\n${lines}\n`,
  );
  await writeFile(config, profiles.join('\n'));
  for (const name of names) {
    const which = ['--sandbox', '--scenario', name, '--config', config, '--profile', name];
    // Of the others, the first days that have anything.
    if (name !== 'month') which.push('--from', '2026-03-03', '--to', '2026-03-06');
    await runRecon(['export', ...which, '--out', join(place, name), '--parquet', '--quiet']);
  }
  const folders = names.map((name) => join(place, name));
  audited = JSON.parse((await runRecon(['audit', ...folders, '--json'])).stdout);
}, 30_000);
afterAll(() => rm(place, { recursive: true }));

it.each(names)('%s: the totals are those of recon settlements --from-export', async (name) => {
  const { stdout } = await runRecon(['settlements', '--from-export', join(place, name), '--json']);
  const { groups } = JSON.parse(stdout) as Totals;
  const own = audited.totals.filter((one) => 'profile' in one && one.profile === name);
  expect(own.map(figures)).toEqual(groups.map(figures));
});

it('the rows of all settlements add up to what was judged', () => {
  const codes = audited.findings.map(({ code }) => code);
  expect(codes).not.toContain('sums');
  expect(codes).not.toContain('day_counts');
  expect(codes).not.toContain('mixed_versions');
});

it('the audit report of a month matches its file', async () => {
  const types = ['--refund-types', 'refund', '--purchase-types', 'purchase'];
  const run = await runRecon(['audit', join(place, 'month'), ...types], {
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  const text = [
    `$ recon audit month ${types.join(' ')}`,
    `(a terminal of 80 columns; exit code ${run.exitCode})`,
    `\n--- standard output\n${run.stdout}\n--- standard error\n${run.stderr}`,
  ].join('\n');
  const file = '../../cli/transcripts/audit-of-a-month.txt';
  await expect(text.replaceAll(join(place, '/'), '')).toMatchFileSnapshot(file);
});

it('a restatement of a settled settlement is found with its changes', async () => {
  const shop = await Shop.open(shopAt(0));
  const out = join(place, 'restated');
  for (const night of [0, 1] as const) {
    await shop.becomes(shopAt(night));
    await runRecon(['export', '--out', out, '--parquet', ...rangeAt(night)], { env: shop.env });
  }
  const { stdout } = await runRecon(['audit', out, '--json']);
  const { findings } = JSON.parse(stdout) as typeof audited;
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'changed_after_settled',
      rows: expect.arrayContaining([
        expect.objectContaining({
          day: '2026-03-05',
          message: expect.stringContaining('settlement changed, gross from 50.00 to 60.00.'),
        }),
      ]),
    }),
  );
});
