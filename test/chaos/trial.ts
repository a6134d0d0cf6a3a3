import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { connectionTo } from '../cli/service.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import type { Random } from '../support/random.ts';
import { expectNoSecrets, noon, type RunResult, runRecon } from '../support/run-recon.ts';
import { type BlindSpots, blindSpotsOf } from './blind-spots.ts';
import { randomFaults } from './random-faults.ts';
import { randomScenario } from './random-scenario.ts';

/** Real milliseconds after which a run hangs: all waiting is in virtual time. */
const hangs = 30_000;
/** Where the service falls silent, the run is given a real second, and some more to come to its end. */
const ofSilence = { seconds: 1, grace: 5 };

/** How the wall clock is set while a run is under way. */
interface ClockStep {
  readonly ms: number;
  /** So many readings of the clock later. */
  readonly readings: number;
}

/** How a run ended, with what it wrote into the file of `--output`. */
export interface Ended extends RunResult {
  readonly file: string | undefined;
  /** What was read of it: the file where there is one, else standard output. */
  readonly text: string;
}

/** Random data, a random combination of misbehaviours, and runs of `recon` with and without them. */
export class Trial {
  readonly random: Random;
  readonly scenario: Scenario;
  readonly faults: readonly string[];
  readonly blind: BlindSpots;
  readonly folder: string;
  /** The request before whose answer the service falls silent for good, if it does. */
  readonly silentAt: number | undefined;
  /** Half of the time none. */
  readonly clockStep: ClockStep | undefined;
  readonly #auth: string;
  #port = 0;

  private constructor(random: Random, folder: string) {
    this.random = random;
    this.folder = folder;
    this.scenario = randomScenario(random);
    this.faults = randomFaults(random, this.ids);
    this.blind = blindSpotsOf(this.scenario, this.faults);
    this.silentAt = random.chance(3) ? random.int(1, 30) : undefined;
    this.#auth = random.pick(['v2', 'v2', 'v1']);
    const ms = random.pick([-86_400_000, -3_600_000, -10_000, -500, 500, 10_000, 3_600_000]);
    this.clockStep = random.chance(50) ? { ms, readings: random.int(1, 200) } : undefined;
  }

  static async of(random: Random): Promise<Trial> {
    return new Trial(random, await temporaryFolder());
  }

  /** The ids of the settlements, those with an unreadable header too. */
  get ids(): readonly string[] {
    return this.scenario.settlements.map(({ header }) => String(header['settlementId']));
  }

  /** What the seed stands for, for whoever looks at a failure. */
  get about(): string {
    const silence = this.silentAt === undefined ? '' : `, silent from request ${this.silentAt} on`;
    const { ms, readings } = this.clockStep ?? {};
    const step = ms === undefined ? '' : `, clock set by ${ms} ms at its reading ${readings}`;
    return `faults: ${this.faults.join(' ')}${silence}${step}`;
  }

  /** Flags of the connection, as random as the rest. */
  get connection(): readonly string[] {
    const { random, silentAt } = this;
    const timeout = silentAt === undefined ? [] : ['--timeout', `${ofSilence.seconds}s`];
    return ['--concurrency', String(random.pick([1, 2, 8])), ...timeout];
  }

  undisturbed(args: readonly string[], file?: string): Promise<Ended> {
    return this.#run(args, [], new FakeClock(noon), file);
  }

  /** The same with the faults, and what holds for every run: no bug, no secret, no hang. */
  async disturbed(args: readonly string[], file?: string): Promise<Ended> {
    const { silentAt, faults, clockStep } = this;
    const clock = new FakeClock(noon);
    if (clockStep) clock.step(clockStep.ms, clockStep.readings);
    const silence = silentAt === undefined ? undefined : new FallingSilent(clock, silentAt);
    const strays: unknown[] = [];
    const stray = (reason: unknown) => strays.push(reason);
    process.on('unhandledRejection', stray);
    const started = performance.now();
    const ended = await this.#run(
      args,
      [...faults, ...(silence ? ['slow=1'] : [])],
      clock,
      file,
      silence,
    );
    const seconds = (performance.now() - started) / 1000;
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', stray);

    expect(strays).toEqual([]);
    expect([0, 1, 3, 4]).toContain(ended.exitCode);
    if (ended.exitCode > 1 && ended.text === '') expect(ended.stderr).toContain('error');
    if (silence?.isSilent) {
      expect(seconds).toBeLessThan(ofSilence.seconds + ofSilence.grace);
    }
    return ended;
  }

  async #run(
    args: readonly string[],
    faults: readonly string[],
    clock: Clock,
    file?: string,
    sandboxClock = clock,
  ): Promise<Ended> {
    const sandbox = await startSandbox({
      scenario: this.scenario,
      faults: parseFaults(faults),
      clock: sandboxClock,
      // One address for all runs: an export remembers whom it asked.
      port: this.#port,
    });
    this.#port = Number(new URL(sandbox.baseUrl).port);
    try {
      const env = { ...connectionTo(sandbox.baseUrl), RECON_AUTH: this.#auth };
      const output = file === undefined ? [] : ['--output', join(this.folder, file)];
      const run = runRecon([...args, ...output], { env, clock });
      const ended = await inTime(run);
      const written = this.#written(file);
      const text = written ?? ended.stdout;
      expectNoSecrets({ stdout: text, stderr: '' }, env);
      for (const { token } of sandbox.requests) {
        if (token !== undefined) expect(text + ended.stderr).not.toContain(token);
      }
      return { ...ended, file: written, text };
    } finally {
      await sandbox.close();
    }
  }

  /** What a run wrote into its file; nothing else may lie beside it. */
  #written(file: string | undefined): string | undefined {
    const names = readdirSync(this.folder).filter((name) => !name.startsWith('export-'));
    const isThere = file !== undefined && names.includes(file);
    expect(names.filter((name) => name !== file && !name.startsWith('undisturbed'))).toEqual([]);
    return isThere ? readFileSync(join(this.folder, file), 'utf8') : undefined;
  }
}

/** A clock for the sandbox alone: from some sleep on, nobody wakes any more. */
class FallingSilent implements Clock {
  isSilent = false;
  readonly #clock: Clock;
  readonly #at: number;
  #sleeps = 0;

  constructor(clock: Clock, at: number) {
    this.#clock = clock;
    this.#at = at;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.#sleeps += 1;
    this.isSilent ||= this.#sleeps >= this.#at;
    return this.isSilent ? new Promise(() => {}) : this.#clock.sleep(ms, signal);
  }
}

async function inTime<Result>(run: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the run hangs')), hangs);
  });
  return Promise.race([run, hang]).finally(() => clearTimeout(timer));
}
