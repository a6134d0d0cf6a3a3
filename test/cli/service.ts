import { onTestFinished } from 'vitest';
import { expandFixture, type Fixture } from '../../src/sandbox/fixture.ts';
import { type Sandbox, type SandboxRequest, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, type RunOptions, type RunResult, runRecon } from '../support/run-recon.ts';

/** A sandbox that outlives the run, so that a test can look at what was asked of it. */
export interface Service {
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
  /** The settings that reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** `recon settlements` over March 2026. */
  settlements(args?: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** The requests to one operation. */
  asked(operation: 'token' | 'headers' | 'rows' | 'charge'): readonly SandboxRequest[];
}

export const march: readonly string[] = ['--month', '2026-03'];

const paths = {
  token: '/oauth/token',
  headers: '/v1/merchant/settlement',
  rows: '/v1/merchant/settlement/transactions',
  charge: '/charge/',
} as const;

/** Starts a sandbox that is closed when the test ends. */
export async function startService(
  scenario: string | Scenario,
  ...faults: readonly string[]
): Promise<Service> {
  const clock = new FakeClock(noon);
  const sandbox = await startSandbox({
    scenario: typeof scenario === 'string' ? await loadScenario(scenario) : scenario,
    faults: parseFaults(faults),
    clock,
  });
  onTestFinished(() => sandbox.close());
  const env = connectionTo(sandbox.baseUrl);
  return {
    sandbox,
    clock,
    env,
    settlements: (args = [], options = {}) =>
      runRecon(['settlements', ...march, ...args], {
        clock,
        ...options,
        env: { ...env, ...options.env },
      }),
    asked: (operation) =>
      sandbox.requests.filter(({ path }) =>
        operation === 'charge' ? path.startsWith(paths.charge) : path === paths[operation],
      ),
  };
}

/** The settings that reach a service at `url` with the sandbox's credentials. */
export function connectionTo(url: string): Readonly<Record<string, string>> {
  return {
    RECON_BASE_URL: url,
    RECON_AUTH_URL: url,
    RECON_CLIENT_ID: 'sandbox-client',
    RECON_CLIENT_SECRET: 'sandbox-client-secret',
    RECON_AUDIENCE: 'https://sandbox.example/settlements',
    RECON_JWT_PUBLIC_KEY: 'sandbox-jwt-public-key',
    RECON_JWT_SECRET: 'sandbox-jwt-secret',
  };
}

/** A profile that reaches a service, in TOML. */
export function profileOf(name: string, url: string, more = ''): string {
  const settings = Object.entries(connectionTo(url)).map(
    ([key, value]) => `${key.replace('RECON_', '').toLowerCase()} = "${value}"`,
  );
  return [`[profiles.${name}]`, ...settings, more, ''].join('\n');
}

/** A field of the request's body. */
export function field(name: string): (request: SandboxRequest) => unknown {
  return ({ body }) => body?.[name];
}

/** A scenario of the test's own, written as in fixtures/. */
export function scenarioOf(
  settlements: Fixture['settlements'],
  rest: Partial<Fixture> = {},
): Scenario {
  return expandFixture('test', {
    about: 'made by a test',
    period: { from: '2026-03-01', to: '2026-03-31' },
    defaults: {
      accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
      merchantId: 'M-1001',
      currencyCode: 'EUR',
      decimalPlaces: 2,
    },
    settlements,
    ...rest,
  });
}

/** So many purchases of 10.00, with fees 0.25 and tax 0.05. */
export function purchases(count: number): Fixture['settlements'][number]['rows'] {
  return Array.from({ length: count }, () => ['purchase', 1000, 25, 5] as const);
}
