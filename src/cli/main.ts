import type { Host } from './host.ts';
import type { run } from './program.ts';

/** Runs the command line of `host` and returns the exit code. Never throws. */
export async function main(host: Host, options?: Parameters<typeof run>[1]): Promise<number> {
  // Failed writes are handled where they happen.
  for (const stream of [host.stdout, host.stderr]) stream.on('error', () => {});
  if (['-V', '--version'].includes(host.argv[2] ?? '')) {
    // Fast: nothing else is loaded.
    host.stdout.write(`${RECON_VERSION}\n`);
    return 0;
  }
  const { run } = await import('./program.ts');
  return run(host, options);
}
