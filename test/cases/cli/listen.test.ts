import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../src/sandbox/scenarios.ts';
import { webhooksOf } from '../../../src/sandbox/webhooks.ts';
import { startListener } from '../../cli/listener.ts';
import { startService } from '../../cli/service.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon } from '../../support/run-recon.ts';

const scenario = await loadScenario('charges');
const chargeId = (status: string) =>
  String(
    scenario.charges?.find((one) => (one['status'] as { status: string }).status === status)?.[
      'charge_id'
    ],
  );
const payloads = webhooksOf(scenario);
const settlementEvent = payloads[0] ?? {};
const settlementId = settlementEvent['settlement_id'];

describe('an event that cannot be answered', () => {
  it('because its ids are invalid is reported at once: 300 of them do not delay a real event', async () => {
    const service = await startService('charges');
    const clock = new FakeClock(noon);
    const listener = await startListener({ env: service.env, clock });
    for (let n = 0; n < 300; n += 1) {
      const forged = { settlement_id: `../../oauth/token?${n}`, object_type: 'webhook.settlement' };
      expect(await listener.post(forged)).toBe(200);
    }
    await listener.post({ charge_id: chargeId('completed') });
    const answers = (await listener.until(301)).map(({ answer }) => answer);
    expect(answers.filter((answer) => answer === 'not_an_id')).toHaveLength(300);
    expect([service.asked('headers').length, service.asked('charge').length]).toEqual([0, 1]);
    expect(clock.now() - noon).toBeLessThan(1_000);
  });

  it('because it fails for three days is set aside and reported, and tried again if put back', async () => {
    const { env } = await startService('charges', 'wrapper-1010@headers');
    const clock = new FakeClock(noon);
    const listener = await startListener({ env, clock });
    await listener.post(settlementEvent);
    const [line] = await listener.until(1);
    expect(line).toMatchObject({
      webhook: { kind: 'settlement', settlement: { id: settlementId } },
      answer: 'failed',
      verdict: null,
      error: { cause: 'service' },
    });
    expect(clock.now() - noon).toBeGreaterThanOrEqual(3 * 24 * 3_600_000);
    await listener.untilSaid(
      /event \S+ is set aside: Settlement \S+ was given up.*To try it again, move it to/,
    );
    expect(await listener.stop()).toBe(0);
    expect(listener.err()).toContain('Left for the next start: 0 events.');
    const { path = '' } = line?.setAside ?? {};
    await rename(path, join(listener.journal, 'new', `${line?.event}.json`));
    const mended = await startService('charges');
    const second = await startListener({ env: mended.env, journal: listener.journal });
    expect((await second.until(1))[0]).toMatchObject({ event: line?.event, answer: 'settlement' });
  });
});
