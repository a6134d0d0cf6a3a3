import type { Host } from './host.ts';
import type { RunOptions } from './run.ts';

/** Answers the command line of `host` and returns the exit code. Never throws. */
export async function main(host: Host, options: RunOptions = {}): Promise<number> {
  // A stream that fails says so where it is written to, and here nobody hears of it twice. It may fail
  // after the run has ended.
  for (const stream of [host.stdout, host.stderr]) stream.on('error', () => {});
  if (['-V', '--version'].includes(host.argv[2] ?? '')) {
    // The one answer that needs nothing else, and so costs little more than Node itself.
    host.stdout.write(`${RECON_VERSION}\n`);
    return 0;
  }
  const { run } = await import('./run.ts');
  return run(host, options);
}
