import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Conditions, ServerCounts } from './server.ts';

/** What a process took, as the system counts it. */
export interface Usage {
  readonly wallMs: number;
  /** User and system. */
  readonly cpuMs: number;
  /** The part of it that the main thread took. */
  readonly mainMs: number;
  readonly peakMb: number;
}

/** A built file of this folder. */
export function built(name: string): string {
  return join(import.meta.dirname, `${name}.mjs`);
}

/**
 * Runs Node with the arguments to its end, and measures it, but for processes that it starts. Throws where
 * it ends otherwise than so.
 */
export async function measure(
  args: readonly string[],
  baseUrl: string,
  exitCode: number,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Usage> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', built('usage'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      RECON_BASE_URL: baseUrl,
      RECON_AUTH_URL: baseUrl,
      RECON_CLIENT_ID: 'bench',
      RECON_CLIENT_SECRET: 'bench',
      RECON_AUDIENCE: 'bench',
      ...env,
    },
  });
  const said = [child.stderr, child.stdio[3] as Readable].map((stream) => text(stream as Readable));
  const [code] = await once(child, 'exit');
  const wallMs = performance.now() - started;
  const [errors = '', usage = ''] = await Promise.all(said);
  if (code !== exitCode) throw new Error(`${args.join(' ')} ended with ${code}: ${errors}`);
  return { wallMs, ...JSON.parse(usage) };
}

/** Milliseconds from the start of a process to its end, without anything that measures inside. */
export async function timeStart(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}

/** The server, in a process of its own, as long as `work` takes. */
export async function withServer(
  settlements: number,
  rows: number,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const child = fork(built('server'), [String(settlements), String(rows)]);
  try {
    const [{ port }] = await once(child, 'message');
    await work(new Server(child, `http://127.0.0.1:${port}`));
  } finally {
    child.kill();
  }
}

export class Server {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, baseUrl: string) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  /** Answers under these conditions, and counts, from now on. */
  async reset(conditions: Conditions): Promise<void> {
    this.#child.send(conditions);
    await once(this.#child, 'message');
  }

  async counts(): Promise<ServerCounts> {
    this.#child.send('counts');
    const [counts] = await once(this.#child, 'message');
    return counts;
  }
}
