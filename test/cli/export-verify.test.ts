import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealedPath } from '../../src/export/export-folder.ts';
import { intentPath, jsonWithDigest } from '../../src/export/layout.ts';
import { intentText } from '../../src/export/listing.ts';
import { publishedTablePath } from '../../src/lake/tables.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const day = '2026-03-04';

/** An export of a day, on which the fees of the settlement are off by one. */
async function anExport(): Promise<string> {
  const out = join(await temporaryFolder(), 'out');
  await exportedTo(out);
  return out;
}

function exportedTo(out: string, ...flags: readonly string[]) {
  const scenario = ['--sandbox', '--scenario', 'fee-off-by-one'];
  return runRecon(['export', '--on', day, '--out', out, ...scenario, ...flags]);
}

function verify(out: string, ...flags: readonly string[]) {
  return runRecon(['export', '--verify', '--out', out, ...flags]);
}

/** Alters the manifest of a day, whose digest is right again afterwards. */
function rewrite(out: string, change: (fields: Record<string, unknown>) => object): void {
  const path = join(out, day, 'manifest.json');
  const { sha256: _, ...fields } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, jsonWithDigest(change(fields)));
}

describe('recon export --verify computes a day from its source', () => {
  const none = { balanced: 1, out_of_balance: 0, pending: 0 };

  test.each([
    ['settingsDigest', { settingsDigest: '0'.repeat(64) }],
    ['verdict', { verdict: 'balanced' }],
    ['counts', { counts: { settlements: none, transactions: 3 } }],
    ['totals', { totals: [] }],
  ])('and ends with 4 if the manifest has another %s', async (field, change) => {
    const out = await anExport();
    rewrite(out, (fields) => ({ ...fields, ...change }));
    const { exitCode, stdout } = await verify(out);
    expect(exitCode).toBe(4);
    const message = `Its ${field} does not match the day's source and settings.`;
    expect(stdout).toContain(`problem,${day}/manifest.json,${message}`);
  });

  test('and finds an ignored check in the manifest that was not ignored', async () => {
    const out = await anExport();
    rewrite(out, (fields) => ({
      ...fields,
      settings: { ...(fields['settings'] as object), ignored: ['fees', 'identity'] },
    }));
    const { exitCode, stdout } = await verify(out);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('Its settingsDigest');
    expect(stdout).toContain('Its verdict');
  });
});

test('a folder or a pipe in the place of a file is damage, also of the manifest, and the next export repairs it', async () => {
  for (const name of ['transactions.csv', 'source.ndjson.gz', 'settlements.csv', 'manifest.json']) {
    const out = await anExport();
    rmSync(join(out, day, name));
    if (name === 'settlements.csv') mkdirSync(join(out, day, name));
    else execFileSync('mkfifo', [join(out, day, name)]);
    const { exitCode, stdout } = await verify(out);
    expect([exitCode, stdout]).toEqual([4, expect.stringContaining('Expected a file, found a ')]);
    const clock = new FakeClock(Date.UTC(2026, 2, 6));
    const again = ['export', '--on', day, '--out', out, '--sandbox', '--scenario'];
    const { stdout: repaired } = await runRecon([...again, 'fee-off-by-one'], { clock });
    expect(repaired).toContain(`${day},repaired,`);
    expect((await verify(out)).exitCode).toBe(0);
  }
});

test.skipIf(process.getuid?.() === 0)(
  'a day that may not be read is not called damaged',
  async () => {
    const out = await anExport();
    chmodSync(join(out, day, 'manifest.json'), 0);
    const read = await runRecon(['settlements', '--from-export', out]);
    for (const { exitCode, stderr } of [read, await verify(out)]) {
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('No permission to read')]);
      expect(stderr).not.toContain('damaged');
    }
  },
);

describe('recon export --verify after a run that was killed', () => {
  test('names what the run left and what will happen to it, and ends with 0 if all days are right', async () => {
    const out = await anExport();
    mkdirSync(join(out, '.building', `${day}.0123456789abcdef.part`), { recursive: true });
    writeFileSync(join(out, '.lock'), '{}');
    const { exitCode, stdout, stderr } = await verify(out);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`unfinished,,remove .building/${day}.0123456789abcdef.part`);
    expect(stderr).toBe(
      '1 day intact, 0 missing, 0 problems. A run is in progress or was interrupted; the next ' +
        'export cleans up after it.\n',
    );
    const table = (await verify(out, '--format', 'table')).stdout;
    expect(table).toMatch(/^INTACT\n/);
    expect(table).toMatch(/Interrupted; the next export will\n +- remove \.building/);
  });

  test('names the day that the run was replacing, also if it is the only one, and ends with 4', async () => {
    const out = await anExport();
    const [version, replaces] = ['a'.repeat(64), 'b'.repeat(64)];
    mkdirSync(join(out, '.building'));
    mkdirSync(join(out, '.intents'));
    renameSync(join(out, day), join(out, sealedPath(day, version)));
    const intent = { day, version, replaces, keepsReplaced: false, keep: null };
    writeFileSync(join(out, intentPath(day)), intentText(intent));
    // The tables of the replaced version stand until those of the new one are put in their place.
    const table = join(out, publishedTablePath('settlements', day));
    mkdirSync(dirname(table), { recursive: true });
    writeFileSync(table, '');
    const { exitCode, stdout, stderr } = await verify(out);
    expect(exitCode).toBe(4);
    expect(stdout).toContain(`missing,${day},not in the export`);
    expect(stderr).toContain('0 days intact, 1 missing, 0 problems. A run is in progress');
  });
});
