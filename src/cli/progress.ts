import type { Wait } from '../api/client.ts';
import type { Progress } from '../app/read-settlements.ts';
import type { Clock } from '../base/clock.ts';
import { grouped } from '../report/common/phrase.ts';
import type { Host } from './host.ts';

/** One line on a terminal that says how far the run has come. */
export type ProgressLine = Awaited<ReturnType<typeof startProgress>>;

/** A progress line on standard error, where that is a terminal that can show one; else undefined. */
export async function startProgress(host: Host, clock: Clock, first: string) {
  const { stderr, env } = host;
  // A terminal of 0 columns sends ora into an endless loop.
  const canShow = stderr.isTTY && stderr.columns && env['TERM'] !== 'dumb' && !env['CI'];
  if (!canShow) return undefined;
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: stderr, color: false, discardStdin: false });
  spinner.start(first);
  const started = clock.monotonic();
  let text = first;
  let pausedUntil = 0;
  let why = '';
  const show = () => {
    const pauseMs = pausedUntil - clock.monotonic();
    spinner.text = pauseMs > 0 ? `${text}  ${why}waiting ${seconds(pauseMs)}` : text;
  };
  return {
    update: (progress: Progress) => {
      text = progressText(progress, clock.monotonic() - started);
      show();
    },
    /** A request waits for its next attempt. */
    waiting: (wait: Wait) => {
      pausedUntil = clock.monotonic() + wait.nextMs;
      why = waitText(wait);
      show();
    },
    /** Takes the line away. */
    stop: () => spinner.stop(),
    /** Shows it again. */
    resume: () => spinner.start(),
  };
}

/** How far several profiles have come that are read at once. One alone may be at a certain day. */
export function together(all: readonly Progress[]): Progress {
  const [first, ...others] = all;
  if (first && others.length === 0) return first;
  const sum = (of: (one: Progress) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    settlements: sum(({ settlements }) => settlements),
    decided: sum(({ decided }) => decided),
    rows: sum(({ rows }) => rows),
    expectedRows: sum(({ expectedRows }) => expectedRows),
  };
}

/** How far a run has come after `elapsedMs` milliseconds, and how long it will take. */
export function progressText(
  { day, settlements, decided, rows, expectedRows }: Progress,
  elapsedMs: number,
): string {
  const rate = (rows * 1000) / Math.max(elapsedMs, 1);
  const parts = [
    ...(day === undefined ? [] : [day]),
    `settlements ${decided}/${settlements}`,
    `rows ${grouped(rows)}/${grouped(expectedRows)}`,
  ];
  // The time is that of the whole run, the rows are those of the day.
  if (day !== undefined) return parts.join('  ');
  if (rows > 0) parts.push(`${grouped(Math.round(rate))} rows/s`);
  const left = expectedRows - rows;
  // The first moments say little about the rest.
  if (rows > 0 && left > 0 && elapsedMs > 1000) parts.push(`${seconds((left * 1000) / rate)} left`);
  return parts.join('  ');
}

/** Why a request waits, before for how long. */
function waitText({ reason, attempt, attempts }: Wait): string {
  if (reason === 'rate_limit') return 'rate limit: ';
  const what = reason === 'network' ? 'no answer' : 'the service fails';
  return `${what}: attempt ${attempt} of ${attempts}, `;
}

function seconds(ms: number): string {
  const total = Math.ceil(ms / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
