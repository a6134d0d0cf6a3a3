import { EventEmitter } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { afterToken, startServer, wrapped } from './server.ts';
import { march, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const signals = [
  { signal: 'SIGINT', exitCode: 130 },
  { signal: 'SIGTERM', exitCode: 143 },
  // The terminal was closed.
  { signal: 'SIGHUP', exitCode: 129 },
] as const;

/** Gives the signal when the run first waits. */
class InterruptingClock extends FakeClock {
  readonly #interrupt: () => void;

  constructor(interrupt: () => void) {
    super(noon);
    this.#interrupt = interrupt;
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.#interrupt();
    return super.sleep(ms, signal);
  }
}

/** A configuration file whose secret is known to a command. */
async function secretCommand(command: string) {
  const path = join(await temporaryFolder(), 'config.toml');
  const toml = [
    '[profiles.main]',
    'base_url = "http://127.0.0.1:9"',
    'auth_url = "http://127.0.0.1:9"',
    'client_id = "client"',
    `client_secret_command = ${JSON.stringify(command)}`,
    'audience = "audience"',
  ];
  await writeFile(path, toml.join('\n'), { mode: 0o600 });
  return { path, env: { PATH: process.env['PATH'] ?? '' } };
}

describe('an interruption', () => {
  it.each(signals)(
    'by $signal ends a run that waits for an answer: $exitCode',
    async (expected) => {
      let started = new EventEmitter();
      const server = await startServer(
        afterToken(() => {
          started.emit(expected.signal);
          return undefined;
        }),
      );
      const { exitCode, stdout, stderr } = await runRecon(['settlements', ...march], {
        env: server.env,
        onStart: (emitter) => {
          started = emitter;
        },
      });
      expect([exitCode, stdout]).toEqual([expected.exitCode, '']);
      expect(stderr).toContain('interrupted');
      expect(server.asked).toHaveLength(2);
      expect(started.listenerCount(expected.signal)).toBe(0);
    },
  );

  it.each(signals)('by $signal ends a run between two attempts: $exitCode', async (expected) => {
    let started = new EventEmitter();
    const clock = new InterruptingClock(() => started.emit(expected.signal));
    const { exitCode, stdout } = await runRecon(
      ['settlements', '--sandbox', '--fault', 'http-503@rows'],
      {
        clock,
        onStart: (emitter) => {
          started = emitter;
        },
      },
    );
    expect([exitCode, stdout]).toEqual([expected.exitCode, '']);
  });

  it('leaves the file of the last run unchanged, and nothing beside it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'report.ndjson');
    await writeFile(path, 'of yesterday');
    let started = new EventEmitter();
    let answers = 0;
    const { exitCode } = await runRecon(
      ['settlements', '--sandbox', '--fault', 'slow=1@rows', '--output', path],
      {
        clock: new InterruptingClock(() => {
          answers += 1;
          if (answers === 30) started.emit('SIGINT');
        }),
        onStart: (emitter) => {
          started = emitter;
        },
      },
    );
    expect(exitCode).toBe(130);
    expect(await readdir(folder)).toEqual(['report.ndjson']);
    expect(await readFile(path, 'utf8')).toBe('of yesterday');
  });

  it.each(signals)('by $signal ends the command that knows the secret: $exitCode', async (one) => {
    let started = new EventEmitter();
    const { path, env } = await secretCommand('exec sleep 100');
    const run = runRecon(['settlements', ...march, '--config', path], {
      env,
      onStart: (emitter) => {
        started = emitter;
      },
    });
    setTimeout(() => started.emit(one.signal), 100);
    const { exitCode, stderr } = await run;
    expect(exitCode).toBe(one.exitCode);
    expect(stderr).toContain('interrupted');
  });

  it('of an explanation ends it before any output', async () => {
    let started = new EventEmitter();
    const clock = new InterruptingClock(() => started.emit('SIGINT'));
    const { exitCode, stdout } = await runRecon(
      ['explain', '9f35bc6c-b462-5651-8591-9ab5b3f4462d', '--sandbox', '--scenario', 'two-causes'],
      {
        clock,
        onStart: (emitter) => {
          started = emitter;
        },
      },
    );
    expect([exitCode, stdout]).toEqual([130, '']);
  });

  it('ends the sandbox with exit code 0', async () => {
    let started = new EventEmitter();
    const run = runRecon(['sandbox', '--scenario', 'refund'], {
      mayPrintSecrets: true,
      onStart: (emitter) => {
        started = emitter;
      },
    });
    started.on('newListener', () => {});
    setImmediate(function stop() {
      if (!started.emit('SIGINT')) setImmediate(stop);
    });
    const { exitCode, stderr } = await run;
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('error');
  });
});

describe('--timeout', () => {
  it('does not affect a run that ends in time', async () => {
    const server = await startServer(afterToken(() => wrapped([])));
    const run = await runRecon(['settlements', ...march, '--timeout', '1h30m'], {
      env: server.env,
    });
    expect(run.exitCode).toBe(0);
  });

  it('says how far the run got', async () => {
    const { env } = await startService('month', 'http-503=always@rows');
    const args = ['settlements', ...march, '--timeout', '1s'];
    const { exitCode, stderr } = await runRecon(args, { env, clock: systemClock });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /Until then, 0 of \d+ settlements and 0 of [\d,]+ transactions were read\./,
    );
  });
});
