import type { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Scenario } from '../../../src/sandbox/scenario.ts';
import { sandboxCredentials } from '../../../src/sandbox/tokens.ts';
import { Shop } from '../../cli/shop.ts';
import { actionsMade, fullAfter, isKilled, kill, killedAfter } from '../../export/mortal-files.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { runRecon } from '../../support/run-recon.ts';

/** What comes between a night and its end. Counted from 1; what never comes disturbs nobody. */
export interface Trouble {
  /** Faults of the service, as `recon sandbox` takes them. */
  readonly faults?: readonly string[];
  /** The service isn't there, from this request on. */
  readonly downAt?: number;
  readonly killedAt?: {
    readonly action?: number;
    readonly request?: number;
    /** After the report has been taken, or the notification. */
    readonly after?: 'output' | 'notification';
  };
  readonly terminatedAt?: number;
  readonly fullAt?: number;
  readonly output?: 'closed' | 'full';
  readonly notification?: 'refused' | 'not found';
  /** Milliseconds by which the clock is set while it runs. */
  readonly clockStep?: number;
  /** Another run begins when this request comes. */
  readonly twinAt?: number;
}

/** How a night went. */
export interface Ended {
  readonly exitCode: number;
  readonly stderr: string;
  /** What standard output took, whole; undefined where it broke off. */
  readonly report: string | undefined;
  /** The notification that was taken. */
  readonly notification: string | undefined;
  readonly isKilled: boolean;
  readonly requests: number;
  /** Changes of files. */
  readonly actions: number;
  /** How the other run went. */
  readonly twin: Ended | undefined;
}

/** A machine on which a command runs every night, and the addresses that it knows. */
export class Machine {
  readonly #shop: Shop;
  readonly #listener: Listener;
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #pids = 10_000_000;
  readonly #alive = new Set<number>();

  private constructor(shop: Shop, listener: Listener, args: readonly string[], env = {}) {
    this.#shop = shop;
    this.#listener = listener;
    this.#args = args;
    this.#env = { ...shop.env, RECON_NOTIFY_URL: listener.url, ...env };
  }

  static async of(scenario: Scenario, args: readonly string[], env = {}): Promise<Machine> {
    return new Machine(await Shop.open(scenario), await Listener.start(), args, env);
  }

  /** Runs the command at a time, in milliseconds, over what the service says then. */
  async run(scenario: Scenario, now: number, trouble: Trouble = {}): Promise<Ended> {
    const { downAt, killedAt = {}, terminatedAt, twinAt, fullAt } = trouble;
    let signals: EventEmitter | undefined;
    let twin: Promise<Ended> | undefined;
    let requests = 0;
    await this.#shop.becomes(scenario, {
      faults: trouble.faults ?? [],
      atRequest: async (count) => {
        requests = count;
        if (count === killedAt.request) kill();
        if (isKilled()) throw new Error('nobody waits for an answer');
        if (count === terminatedAt) signals?.emit('SIGTERM');
        if (downAt !== undefined && count >= downAt) await this.#shop.close();
        if (count === twinAt) {
          twin = this.#start(now, {});
          await twin;
        }
      },
    });
    if (downAt === 0) await this.#shop.close();
    this.#listener.trouble = trouble;
    let ended: Omit<Ended, 'requests' | 'twin'> | undefined;
    const made = actionsMade();
    const work = async () => {
      ended = await this.#start(now, trouble, (emitter) => {
        signals = emitter;
      });
    };
    if (fullAt === undefined) await killedAfter(killedAt.action ?? Number.POSITIVE_INFINITY, work);
    else await fullAfter(fullAt, work);
    if (!ended) throw new Error('it has not run');
    return { ...ended, requests, actions: actionsMade() - made, twin: await twin };
  }

  async #start(
    now: number,
    trouble: Trouble,
    onStart: (signals: EventEmitter) => void = () => {},
  ): Promise<Ended> {
    const { output, killedAt, clockStep } = trouble;
    const clock = new FakeClock(now);
    if (clockStep !== undefined) clock.step(clockStep, 20);
    let report = '';
    const pid = this.#pids++;
    this.#alive.add(pid);
    this.#listener.taken = undefined;
    const { exitCode, stderr } = await runRecon(this.#args, {
      env: this.#env,
      clock,
      onStart,
      pid,
      // The names of locks look like tokens.
      mayPrintSecrets: true,
      isRunning: (other) => this.#alive.has(other),
      onOutput: (text) => {
        if (isKilled()) throw new Error('nobody prints any more');
        if (output) throw Object.assign(new Error(output), { code: outputFailures[output] });
        report += text;
        if (killedAt?.after === 'output' && report.endsWith('}\n')) kill();
      },
    });
    this.#alive.delete(pid);
    for (const secret of [this.#listener.url, sandboxCredentials.clientSecret]) {
      if ((report + stderr).includes(secret)) throw new Error('a secret is said');
    }
    const isWhole = report.endsWith('}\n');
    return {
      exitCode,
      stderr,
      report: isWhole ? report : undefined,
      notification: this.#listener.taken,
      isKilled: isKilled(),
      requests: 0,
      actions: 0,
      twin: undefined,
    };
  }
}

const outputFailures = { closed: 'EPIPE', full: 'ENOSPC' } as const;

/** Who is notified. */
class Listener {
  readonly url: string;
  trouble: Trouble = {};
  taken: string | undefined;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(): Promise<Listener> {
    let listener: Listener | undefined;
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      response.writeHead(listener?.take(text) ?? 500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close(() => {}).closeAllConnections());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    listener = new Listener(`http://127.0.0.1:${port}/hook/a-secret-path`);
    return listener;
  }

  /** Returns the status of the answer. */
  take(text: string): number {
    const { notification, killedAt } = this.trouble;
    if (notification === 'refused' || isKilled()) return 503;
    if (notification === 'not found') return 404;
    this.taken = text;
    if (killedAt?.after === 'notification') kill();
    return 200;
  }
}
