import { spawnSync } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../cli/temporary.ts';
import { program, start, until } from '../../support/built-program.ts';
import { runRecon } from '../../support/run-recon.ts';

/** A report of two settlements. */
const few = ['settlements', '--sandbox', '--scenario', 'refund'];

describe('the built program', () => {
  it('ends with 0 and without a message if its reader closes the pipe', async () => {
    const started = start([...few, '--quiet', '--format', 'csv']);
    started.child.stdout?.destroy();
    expect(await started.ended).toBe(0);
    expect(started.err()).toBe('');
  });

  it('writes as it reads, and ends with 0 and without a message if its reader has enough', async () => {
    const started = start(['transactions', '--sandbox', '--quiet']);
    await until(started.out, /\n2026-03-/, started);
    started.child.stdout?.destroy();
    expect(await started.ended).toBe(0);
    expect(started.err()).toBe('');
  });

  it('ends with 0 and without a message in a pipe to head', () => {
    const shell = spawnSync(
      'bash',
      [
        '-c',
        '"$0" "$1" transactions --sandbox --quiet | head -1; echo $PIPESTATUS',
        process.execPath,
        program,
      ],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/nonexistent' } },
    );
    expect(shell.stdout).toMatch(/^settlement_date,settlement_id,[^\n]+\n0\n$/);
    expect(shell.stderr).toBe('');
  });

  it('ends with 5 if standard output is full', async () => {
    const full = await open('/dev/full', 'w');
    const { err, ended } = start(few, { stdout: full.fd });
    expect(await ended).toBe(5);
    expect(err()).toContain('error: ');
    await full.close();
  });

  it('writes to a file as standard output', async () => {
    const path = join(await temporaryFolder(), 'out.csv');
    const file = await open(path, 'w');
    expect(await start(few, { stdout: file.fd }).ended).toBe(0);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe((await runRecon(few)).stdout);
  });
});
