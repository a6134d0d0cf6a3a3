import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon } from '../support/run-recon.ts';
import { connectionTo, purchases, scenarioOf } from './service.ts';

/** Which of three nights it is: every night the service tells some days otherwise. */
export type Night = 0 | 1 | 2;

/** The days of a night; the last one has two more. */
export function rangeAt(night: Night): readonly string[] {
  return ['--from', '2026-03-02', '--to', night === 2 ? '2026-03-11' : '2026-03-09'];
}

const stores = '9a41c0de-58b2-4f6e-8d17-c3b5e2a70942';

/** The configuration of a night: in the last one the stores have another name. */
export function settingsAt(night: Night): string {
  return `[profiles.shop]\nnames."${stores}" = "${night === 2 ? 'All stores' : 'Stores'}"\n`;
}

/** What the service holds: a settlement a day, and on even days one of the stores. */
export function shopAt(night: Night): Scenario {
  const settlement = (day: number, rows: number, rest = {}) => ({
    date: `2026-03-${String(day).padStart(2, '0')}`,
    header: { settlementId: settlementOn(day) },
    rows: purchases(rows),
    ...rest,
  });
  const named = (day: number, name: string) => ({ settlementId: settlementOn(day, name) });
  return scenarioOf(
    [
      settlement(2, 5),
      // Never in balance, and every night by another amount.
      settlement(3, 5, { off: { fees: night + 1 } }),
      settlement(4, 5),
      settlement(5, 5 + night),
      settlement(6, 400),
      settlement(7, 5),
      settlement(8, 5),
      settlement(9, 5, { status: night === 2 ? 'settled' : 'pending_settlement' }),
      settlement(10, 5),
      ...[2, 4, 6, 8, 10].map((day) =>
        settlement(day, 3, { account: 'Stores', header: named(day, 'stores') }),
      ),
      night === 2
        ? settlement(7, 2, { header: named(7, 'added') })
        : settlement(8, 2, { header: named(8, 'removed') }),
    ],
    { accounts: { Stores: { accountingToken: stores } } },
  );
}

/** The id of a day's settlement; it can be read off. */
export function settlementOn(day: number, name = 'web'): string {
  const hex = Buffer.from(name.slice(0, 6).padEnd(6, ' ')).toString('hex');
  return `${String(day).padStart(8, '0')}-0000-4000-8000-${hex}`;
}

export interface ShopOptions {
  readonly faults?: readonly string[];
  /** Called with the number of each request for settlements or rows; the answer waits for it. */
  readonly atRequest?: ((count: number) => void | Promise<void>) | undefined;
}

/** The service, at an address to which it comes back with other data. It is closed when the test ends. */
export class Shop {
  readonly env: Readonly<Record<string, string>>;
  #sandbox: Sandbox;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.env = connectionTo(sandbox.baseUrl);
  }

  static async open(scenario: Scenario): Promise<Shop> {
    const shop = new Shop(await launch(scenario, 0));
    onTestFinished(() => shop.close());
    return shop;
  }

  /** Another one takes its place. */
  async becomes(scenario: Scenario, options?: ShopOptions): Promise<void> {
    await this.close();
    this.#sandbox = await launch(scenario, Number(new URL(this.#sandbox.baseUrl).port), options);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

function launch(
  scenario: Scenario,
  port: number,
  { faults = [], atRequest }: ShopOptions = {},
): Promise<Sandbox> {
  const slow = atRequest ? ['slow=1'] : [];
  return startSandbox({
    scenario,
    faults: parseFaults([...faults, ...slow]),
    clock: new RequestClock(atRequest),
    port,
  });
}

/** A slow sandbox sleeps before it answers: that is the moment of a request. */
class RequestClock extends FakeClock {
  readonly #atRequest: ShopOptions['atRequest'];
  #count = 0;

  constructor(atRequest: ShopOptions['atRequest']) {
    super(noon);
    this.#atRequest = atRequest;
  }

  override async sleep(): Promise<void> {
    this.#count += 1;
    await this.#atRequest?.(this.#count);
  }
}
