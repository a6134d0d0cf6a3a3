import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../src/sandbox/scenarios.ts';
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
});
