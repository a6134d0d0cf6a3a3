import type { Host } from './host.ts';
import type { RunOptions } from './run.ts';

declare const RECON_VERSION: string;

/** Answers the command line of `host` and returns the exit code. Never throws. */
export async function main(host: Host, options: RunOptions = {}): Promise<number> {
  // A stream that fails says so where it is written to, and here nobody hears of it twice. It may fail
  // after the run has ended.
  for (const stream of [host.stdout, host.stderr]) stream.on('error', () => {});
  const words = host.argv.slice(2);
  if (words.length === 1 && words[0] === '--version') {
    // The one answer that needs nothing else, and so costs little more than Node itself.
    host.stdout.write(`${RECON_VERSION}\n`);
    return 0;
  }
  const { run } = await import('./run.ts');
  return run(host, options);
}
