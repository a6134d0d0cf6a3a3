import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { startListener } from '../cli/listener.ts';
import { markOf, Senders } from '../cli/senders.ts';
import { afterToken, startServer } from '../cli/server.ts';
import { startService } from '../cli/service.ts';
import { spawnListener } from '../cli/spawned-listener.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { Random } from '../support/random.ts';

const scenario = await loadScenario('charges');
const charges = (scenario.charges ?? []).map((one) => String(one['charge_id'])).slice(0, 4);
const settlements = scenario.settlements.map(({ header }) => String(header['settlementId']));

/** How often the program is killed; RECON_KILLS asks for more. */
const kills = Number(process.env['RECON_KILLS'] ?? 10);
const senderCount = 12;

function sendersOf(seed: number): Senders {
  return new Senders({ charges, settlements, random: new Random(seed), name: `run${seed}` });
}

function sendAll(senders: Senders, url: string, isOver: () => boolean): Promise<unknown> {
  return Promise.all(Array.from({ length: senderCount }, () => senders.send(url, isOver)));
}

describe('many senders at once', () => {
  it('lose nothing that was acknowledged, and get the right status each', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const senders = sendersOf(1);
    await sendAll(senders, listener.url, () => senders.owed.size >= 400);
    const told = () => new Set(listener.lines().map(markOf));
    for (let seen = told(); ![...senders.owed].every((mark) => seen.has(mark)); seen = told()) {
      await listener.until(listener.lines().length + 1);
    }
    expect([...senders.statuses.keys()].sort()).toEqual([200, 400, 413]);
    const ids = listener.lines().filter(({ webhook }) => webhook['kind'] === 'settlement');
    expect(new Set(ids.map(markOf)).size).toBe(ids.length);
  }, 60_000);
});

describe('SIGKILL at random moments', () => {
  it(
    `leaves nothing acknowledged unanswered: ${kills} times`,
    async () => {
      const seed = 20_260_304;
      const random = new Random(seed);
      const { env } = await startService('charges', 'slow=5@charge');
      const journal = await temporaryFolder();
      const senders = sendersOf(seed);
      const told: string[] = [];
      for (let life = 1; life <= kills; life += 1) {
        const listener = await spawnListener(journal, env);
        const enough = senders.owed.size + random.int(0, 150);
        let isDead = false;
        const sending = sendAll(senders, listener.url, () => isDead);
        // Among the acknowledgements, among the lines, or at once.
        const linesFirst = random.int(0, 40);
        if (random.chance(50)) await listener.until(() => listener.lines().length >= linesFirst);
        else await listener.until(() => senders.owed.size >= enough);
        expect(await listener.end('SIGKILL')).toBe('SIGKILL');
        isDead = true;
        await sending;
        told.push(...listener.lines().map(markOf));
      }
      const last = await spawnListener(journal, env);
      const all = () => new Set([...told, ...last.lines().map(markOf)]);
      await last.until(() => [...senders.owed].every((mark) => all().has(mark)));
      expect([...senders.owed].filter((mark) => !all().has(mark))).toEqual([]);
      expect(senders.owed.size).toBeGreaterThan(kills);
      expect(await last.end('SIGTERM')).toBe(0);
      expect(await readdir(join(journal, 'new'))).toEqual([]);
    },
    60_000 + 3_000 * kills,
  );
});

describe('memory', () => {
  it.runIf(existsSync('/proc/self/status'))(
    'does not grow with events that wait for an answer',
    async () => {
      const service = await startServer(afterToken(() => undefined));
      const listener = await spawnListener(await temporaryFolder(), service.env);
      const padding = 'x'.repeat(100_000);
      let sent = 0;
      const send = async () => {
        while (sent < 2_500) {
          sent += 1;
          const body = JSON.stringify({ charge_id: crypto.randomUUID(), padding });
          const answer = await fetch(listener.url, { method: 'POST', body });
          expect(answer.status).toBe(200);
          await answer.arrayBuffer();
        }
      };
      await Promise.all(Array.from({ length: senderCount }, send));
      const status = await readFile(`/proc/${listener.child.pid}/status`, 'utf8');
      const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
      // 250 MB wait; Node alone takes about 80.
      expect(peakKb / 1024).toBeLessThan(230);
      expect(await listener.end('SIGTERM')).toBe(0);
    },
    60_000,
  );
});
