import { describe, expect, it } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { readReport } from './read-report.ts';

/** 5 April 2026, noon UTC, is the present moment of all runs. */
const ranges: readonly {
  readonly flags: readonly string[];
  readonly from: string;
  readonly to: string;
}[] = [
  { flags: ['--from', '2026-03-01', '--to', '2026-03-31'], from: '2026-03-01', to: '2026-03-31' },
  { flags: ['--from=2026-03-01', '--to=2026-03-01'], from: '2026-03-01', to: '2026-03-01' },
  { flags: ['--on', '2026-03-04'], from: '2026-03-04', to: '2026-03-04' },
  { flags: ['--on', '2028-02-29'], from: '2028-02-29', to: '2028-02-29' },
  { flags: ['--on', 'today'], from: '2026-04-05', to: '2026-04-05' },
  { flags: ['--on', 'yesterday'], from: '2026-04-04', to: '2026-04-04' },
  { flags: ['--from', '-7d', '--to', 'yesterday'], from: '2026-03-29', to: '2026-04-04' },
  { flags: ['--from', '-5d', '--to', '-0d'], from: '2026-03-31', to: '2026-04-05' },
  { flags: ['--from', '-1w', '--to', '-0w'], from: '2026-03-29', to: '2026-04-05' },
  { flags: ['--from', '-2m', '--to', '-1m'], from: '2026-02-05', to: '2026-03-05' },
  { flags: ['--from=-2W', '--to=Today'], from: '2026-03-22', to: '2026-04-05' },
  { flags: ['--month', 'this'], from: '2026-04-01', to: '2026-04-30' },
  { flags: ['--month', 'last'], from: '2026-03-01', to: '2026-03-31' },
  { flags: ['--month', 'LAST'], from: '2026-03-01', to: '2026-03-31' },
  { flags: ['--month', '2026-02'], from: '2026-02-01', to: '2026-02-28' },
  { flags: ['--month', '2028-02'], from: '2028-02-01', to: '2028-02-29' },
  { flags: ['--month', '2025-12'], from: '2025-12-01', to: '2025-12-31' },
  { flags: [], from: '2026-03-01', to: '2026-03-31' },
];

const csv = ['settlements', '--sandbox', '--scenario', 'balanced'] as const;
const sandbox = [...csv, '--format', 'json'] as const;

describe('the range', () => {
  it.each(ranges)('of $flags is $from to $to', async ({ flags, from, to }) => {
    const { stdout, stderr, exitCode } = await runRecon([...sandbox, ...flags]);
    expect(exitCode).toBe(0);
    expect(readReport(stdout).range).toEqual({ from, to });
    // In JSON it stands among the data, and errors are all that is on standard error.
    expect(stderr).toBe('');
    const { stderr: all } = await runRecon([...csv, ...flags]);
    const said = all.replace(/^The newest settlement .*$/m, '');
    expect(said.match(/\d{4}-\d{2}-\d{2}/g)).toEqual(from === to ? [from] : [from, to]);
  });

  it('includes both days (trap 12)', async () => {
    const { stdout } = await runRecon([...sandbox, '--from', '2026-03-03', '--to', '2026-03-05']);
    const dates = readReport(stdout).settlements.map((one) => one.date);
    expect(dates).toEqual(['2026-03-03', '2026-03-05']);
  });

  it('of some months ago ends with the month if that month is shorter', async () => {
    const clock = new FakeClock(Date.UTC(2026, 2, 31, 12));
    const of = async (...flags: readonly string[]) =>
      readReport((await runRecon([...sandbox, ...flags], { clock })).stdout).range;
    expect(await of('--on', '-1m')).toEqual({ from: '2026-02-28', to: '2026-02-28' });
    expect(await of('--on', '-13m')).toEqual({ from: '2025-02-28', to: '2025-02-28' });
    expect(await of('--month', 'last')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  });

  it('is that of the day in UTC, whatever the hour', async () => {
    const flags = [...sandbox, '--on', 'today'];
    for (const [hour, day] of [
      [0, '2026-04-05'],
      [23, '2026-04-05'],
      [24, '2026-04-06'],
    ] as const) {
      const clock = new FakeClock(Date.UTC(2026, 3, 5, hour));
      const { stdout } = await runRecon(flags, { clock });
      expect(readReport(stdout).range.to).toBe(day);
    }
  });
});
