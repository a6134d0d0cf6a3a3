import { cpSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/base/calendar.ts';
import { jsonWithDigest } from '../../src/export/layout.ts';
import { formats, ticketFormats } from '../../src/render/formats.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { expectLinesToAddUp } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

/** What longer scenarios hold after so many days is in others too. */
const mostDays = 14;

/** The days on which a scenario has settlements, from the first to the last. */
async function daysOf(scenario: string): Promise<{ from: string; to: string }> {
  const { settlements, period } = await loadScenario(scenario);
  const days = settlements
    .map(({ header, filter }) => filter?.date ?? String(header['settlementDate']).slice(0, 10))
    .sort();
  const [from = period.from] = days;
  return { from, to: [days.at(-1) ?? from, addDays(from, mostDays - 1)].sort()[0] ?? from };
}

/** Compared in every format; the others by what a person and a program read of all of it. */
const thorough = ['fee-off-by-one', 'hostile-text'];

/** Days before and after that are exported: as many as `explain` looks at by itself, where it does. */
const around = (scenario: string) => (thorough.includes(scenario) ? 3 : 1);

/** Exports that were made, by their flags: tests that change one have a copy. */
const made = new Map<string, Promise<string>>();

afterAll(async () => {
  for (const folder of made.values()) await rm(await folder, { recursive: true, force: true });
  made.clear();
});

/** An export of a scenario that is only read. */
function exportToRead(scenario: string, ...flags: readonly string[]): Promise<string> {
  const key = [scenario, ...flags].join(' ');
  const folder = made.get(key) ?? exportAnew(scenario, ...flags);
  made.set(key, folder);
  return folder;
}

/** An export of a scenario that the test may change. */
async function exported(scenario: string, ...flags: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(await exportToRead(scenario, ...flags), folder, { recursive: true });
  return folder;
}

/** Exports a scenario with the days around it, in which neighbours are looked for. */
async function exportAnew(scenario: string, ...flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recon-made-'));
  const { from, to } = await daysOf(scenario);
  await runRecon([
    ...['export', '--sandbox', '--scenario', scenario, '--out', folder],
    ...['--from', addDays(from, -around(scenario)), '--to', addDays(to, around(scenario))],
    ...['--quiet', ...flags],
  ]);
  return folder;
}

async function idsOf(folder: string): Promise<readonly string[]> {
  const { stdout } = await runRecon(['settlements', '--from-export', folder, '--format', 'json']);
  return settlementsIn(stdout);
}

function settlementsIn(report: string): readonly string[] {
  return JSON.parse(report).settlements.map((one: { id: string }) => one.id);
}

/** The first few settlements of a report, those out of balance before the others. */
function worthExplaining(report: string): readonly string[] {
  const settlements: readonly Record<string, string>[] = JSON.parse(report).settlements;
  const isOff = ({ verdict }: Record<string, string>) => verdict === 'out_of_balance';
  const inOrder = [...settlements.filter(isOff), ...settlements.filter((one) => !isOff(one))];
  return inOrder.slice(0, 2).map(({ settlementId = '' }) => settlementId);
}

/** The lines of a CSV, in an order that doesn't depend on the service's. */
function records(csv: string): readonly string[] {
  return csv.split('\r\n').sort();
}

function parsed(stdout: string) {
  return JSON.parse(stdout);
}

const nobody = '00000000-0000-4000-8000-000000000000';

const telling = <Format extends string>(
  scenario: string,
  all: readonly Format[],
  ...some: readonly Format[]
) => (thorough.includes(scenario) ? all : some);

/** What differs most in how it is stored: causes, texts, decimals, currencies, rows that could not be read. */
const scenarios = [
  ...thorough,
  ...['foreign-currency-row', 'other-scale', 'pending-unread'],
] as const;

test('an id in capital letters is the same id, at the service, in an export and as merchant', async () => {
  const mid = '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01';
  const folder = await exported('filters', '--mid', mid);
  const again = ['export', '--sandbox', '--scenario', 'filters', '--on', '2026-03-04'];
  const sameMerchant = await runRecon([...again, '--out', folder, '--mid', mid.toUpperCase()]);
  expect(sameMerchant.exitCode).toBe(0);
  const [id = ''] = await idsOf(folder);
  const capital = id.toUpperCase();
  for (const source of [
    ['--sandbox', '--scenario', 'filters'],
    ['--from-export', folder],
  ]) {
    const explained = await runRecon(['explain', capital, ...source, '--format', 'json']);
    expect(parsed(explained.stdout).settlements).toMatchObject([{ id }]);
    const listed = await runRecon(['transactions', '--settlement', capital, ...source]);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toContain(id);
  }
  const replayed = ['settlements', '--from-export', folder, '--mid', mid.toUpperCase()];
  expect((await runRecon(replayed)).exitCode).toBe(0);
});

describe('an export that is read again', () => {
  test.each(scenarios)('gives what the service gave: %s', async (scenario) => {
    const folder = await exportToRead(scenario);
    const { exitCode } = await runRecon(['export', '--verify', '--out', folder]);
    expect(exitCode).toBe(0);
    const { from, to } = await daysOf(scenario);
    const both = (words: readonly string[]) =>
      Promise.all([
        runRecon([...words, '--sandbox', '--scenario', scenario]),
        runRecon([...words, '--from-export', folder]),
      ]);
    const compare = async (...words: readonly string[]) => {
      const [asked, again] = await both(words);
      expect(again.stdout).toBe(asked.stdout);
      expect(again.exitCode).toBe(asked.exitCode);
      return again.stdout;
    };
    const range = ['--from', from, '--to', to];
    const told = telling(scenario, formats, 'json', 'table');
    const reports = await Promise.all(
      told.map((format) => {
        const by = format === 'json' ? ['--by', 'month,payment'] : [];
        return compare('settlements', ...range, '--format', format, ...by);
      }),
    );
    expectLinesToAddUp(reports[told.indexOf('json')] ?? '');
    const [asked, again] = await both(['transactions', '--notes', ...range]);
    expect(records(again.stdout)).toEqual(records(asked.stdout));
    const ids = worthExplaining(reports[told.indexOf('json')] ?? '');
    const near = around(scenario) === 1 ? ['--neighbours', '1'] : [];
    await compare('explain', ...range, ...near, '--format', 'json');
    if (ids.length === 0) return;
    await Promise.all(
      telling(scenario, ticketFormats, 'json').map((format) =>
        compare('explain', ...ids, ...near, '--neighbour-rows', '--format', format),
      ),
    );
  });

  test('uses all its days if no range is named', async () => {
    const folder = await exportToRead('refund');
    const { stdout } = await runRecon(['settlements', '--from-export', folder, '--format', 'json']);
    const { from, to } = await daysOf('refund');
    expect(parsed(stdout).range).toEqual({ from: addDays(from, -1), to: addDays(to, 1) });
  });

  test('needs no configuration, and is judged as in the export', async () => {
    const folder = await exportToRead('other-identity', '--identity', 'gross-fees+tax');
    const { stdout, exitCode } = await runRecon([
      ...['settlements', '--from-export', folder, '--format', 'json'],
    ]);
    expect(exitCode).toBe(0);
    expect(parsed(stdout).settings.identity).toBe('gross-fees+tax');
    const other = await runRecon([
      ...['settlements', '--from-export', folder, '--format', 'json', '--identity', 'off'],
    ]);
    expect(parsed(other.stdout).settings.identity).toBe('off');
  });

  test('is reported with the days that were judged with other settings', async () => {
    const folder = await exported('other-identity');
    const { to } = await daysOf('other-identity');
    await runRecon([
      ...['export', '--sandbox', '--scenario', 'other-identity', '--out', folder, '--quiet'],
      ...['--from', to, '--to', addDays(to, 3), '--identity', 'gross-fees+tax'],
    ]);
    const { stdout, stderr } = await runRecon([
      ...['settlements', '--from-export', folder, '--format', 'json', '--quiet'],
    ]);
    expect(parsed(stdout).settings.identity).toBe('gross-fees+tax');
    expect(stderr).toMatch(/different settings/);
  });

  test('uses a configuration file only if it is named', async () => {
    const folder = await exportToRead('refund');
    const config = join(await temporaryFolder(), 'config.toml');
    await writeFile(config, '[profiles.es]\nidentity = "gross"\n', { mode: 0o600 });
    const run = async (...flags: readonly string[]) => {
      const words = ['settlements', '--from-export', folder, '--format', 'json', ...flags];
      const { stdout } = await runRecon(words, { env: { RECON_CONFIG: config } });
      return parsed(stdout).settings;
    };
    expect(await run()).toMatchObject({ profile: null, identity: 'gross-fees-tax' });
    expect(await run('--profile', 'es')).toMatchObject({ profile: 'es', identity: 'gross' });
  });

  test('has the filters of the export only', async () => {
    const { settlements } = await loadScenario('filters');
    const cid = settlements.find(({ filter }) => filter?.cid !== undefined)?.filter?.cid;
    const folder = await exportToRead('filters', '--cid', String(cid));
    const run = (...flags: readonly string[]) =>
      runRecon(['settlements', '--from-export', folder, '--format', 'json', ...flags]);
    expect(parsed((await run()).stdout).settings.filters).toEqual({ cid });
    expect((await run('--cid', String(cid))).exitCode).toBe(0);
    expect((await run('--cid', '1')).exitCode).toBe(2);
    expect((await run('--chid', '1')).exitCode).toBe(2);
  });

  test.each([
    [['--sandbox'], /--sandbox/],
    [['--scenario', 'refund'], /--scenario/],
    [['--fault', 'wrapper-429=every:5'], /--fault/],
  ])('is read without any service: %j', async (flags, said) => {
    const folder = await exportToRead('empty');
    const run = await runRecon(['settlements', '--from-export', folder, ...flags]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(said);
  });

  test('must be in the folder that is named', async () => {
    const run = await runRecon(['settlements', '--from-export', await temporaryFolder()]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('lacks a settlement that it does not contain', async () => {
    const folder = await exportToRead('empty');
    const run = await runRecon(['explain', nobody, '--from-export', folder]);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toMatch(/Settlement 00000000-\S+ is not in the export/);
  });
});

describe('an export that was changed', () => {
  let ids: Promise<readonly string[]> | undefined;
  const feeOffByOne = async () => {
    ids ??= idsOf(await exportToRead('fee-off-by-one'));
    return ids;
  };

  async function changed(change: (day: string) => Promise<void>) {
    const folder = await exported('fee-off-by-one');
    const [id = ''] = await feeOffByOne();
    await change(join(folder, '2026-03-04'));
    const flags = ['--from-export', folder, '--format', 'json', '--quiet'];
    return [
      await runRecon(['settlements', ...flags]),
      await runRecon(['explain', id, ...flags]),
      await runRecon(['explain', nobody, ...flags]),
    ];
  }

  const changes: readonly (readonly [string, (day: string) => Promise<void>, string])[] = [
    [
      'a byte of the source',
      async (day) => {
        const bytes = await readFile(join(day, 'source.ndjson.gz'));
        bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
        await writeFile(join(day, 'source.ndjson.gz'), bytes);
      },
      'source.ndjson.gz',
    ],
    [
      'half of the source',
      (day) => truncate(join(day, 'source.ndjson.gz'), 200),
      'source.ndjson.gz',
    ],
    ['no source', (day) => rm(join(day, 'source.ndjson.gz')), 'source.ndjson.gz'],
    ['a cell', (day) => writeFile(join(day, 'groups.csv'), 'a,b\r\n'), 'groups.csv'],
    ['no table', (day) => rm(join(day, 'transactions.csv')), 'transactions.csv'],
    ['no manifest', (day) => rm(join(day, 'manifest.json')), 'manifest.json'],
    ['an empty manifest', (day) => writeFile(join(day, 'manifest.json'), '{}'), 'manifest.json'],
    [
      'a later manifest',
      (day) => writeFile(join(day, 'manifest.json'), '{"schema":2}'),
      'manifest.json',
    ],
  ];

  test.each(changes)('is refused with the name of the file: %s', async (_, change, name) => {
    for (const run of await changed(change)) {
      expect(run).toMatchObject({ exitCode: 4, stdout: '' });
      expect(parsed(run.stderr).error).toMatchObject({ cause: 'damaged' });
      expect(run.stderr).toContain(name);
    }
  });

  test('may contain other files', async () => {
    const [settlements] = await changed((day) => writeFile(join(day, 'notes.txt'), 'mine'));
    expect(settlements?.exitCode).toBe(1);
  });
});

describe('days that an export lacks', () => {
  test('make the run incomplete', async () => {
    const folder = await exported('refund');
    const flags = ['--from-export', folder, '--from', '2026-02-01', '--to', '2026-03-10'];
    await rm(join(folder, '2026-03-05'), { recursive: true });
    const run = await runRecon(['settlements', ...flags, '--format', 'json']);
    expect(run.exitCode).toBe(4);
    const { verdict, findings } = parsed(run.stdout);
    expect(verdict).toBe('incomplete');
    const [finding] = findings;
    expect(finding).toMatchObject({ code: 'missing_day', weight: 'incomplete' });
    const { from } = await daysOf('refund');
    expect(finding.facts.examples).toEqual([
      { from: '2026-02-01', to: addDays(from, -2) },
      { from: '2026-03-05', to: '2026-03-05' },
    ]);
    expect(finding.count).toBeGreaterThan(10);
    const table = await runRecon(['settlements', ...flags, '--format', 'table']);
    expect(table.stdout).toMatch(
      /\d+ days missing from the export: 2026-02-01 to 2026-0\d-\d\d and 2026-03-05/,
    );
  });

  test('are not searched for neighbours, and the answer is the same', async () => {
    const folder = await exported('fee-off-by-one');
    const [id = ''] = await idsOf(folder);
    await rm(join(folder, '2026-03-03'), { recursive: true });
    const run = (format: string) =>
      runRecon(['explain', id, '--from-export', folder, '--format', format]);
    const json = await run('json');
    expect(json.exitCode).toBe(1);
    const [one] = parsed(json.stdout).settlements;
    expect(one.daysNotSearched).toEqual(['2026-03-03']);
    expect(one.tested).toContainEqual(
      expect.objectContaining({ codes: ['neighbour'], outcome: 'not_searched' }),
    );
    expect((await run('table')).stdout).toMatch(/2026-03-03 \(not in the export\)/);
    expect((await run('markdown')).stdout).toMatch(
      /not searched[^\n]*2026-03-03 \(not in the export\)/,
    );
  });

  test('because a link is in their place are named, and make the run incomplete', async () => {
    const folder = await exported('refund');
    const ids = await idsOf(folder);
    const { from, to } = await daysOf('refund');
    const first = addDays(from, -1);
    for (const day of [first, to]) {
      await rename(join(folder, day), join(folder, '..', `${basename(folder)}-${day}`));
      await symlink(`../${basename(folder)}-${day}`, join(folder, day));
    }
    const run = await runRecon(['settlements', '--from-export', folder, '--quiet']);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toContain(`${first} is not included: a file or link is in the place of its`);
    expect(run.stderr).toMatch(new RegExp(`2 days missing from the export: ${first} and ${to}`));
    const explained = await runRecon(['explain', ids.at(-1) ?? '', '--from-export', folder]);
    expect(explained.exitCode).toBe(4);
    expect(explained.stderr).toContain(`${to} is not included`);
  });

  test('because their replacement was interrupted are named, with what to do', async () => {
    const folder = await exported('refund');
    await rm(join(folder, '2026-03-04'), { recursive: true });
    const intent = {
      schema: 1,
      day: '2026-03-04',
      version: 'a'.repeat(64),
      replaces: 'b'.repeat(64),
      keepsReplaced: true,
      keep: null,
    };
    await mkdir(join(folder, '.intents'), { recursive: true });
    await writeFile(join(folder, '.intents', '2026-03-04.json'), jsonWithDigest(intent));
    const run = await runRecon(['settlements', '--from-export', folder, '--quiet']);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toMatch(/2026-03-04 was interrupted.*recon export/);
  });
});
