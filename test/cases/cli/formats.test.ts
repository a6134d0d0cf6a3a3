import { describe, expect, it } from 'vitest';
import { type RunOptions, type RunResult, runRecon } from '../../support/run-recon.ts';

/** What runs said, by their words: of one output several questions are asked. */
const said = new Map<string, Promise<RunResult>>();

/** A run over the sandbox; one that was made is not made again. */
function settlements(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const key = JSON.stringify([args, options]);
  const run = said.get(key) ?? runRecon(['settlements', '--sandbox', ...args], options);
  said.set(key, run);
  return run;
}

const sandbox = (scenario: string, ...args: string[]) =>
  settlements(['--scenario', scenario, ...args]);

describe('every format', () => {
  const formats = ['csv', 'json', 'ndjson', 'table'];

  it.each(formats)('has the same bytes in two runs: %s', async (format) => {
    const one = await sandbox('month', '--format', format);
    const other = await sandbox('month', '--format', format, '--concurrency', '2');
    expect(other.stdout).toBe(one.stdout);
    expect(one.stdout).not.toBe('');
  });
});
