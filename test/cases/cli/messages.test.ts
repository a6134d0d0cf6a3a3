import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterToken, startServer, wrapped } from '../../cli/server.ts';
import { connectionTo, march, profileOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

const stores = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
const charge = '9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0';

/** A configuration file that others cannot read. */
async function configuration(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'config.toml');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** All that is said, on one line. */
const said = ({ stdout, stderr }: RunResult) => `${stdout}\n${stderr}`.replace(/\s+/g, ' ');

describe('a configuration with two profiles, none of them chosen', () => {
  const two = `${profileOf('main', 'http://127.0.0.1:1')}${profileOf('japan', 'http://127.0.0.1:1')}`;
  const commands: readonly (readonly string[])[] = [
    ['settlements', ...march],
    ['settlements', ...march, '--format', 'table'],
    ['explain', stores],
    ['transactions', '--settlement', stores],
    ['charge', charge],
    ['nightly', '--out', '/nonexistent/days', '--since', '2026-03-01'],
  ];

  test.each(commands.map((args) => [args.slice(0, 2).join(' '), args] as const))(
    'is reported with both names and the ways to choose: %s',
    async (_, args) => {
      const config = await configuration(two);
      const result = await runRecon([...args, '--config', config]);
      expect(result).toMatchObject({ exitCode: 2, stdout: '' });
      const [headline = ''] = result.stderr.split('\n');
      expect(headline).toMatch(/no profile chosen/i);
      expect(headline).toContain('main');
      expect(headline).toContain('japan');
      expect(headline).not.toContain('base_url');
      for (const way of ['--profile', 'RECON_PROFILE', 'default_profile']) {
        expect(result.stderr).toContain(way);
      }
    },
  );

  test('is not reported if one is chosen, in any of these ways, or only one exists', async () => {
    const config = await configuration(two);
    const run = (args: readonly string[], env = {}) =>
      runRecon(['config', 'show', '--format', 'csv', ...args], { env });
    const chosen = [
      await run(['--config', config, '--profile', 'japan']),
      await run(['--config', config], { RECON_PROFILE: 'japan' }),
      await run(['--config', await configuration(`default_profile = "japan"\n${two}`)]),
      await run(['--config', await configuration(profileOf('japan', 'http://127.0.0.1:1'))]),
    ];
    for (const result of chosen) {
      expect(said(result)).toContain('japan');
      expect(said(result)).not.toMatch(/no profile chosen/i);
    }
  });

  test('is not reported if the only profile lacks its address, which is named', async () => {
    const config = await configuration('[profiles.main]\nclient_id = "shop"\n');
    const result = await runRecon(['settlements', ...march, '--config', config]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('base_url');
    expect(result.stderr).not.toMatch(/no profile chosen/i);
  });
});

describe('a pasted id', () => {
  const pasted = (id: string): readonly string[] => [
    ` ${id}`,
    `${id} `,
    `\t${id}\n`,
    `"${id}"`,
    `'${id}'`,
    `{${id}}`,
    `“${id}”`,
    `‘${id}’`,
    ` "{${id}}" `,
    `\u00a0${id}\u00a0`,
    `${id},`,
  ];

  test.each(pasted(stores))('is read without the characters around it: explain %j', async (id) => {
    const result = await runRecon(['explain', id, '--sandbox']);
    expect(result.stderr).not.toMatch(/command-argument|is invalid/i);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain(stores);
  });

  test.each(pasted(stores).filter((_, index) => index % 2 === 1))(
    'is read without the characters around it: transactions --settlement %j',
    async (id) => {
      const result = await runRecon(['transactions', '--settlement', id, '--sandbox']);
      expect(result.exitCode).toBe(0);
      expect(result.stdout.split('\n').length).toBeGreaterThan(30);
    },
  );

  test.each([`{${charge}}`, ` ${charge} `])(
    'is read without the characters around it: charge %j',
    async (id) => {
      const result = await runRecon(['charge', id, '--sandbox', '--scenario', 'charges']);
      expect(result.exitCode).toBe(0);
      expect(result.stdout).toContain(charge);
    },
  );

  test.each([`"${stores}"`, ` ${stores} `])(
    'is read without the characters around it: accept %j',
    async (id) => {
      const register = join(await temporaryFolder(), 'accepted.csv');
      const result = await runRecon([
        ...['accept', id, '--sandbox', '--accepted', register],
        ...['--difference', '82.79', '--reason', 'known'],
      ]);
      expect(result.exitCode).toBe(0);
      expect(await readFile(register, 'utf8')).toContain(`,${stores},`);
    },
  );

  test.each([
    'be67857',
    'be678572-cc4e-5b84-ae52-bdd95f9ee0d-',
    `${stores}${stores}`,
    'PMT-20260310-11',
    '{}',
    '',
  ])('that is invalid is refused: %j', async (id) => {
    const result = await runRecon(['explain', id, '--sandbox']);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain('UUID');
  });

  test.each(['be678572', 'be678572-cc4e-5b84-ae52-bdd95f9ee0d'])(
    'that begins the id of one settlement names it: %s',
    async (id) => {
      const { exitCode, stdout } = await runRecon(['explain', id, '--sandbox']);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('be678572-cc4e-5b84-ae52-bdd95f9ee0dd');
    },
  );

  test('that is unknown may be the id of a transaction or a charge, and the error says so', async () => {
    const unknown = 'be678572-cc4e-5b84-ae52-bdd95f9ee0d0';
    for (const args of [
      ['explain', unknown],
      ['transactions', '--settlement', unknown],
      [
        ...['accept', unknown, '--difference', '1.00', '--reason', 'known'],
        ...['--accepted', join(await temporaryFolder(), 'accepted.csv')],
      ],
    ]) {
      const result = await runRecon([...args, '--sandbox']);
      expect(result.exitCode).toBe(4);
      expect(result.stderr).toContain(unknown);
      expect(result.stderr).toMatch(/\btransaction\b/);
      expect(result.stderr).toMatch(/\bcharge\b/);
    }
  });
});

describe('a wrong path in base_url', () => {
  test.each(['/v1', '/v1/', '/v1/merchant', '/api'])(
    '%s is named with its source and with what recon adds',
    async (path) => {
      const { sandbox } = await startService('balanced');
      const url = `${sandbox.baseUrl}${path}`;
      const env = { ...connectionTo(sandbox.baseUrl), RECON_BASE_URL: url };
      const fromEnvironment = await runRecon(['settlements', ...march], { env });
      expect(fromEnvironment.exitCode).toBeGreaterThan(1);
      expect(fromEnvironment.stderr).toContain('/v1/merchant/settlement');
      expect(fromEnvironment.stderr).toContain('RECON_BASE_URL');
      expect(hintOf(fromEnvironment)).not.toContain('auth_url');

      const profile = profileOf('main', sandbox.baseUrl).replace(
        `base_url = "${sandbox.baseUrl}"`,
        `base_url = "${url}"`,
      );
      const config = await configuration(profile);
      const fromFile = await runRecon(['settlements', ...march, '--config', config]);
      expect(fromFile.stderr).toContain('base_url');
      expect(fromFile.stderr).toContain(config);
      expect(hintOf(fromFile)).not.toContain('auth_url');
    },
  );

  test('is not reported as one in auth_url, nor the other way round', async () => {
    const { sandbox } = await startService('balanced');
    const env = {
      ...connectionTo(sandbox.baseUrl),
      RECON_AUTH_URL: `${sandbox.baseUrl}/oauth/token`,
    };
    const result = await runRecon(['settlements', ...march], { env });
    expect(result.exitCode).toBeGreaterThan(1);
    expect(result.stderr).toContain('RECON_AUTH_URL');
    expect(result.stderr).toContain('/oauth/token');
    expect(hintOf(result)).not.toContain('base_url');
  });
});

/** What to do, without where it happened. */
function hintOf({ stderr }: RunResult): string {
  return stderr
    .split('\n')
    .filter((line) => !/^ *at: /.test(line))
    .join('\n');
}

describe('a configuration file that is not TOML', () => {
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['an unclosed quote', '[profiles.main]\nclient_id = "shop\nclient_secret = "x"\n', 2, /quote/i],
    ['an unclosed quote at the end', '[profiles.main]\nclient_id = "shop', 2, /quote/i],
    ['an unclosed single quote', "[profiles.main]\nclient_id = 'shop\n", 2, /quote/i],
    ['`14 days` without quotes', '[profiles.main]\n\npending_days = 14 days\n', 3, /quote|number/i],
    ['`90 s` without quotes', '[profiles.main]\ntimeout = 90 s\n', 2, /quote|90s/i],
    ['a word without quotes', '[profiles.main]\ntime_zone = Europe/Madrid\n', 2, /quote/i],
  ];

  test.each(cases)('is reported with line and cause: %s', async (_, text, line, missing) => {
    const config = await configuration(text);
    const result = await runRecon(['settlements', ...march, '--config', config]);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    const [headline = ''] = result.stderr.split('\n');
    expect(headline).toMatch(new RegExp(`\\bline ${line}\\b`));
    expect(headline).toMatch(missing);
    expect(headline).not.toMatch(/control characters|key-value|end-of-line/);
  });

  test('is reported without quotation marks if they are not the cause', async () => {
    const config = await configuration('[profiles.main]\nclient_id = "a"\nclient_id = "b"\n');
    const result = await runRecon(['settlements', ...march, '--config', config]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr.split('\n')[0]).not.toMatch(/quote/i);
    expect(result.stderr.split('\n')[0]).toMatch(/\bline 3\b/);
  });

  test('with `14 days` in quotes is refused as a number of days', async () => {
    const config = await configuration('[profiles.main]\npending_days = "14 days"\n');
    const result = await runRecon(['config', 'show', '--config', config]);
    expect(said(result)).toContain('pending_days');
    expect(result.exitCode).toBe(2);
  });
});

describe('a range in the future', () => {
  test.each([
    ['settlements', ['--month', '2027-01']],
    ['settlements', ['--from', '2026-05-01', '--to', '2026-05-31']],
    ['transactions', ['--month', '2026-05']],
    ['explain', ['--month', '2027-01']],
  ] as const)('is reported: %s %o', async (command, range) => {
    const result = await runRecon([command, ...range, '--sandbox']);
    expect(said(result)).toMatch(/\bfuture\b/i);
  });

  test.each([
    [['--month', '2026-02']],
    [['--month', '2025-12']],
    [['--on', '2026-03-01']],
  ] as const)('is not reported for a range without settlements: %o', async (range) => {
    const result = await runRecon(['settlements', ...range, '--sandbox']);
    expect(result.exitCode).toBe(0);
    expect(said(result)).not.toMatch(/\bfuture\b/i);
  });
});

describe('an export', () => {
  test('is verified as audit reads it: --verify FOLDER', async () => {
    const folder = join(await temporaryFolder(), 'days');
    await runRecon(['export', '--sandbox', '--scenario', 'balanced', '--out', folder]);
    const before = await runRecon(['export', '--verify', '--out', folder, '--json']);
    expect(before.exitCode).toBe(0);
    expect(await runRecon(['export', '--verify', folder, '--json'])).toEqual(before);
    const [day] = ['2026-03-02', '2026-03-03', '2026-03-04'];
    await appendFile(join(folder, day ?? '', 'settlements.csv'), ' ');
    const after = await runRecon(['export', '--verify', folder]);
    expect(after.exitCode).toBe(4);
  });

  test('that is named twice, or not at all, is refused', async () => {
    const folder = join(await temporaryFolder(), 'days');
    for (const args of [
      ['export', '--verify'],
      ['export', '--verify', folder, '--out', `${folder}-other`],
      ['export', folder, '--sandbox'],
    ]) {
      expect(await runRecon(args)).toMatchObject({ exitCode: 2, stdout: '' });
    }
  });

  test.each([
    ['settlements', '--from-export'],
    ['transactions', '--from-export'],
    ['journal', '--from-export'],
    ['explain', '--from-export'],
  ])('that is damaged has its file in the headline: %s', async (command, flag) => {
    const folder = join(await temporaryFolder(), 'days');
    await runRecon(['export', '--sandbox', '--scenario', 'balanced', '--out', folder]);
    const file = join('2026-03-04', 'transactions.csv');
    await appendFile(join(folder, file), 'x');
    const more = command === 'journal' ? ['--for', 'csv', '--sandbox'] : [];
    const args = [command, ...march, flag, folder, ...more].filter((arg) => arg !== '--sandbox');
    const env = {
      RECON_BOOKS: JSON.stringify({
        ...{ in_transit: 'a', bank: 'b', fees: 'c', tax: 'd', receivable: 'e', suspense: 'f' },
        accepted: 'g',
      }),
    };
    const result = await runRecon(args, { env });
    expect(result.exitCode).toBe(4);
    const headline = result.stderr.split('\n').find((line) => line.startsWith('error:')) ?? '';
    expect(headline).toContain(file);
  });
});

describe('--output', () => {
  test.each([
    ['settlements', 'march.xlsx'],
    ['settlements', 'march.csv'],
    ['transactions', 'march.csv'],
    ['bank', 'bank.html'],
    ['explain', 'case.md'],
  ])('confirms the file on a terminal: %s %s', async (command, name) => {
    const output = join(await temporaryFolder(), name);
    const result = await runRecon([command, '--sandbox', '--output', output], {
      columns: 200,
      stderrColumns: 200,
      env: { NO_COLOR: '1', CI: 'true' },
    });
    expect(result.exitCode).toBeLessThan(2);
    expect(said(result)).toContain(output);
  });

  test('prints no confirmation with --quiet', async () => {
    const output = join(await temporaryFolder(), 'march.csv');
    const args = ['settlements', '--sandbox', '--scenario', 'balanced', '--output', output];
    const { stdout, stderr } = await runRecon([...args, '--quiet'], {
      columns: 200,
      stderrColumns: 200,
      env: { NO_COLOR: '1', CI: 'true' },
    });
    expect(stdout + stderr).toBe('');
  });
});

describe('recon explain', () => {
  test('suggests to accept a difference without a cause, as a command to paste', async () => {
    const args = ['--sandbox', '--scenario', 'fee-off-by-one'];
    const result = await runRecon(['explain', '--month', '2026-03', ...args]);
    const [, command = ''] =
      /> (recon accept [^\n]*(?:\n {4,}\S[^\n]*)*)/.exec(result.stdout) ?? [];
    const words = command.replace(/\s+/g, ' ');
    expect(words).toContain('08e05ba2-b922-594e-a736-ec551db3e3c5');
    expect(words).toMatch(/--difference -0\.01\b/);
    expect(words).toContain('--reason');
    expect(words).toContain('--scenario fee-off-by-one');
  });

  test('suggests no acceptance for a certain cause, or for a pending settlement', async () => {
    const certain = await runRecon([
      'explain',
      ...march,
      '--sandbox',
      '--scenario',
      'declined-rows',
    ]);
    expect(certain.stdout).not.toContain('recon accept');
    const pending = await runRecon([
      ...['explain', '--sandbox', '--scenario', 'pending', ...march],
    ]);
    expect(pending.stdout).not.toContain('recon accept');
  });
});

describe('a missing register', () => {
  test('is not mentioned before the first acceptance', async () => {
    const folder = await temporaryFolder();
    const { sandbox } = await startService('balanced');
    const config = await configuration(
      profileOf('main', sandbox.baseUrl, 'accepted = "accepted.csv"'),
    );
    for (const args of [
      ['settlements', ...march],
      ['explain', ...march],
      ['nightly', '--out', join(folder, 'days'), '--since', '2026-03-25'],
    ]) {
      const { stderr } = await runRecon([...args, '--config', config]);
      expect(stderr).not.toMatch(/nothing is accepted|missing or empty/i);
    }
    const env = { ...connectionTo(sandbox.baseUrl), RECON_ACCEPTED: join(folder, 'none.csv') };
    const { stderr } = await runRecon(['settlements', ...march], { env });
    expect(stderr).not.toMatch(/nothing is accepted|missing or empty/i);
  });

  test('is different from a register with a malformed line, which is named', async () => {
    const register = join(await temporaryFolder(), 'accepted.csv');
    await runRecon([
      ...['accept', stores, '--sandbox', '--accepted', register, '--difference', '82.79'],
      ...['--reason', 'known', '--until', '2026-12-31'],
    ]);
    const text = await readFile(register, 'utf8');
    await writeFile(register, text.replace('2026-12-31', '31.12.2026'));
    const { exitCode, stderr } = await runRecon([
      ...['settlements', '--sandbox', '--accepted', register],
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(register);
    expect(stderr).toContain('31.12.2026');
  });
});

describe('recon nightly', () => {
  test('shows an overdue settlement with its age, its pay-in and its account', async () => {
    const folder = await temporaryFolder();
    const { stdout } = await runRecon([
      ...['nightly', '--sandbox', '--scenario', 'overdue'],
      ...['--out', join(folder, 'n'), '--since', '2026-03-01'],
    ]);
    const from = stdout.indexOf('43d74df4-a620-5e95-93a9-488a7354489c');
    const to = stdout.indexOf('16a94141-e445-5516-aa76-03c128a5901a');
    expect(from).toBeGreaterThan(0);
    const item = stdout
      .slice(stdout.lastIndexOf('\n', from), stdout.lastIndexOf('\n', to))
      .replace(/\s+/g, ' ');
    expect(item).toMatch(/\b27 days\b/);
    expect(item).toContain('97.00');
    expect(item).toContain('Web shop');
    const yen = stdout
      .slice(stdout.lastIndexOf('\n', to), stdout.indexOf('ea2ad217'))
      .replace(/\s+/g, ' ');
    expect(yen).toMatch(/\b22 days\b/);
    expect(yen.replaceAll(',', '')).toContain('4850');
    expect(yen).toContain('Japan');
  });
});

describe('recon doctor', () => {
  test('reports a name for an accounting token that never occurs', async () => {
    const { sandbox } = await startService('month');
    const unknown = '00000000-1111-4222-8333-444444444444';
    const env = {
      ...connectionTo(sandbox.baseUrl),
      RECON_NAMES: JSON.stringify({
        [unknown]: 'Old shop',
        '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601': 'Web shop',
      }),
    };
    const { stdout } = await runRecon(['doctor', '--days', '40', '--json'], { env });
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly unknown[] };
    const about = (text: string) => checks.filter((check) => JSON.stringify(check).includes(text));
    expect([...about('Old shop'), ...about(unknown)]).not.toEqual([]);
    expect(about('Web shop')).toEqual([]);
  });
});

describe('the report of a settlement whose sums agree', () => {
  const scenarios = [
    ['month', march],
    ['foreign-currency-row', march],
    ['service-says-out-of-balance', march],
    ['service-says-settled', march],
    ['foreign-settlement-row', march],
    ['conflicting-row', march],
    ['conflicting-header', march],
    ['unknown-status', march],
    ['shared-transaction', march],
    ['contradicting-header', march],
    ['pending', march],
  ] as const;

  test.each(scenarios)(
    'names the checks that are out of balance, not the sums (%s)',
    async (scenario, range) => {
      for (const command of ['settlements', 'explain']) {
        const { stdout, stderr } = await runRecon(
          [command, ...range, '--sandbox', '--scenario', scenario],
          { columns: 120, env: { NO_COLOR: '1' } },
        );
        expect(stdout + stderr).not.toMatch(/the\s+sums\s+say/i);
      }
    },
  );

  test('shows beside the sums what the checks say', async () => {
    const id = 'b13e5c60-40c1-58ed-90d5-7eaf905f8d4f';
    const { stdout } = await runRecon(['explain', id, '--sandbox']);
    expect(stdout).toMatch(/All sums agree/);
    expect(stdout).toMatch(/The checks say +out of balance/);
  });

  test('keeps the column sums_say and the field sumsSay', async () => {
    const csv = await runRecon(['settlements', '--sandbox', '--on', '2026-03-12']);
    expect(csv.stdout.split('\r\n')[0]).toContain(',sums_say,');
    const json = await runRecon(['settlements', '--sandbox', '--on', '2026-03-12', '--json']);
    expect(json.stdout).toContain('"sumsSay": "out_of_balance"');
  });
});

describe('a run that exceeds its time limit', () => {
  const id = (number: number) => `0000000${number}-0000-4000-8000-000000000001`;

  /** Lists four settlements; the rows of the last never come. */
  const answer = ({ path, text }: { readonly path: string; readonly text: string }) => {
    const asked = JSON.parse(text || '{}') as { offset?: number; settlementId?: string };
    if ((asked.offset ?? 0) > 0) return wrapped([]);
    if (path.endsWith('/transactions')) {
      return asked.settlementId === id(4) ? undefined : wrapped([row(asked.settlementId ?? '')]);
    }
    return wrapped([1, 2, 3, 4].map(header));
  };

  const header = (number: number) => ({
    ...{ settlementId: id(number), paymentService: 'cards', merchantId: 'M-1' },
    ...{ accountingToken: id(9), settlementStatus: 'settled', currencyCode: 'EUR' },
    ...{ settlementDate: `2026-03-0${number}T06:00:00Z`, decimalPlaces: 2, totalTransactions: 1 },
    ...{ amountGross: 1000, fees: 25, tax: 5, amountPayIn: 970 },
    ...{ paymentEndToEndIds: [`E2E-${number}`], paymentReferences: [`PMT-${number}`] },
  });

  const row = (settlementId: string) => ({
    ...{ chargeId: id(8), transactionId: settlementId.replace('0001', '0002'), orderId: id(7) },
    ...{ timestamp: '2026-03-01T06:00:00Z', transactionType: 'purchase', paymentType: 'card' },
    ...{ amount: 1000, fees: 25, tax: 5, decimalPlaces: '2', currencyCode: 'EUR' },
    ...{ state: 'approved', notes: [], settlementId },
  });

  test('says how far it got', async () => {
    const { env } = await startServer(afterToken(answer));
    const args = ['settlements', ...march, '--timeout', '1s', '--format', 'csv'];
    const result = await runRecon(args, { env });
    expect(result.exitCode).toBe(4);
    const message = result.stderr.replace(/\d{4}-\d\d-\d\d/g, 'DAY').replace(/\s+/g, ' ');
    // Three of four settlements were read, with three of four transactions.
    expect(message).toMatch(/\b[34] (?:of|settlements?|transactions?|rows?)\b/);
  });
});
