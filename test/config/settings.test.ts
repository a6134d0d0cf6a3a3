import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveSettings } from '../../src/config/settings.ts';
import type { SettingFlags } from '../../src/config/table.ts';
import { orderPresets } from '../../src/orders/presets.ts';
import { settlementPresets } from '../../src/provided/presets.ts';

const PATH = '/usr/bin:/bin';
const connectionEnv = {
  RECON_BASE_URL: 'https://api.example.com/',
  RECON_AUTH_URL: 'https://auth.example.com',
  RECON_CLIENT_ID: 'env-id',
  RECON_CLIENT_SECRET: 'env-s3cret',
  RECON_AUDIENCE: 'env-audience',
};
const wholeProfile = `
[profiles.shop]
base_url = "https://shop.example.com/es"
auth_url = "https://auth.shop.example.com/"
client_id = "file-id"
client_secret = "file-s3cret"
audience = "file-audience"
`;

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'recon-config-'));
  file = join(home, '.config/recon/config.toml');
});
afterEach(() => rm(home, { recursive: true }));

async function writeConfig(toml: string, mode = 0o600, path = file) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, toml);
  await chmod(path, mode);
}

const resolve = (flags: SettingFlags = {}, env: Record<string, string> = {}) =>
  resolveSettings({ flags, env, home, uid: undefined });

const fails = (
  work: Promise<unknown>,
  failure: string,
  message: string,
  rest: { where?: string; hint?: string } = {},
) =>
  expect(work).rejects.toMatchObject({
    failure,
    message: expect.stringContaining(message),
    where: expect.stringContaining(rest.where ?? ''),
    hint: expect.stringContaining(rest.hint ?? ''),
  });

describe('preferences', () => {
  test('have defaults that need no file', async () => {
    const settings = await resolve();
    expect(settings.preferences).toEqual({
      auth: 'v2',
      charge_auth: 'v2',
      names: new Map(),
      identity: 'gross-fees-tax',
      tolerance: 0n,
      ignore: [],
      expected_scales: new Map(),
      accepted: undefined,
      rules: {},
      time_zone: 'UTC',
      pending_days: 14,
      restated_days: 7,
      swept_days: 30,
      heartbeat_failure: '/fail',
      parquet: false,
      refund_types: [],
      purchase_types: [],
      chargeback_types: [],
      settlement_files: undefined,
      settlements_csv: undefined,
      statements: undefined,
      bank_csv: {},
      bank_rules: [],
      orders: undefined,
      orders_csv: undefined,
      agreed_rates: [],
      agreed_fees: [],
      settle_days: 7,
      order_tolerance: new Map(),
      books_from: undefined,
      booked: undefined,
      closes: undefined,
      closed_through: undefined,
      payout_accounts: [],
      holidays: new Map(),
      concurrency: 8,
      timeout: undefined,
    });
    expect(settings.profile).toBeUndefined();
    expect(settings.file).toEqual({ path: file, origin: 'default' });
    for (const { origin, value } of await settings.show()) {
      expect(origin).toBe(value === undefined ? undefined : 'default');
    }
  });

  test('may have holidays in a file, relative to the configuration file', async () => {
    await writeConfig(`[profiles.shop]
      holidays = "holidays.txt"`);
    const days = '# Closed\nJPY: 2026-03-20, 2026-04-29\n2026-12-31\n';
    await writeFile(join(dirname(file), 'holidays.txt'), days, { mode: 0o600 });
    const { holidays } = (await resolve()).preferences;
    expect(holidays).toEqual(
      new Map([
        ['JPY', new Set(['2026-03-20', '2026-04-29'])],
        ['', new Set(['2026-12-31'])],
      ]),
    );
    await writeFile(join(dirname(file), 'holidays.txt'), '20 March');
    await expect(resolve()).rejects.toThrow('holidays must list days');
  });

  test('come from the flag, else from the profile, else from the default', async () => {
    await writeConfig(`[profiles.shop]
      identity = "off"
      tolerance = 3
      ignore = ["count"]
      expected_scales = { JPY = 2 }
      pending_days = 30
      restated_days = 0
      swept_days = 10
      parquet = true
      refund_types = ["refund", "chargeback"]
      statements = "bank"
      bank_csv = {}
      payout_accounts = ["DE89370400440532013000"]
      holidays = ["2026-12-31", "JPY 2026-03-20"]
      accepted = "accepted.csv"
      rules = { not_counted = [{ state = "declined" }], signs = [], tax_in_fees = "moved" }
      time_zone = "Europe/Madrid"
      concurrency = 2
      timeout = "10m"
      names = { ACC1 = "Shop" }
    `);
    const fromProfile = await resolve();
    expect(fromProfile.preferences).toEqual({
      auth: 'v2',
      charge_auth: 'v2',
      names: new Map([['ACC1', 'Shop']]),
      identity: 'off',
      tolerance: 3n,
      ignore: ['count'],
      expected_scales: new Map([['JPY', 2]]),
      accepted: join(dirname(file), 'accepted.csv'),
      rules: { not_counted: [{ state: 'declined', count: 'follows' }], tax_in_fees: 'moved' },
      time_zone: 'Europe/Madrid',
      pending_days: 30,
      restated_days: 0,
      swept_days: 10,
      heartbeat_failure: '/fail',
      parquet: true,
      refund_types: ['refund', 'chargeback'],
      purchase_types: [],
      chargeback_types: [],
      statements: join(dirname(file), 'bank'),
      bank_csv: {},
      bank_rules: [],
      orders: undefined,
      orders_csv: undefined,
      agreed_rates: [],
      agreed_fees: [],
      settle_days: 7,
      order_tolerance: new Map(),
      books_from: undefined,
      booked: undefined,
      closes: undefined,
      closed_through: undefined,
      payout_accounts: ['DE89370400440532013000'],
      holidays: new Map([
        ['', new Set(['2026-12-31'])],
        ['JPY', new Set(['2026-03-20'])],
      ]),
      concurrency: 2,
      timeout: 600_000,
    });
    const flags = { identity: 'gross-fees', tolerance: '0', ignore: ['gross', 'fees'] };
    const fromFlags = await resolve({ ...flags, concurrency: '1', timeout: 'none' });
    expect(fromFlags.preferences).toMatchObject({
      identity: 'gross-fees',
      tolerance: 0n,
      ignore: ['gross', 'fees'],
      time_zone: 'Europe/Madrid',
      concurrency: 1,
      timeout: undefined,
    });
    const shown = await fromFlags.show();
    const originOf = (name: string) => shown.find(({ key }) => key === name)?.origin;
    expect(originOf('identity')).toBe('flag --identity');
    expect(originOf('time_zone')).toBe(`profile shop in ${file}`);
  });

  test('are refused with the flag or the profile if they are wrong', async () => {
    await fails(resolve({ identity: 'gros-fees' }), 'usage', 'gros-fees', {
      where: 'flag --identity',
      hint: 'Did you mean gross-fees?',
    });
    await writeConfig('[profiles.shop]\nconcurrency = 0');
    await fails(resolve(), 'configuration', 'concurrency', { where: `profile shop in ${file}` });
  });
});

describe('the environment', () => {
  const rules = '{"not_counted":[{"state":"declined"}],"signs":[],"tax_in_fees":"moved"}';
  const all = {
    RECON_AUTH: 'v1',
    RECON_CHARGE_AUTH: 'v2',
    RECON_NAMES: '{"ACC1":"Shop"}',
    RECON_IDENTITY: 'off',
    RECON_TOLERANCE: '3',
    RECON_IGNORE: 'count,tax',
    RECON_EXPECTED_SCALES: 'JPY=2,KWD=2',
    RECON_ACCEPTED: 'accepted.csv',
    RECON_RULES: rules,
    RECON_TIME_ZONE: 'Europe/Madrid',
    RECON_PENDING_DAYS: '30',
    RECON_RESTATED_DAYS: '366',
    RECON_SWEPT_DAYS: '0',
    RECON_HEARTBEAT_FAILURE: '?status=down&msg={cause}',
    RECON_PARQUET: 'true',
    RECON_REFUND_TYPES: 'refund, chargeback',
    RECON_PURCHASE_TYPES: 'purchase',
    RECON_CHARGEBACK_TYPES: 'chargeback',
    RECON_ORDERS: 'orders/',
    RECON_ORDERS_CSV: '{"preset":"magento","currency":"EUR","methods":["Cards"]}',
    RECON_SETTLE_DAYS: '5',
    RECON_ORDER_TOLERANCE: 'EUR=1',
    RECON_SETTLEMENT_FILES: 'adyen',
    RECON_SETTLEMENTS_CSV: '{"preset":"adyen","delimiter":";"}',
    RECON_STATEMENTS: 'march.xml',
    RECON_BANK_CSV: '{"date":"Date","amount":"Amount","currency":"EUR"}',
    RECON_BANK_RULES: '[{"text":"fee","unrelated":true}]',
    RECON_AGREED_RATES: '[{"name":"cards","currency":"EUR","percent":"1.4"}]',
    RECON_AGREED_FEES: '[{"name":"rent","every":"month","amount":"29.00","currency":"EUR"}]',
    RECON_BOOKS: '{"bank": "1200", "currency": {"JPY": {"bank": "1210"}}}',
    RECON_HOLIDAYS: 'JPY 2026-03-20, 2026-04-29',
    RECON_PAYOUT_ACCOUNTS: 'DE89370400440532013000,GB29NWBK60161331926819',
    RECON_BOOKS_FROM: '{"day": "2026-03-01", "opening": {"token": {"EUR": "12.30"}}}',
    RECON_BOOKED: 'booked.csv',
    RECON_CLOSES: 'closes.csv',
    RECON_CLOSED_THROUGH: '2026-03-31',
    RECON_CONCURRENCY: '2',
    RECON_TIMEOUT: '10m',
  };
  const understood = {
    auth: 'v1',
    charge_auth: 'v2',
    names: new Map([['ACC1', 'Shop']]),
    identity: 'off',
    tolerance: 3n,
    ignore: ['tax', 'count'],
    expected_scales: new Map([
      ['JPY', 2],
      ['KWD', 2],
    ]),
    accepted: 'accepted.csv',
    rules: { not_counted: [{ state: 'declined', count: 'follows' }], tax_in_fees: 'moved' },
    time_zone: 'Europe/Madrid',
    pending_days: 30,
    restated_days: 366,
    swept_days: 0,
    heartbeat_failure: '?status=down&msg={cause}',
    parquet: true,
    refund_types: ['refund', 'chargeback'],
    purchase_types: ['purchase'],
    chargeback_types: ['chargeback'],
    orders: 'orders/',
    orders_csv: {
      ...{ order: 'ID', date: 'Purchase Date', date_format: 'MMM D, YYYY', currency: 'EUR' },
      ...{ total: 'Grand Total (Purchased)', method: 'Payment Method', methods: ['Cards'] },
      ...{ status: 'Status', refunded: 'Total Refunded', only: {} },
      cancelled_words: orderPresets.magento.cancelled_words,
      unpaid_words: orderPresets.magento.unpaid_words,
      ...{ delimiter: ',', decimal: '.', header: true, skip_lines: 0, strip_zeros: false },
      ...{ not_due: [], refund_words: [], note: 'merchant_order_ref' },
    },
    settle_days: 5,
    order_tolerance: new Map([['EUR', 1]]),
    bank_rules: [{ text: 'fee', unrelated: true }],
    agreed_rates: [
      {
        ...{ name: 'cards', currency: 'EUR', percent: '1.4' },
        ...{ day: 'row', round: 'sum', sign: 'charged' },
      },
    ],
    agreed_fees: [{ name: 'rent', every: 'month', amount: '29.00', currency: 'EUR' }],
    settlement_files: 'adyen',
    settlements_csv: {
      open_words: [],
      inverted: false,
      payout_unsigned: false,
      fee_ids: false,
      ...settlementPresets.adyen,
      ...{ header: true, delimiter: ';', decimal: '.', skip_lines: 0 },
    },
    statements: 'march.xml',
    bank_csv: {
      '': {
        ...{ date: 'Date', amount: 'Amount', currency: 'EUR', header: true, inverted: false },
        ...{ delimiter: ',', decimal: '.', date_format: 'YYYY-MM-DD', skip_lines: 0 },
        ...{ texts: [], references: [], debit_words: [], credit_words: [], booked_words: [] },
        ...{ pending_words: [], ignored_words: [], opening_words: [], closing_words: [] },
      },
    },
    books: { bank: '1200', currency: { JPY: { bank: '1210' } } },
    payout_accounts: ['DE89370400440532013000', 'GB29NWBK60161331926819'],
    holidays: new Map([['JPY', new Set(['2026-03-20', '2026-04-29'])]]),
    books_from: { day: '2026-03-01', opening: { token: { EUR: '12.30' } } },
    booked: 'booked.csv',
    closes: 'closes.csv',
    closed_through: '2026-03-31',
    concurrency: 2,
    timeout: 600_000,
  };

  test('holds every preference, and outranks the profile', async () => {
    expect(Object.keys(all)).toHaveLength(Object.keys((await resolve()).preferences).length);
    await writeConfig('[profiles.shop]\nrules = { tax_in_fees = "also_in_rows" }\ntolerance = 1');
    const settings = await resolve({}, all);
    expect(settings.preferences).toEqual(understood);
    for (const { key, value, origin } of await settings.show()) {
      if (key === 'profile' || value === undefined) continue;
      const name = key.toUpperCase().replace(/\..*/, '');
      expect(origin).toBe(`environment RECON_${name}`);
    }
    expect((await resolve({ tolerance: '5' }, all)).preferences.tolerance).toBe(5n);
  });

  test('may name a file for each preference', async () => {
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(all)) {
      const path = join(home, name);
      await writeFile(path, `${value}\n`);
      env[`${name}_FILE`] = path;
    }
    expect((await resolve({}, env)).preferences).toEqual(understood);
  });

  test('counts as not set if it is empty', async () => {
    const empty = Object.fromEntries(Object.keys(all).map((name) => [name, '']));
    expect((await resolve({}, empty)).preferences).toEqual((await resolve()).preferences);
  });

  test.each([
    ['NAMES', 'A=Shop', 'names must be a JSON object.', 'Write it as {"TOKEN"'],
    ['NAMES', '["Shop"]', 'names must be a JSON object.', 'Write it as {"TOKEN"'],
    ['NAMES', '{"A.1":1}', 'names."A.1" must be text in quotes.', 'Write it as {"TOKEN"'],
    ['NAMES', '{"A":""}', 'names.A must not be empty.', 'Write it as {"TOKEN"'],
    ['RULES', 'declined', 'rules must be a JSON object.', '{"not_counted": [{"state"'],
    ['RULES', '{"not_count":[]}', 'Unknown setting rules.not_count.', 'mean not_counted?'],
    ['RULES', '{"signs":[{"typ":"x"}]}', 'Unknown setting rules.signs[0].typ.', 'mean type?'],
    ['RULES', '{"tax_in_fees":"x"}', 'rules.tax_in_fees must be "moved", ', 'Write it as {'],
    ['RULES', '{"not_counted":[{}]}', 'rules.not_counted[0] must name a state', 'Write it as {'],
    ['EXPECTED_SCALES', '{"JPY":2}', 'expected_scales must list', 'JPY=2 in the environment'],
    ['IGNORE', 'cont', 'Unknown value for ignore: "cont".', 'Did you mean count?'],
    ['TIME_ZONE', 'Spain', 'time_zone must be a time zone', 'Europe/Berlin'],
    ['RESTATED_DAYS', '367', 'restated_days must be a whole number of days from 0 to 366', ''],
    ['SWEPT_DAYS', '-1', 'swept_days must be a whole number of days from 0 to 366', ''],
    ['PARQUET', 'yes', 'Unknown value for parquet: "yes".', ''],
    ['CLOSED_THROUGH', '2026-02-30', 'closed_through must be a day, not "2026-02-30".', ''],
    ['PENDING_DAYS', '1.5', 'pending_days must be a whole number of days from 0 to 9999', ''],
  ])('is refused with a wrong value: RECON_%s=%s', async (name, text, message, hint) => {
    const path = join(home, 'value');
    await writeFile(path, text);
    for (const [variable, value] of [
      [`RECON_${name}`, text],
      [`RECON_${name}_FILE`, path],
    ] as const) {
      const where = `environment ${variable}`;
      await fails(resolve({}, { [variable]: value }), 'configuration', message, { where, hint });
    }
  });

  test('has advice for names like that of a setting, and not for others', async () => {
    const near = {
      RECON_TIMEZONE: 'x',
      RECON_ACCEPTED_FILES: 'x',
      RECON_CLIENT_SECRET_FIEL: 'x',
      RECON_PROFILE_FILE: 'x',
    };
    const far = {
      RECON_PORT_80_TCP: 'x',
      RECON_SERVICE_HOST: 'x',
      RECON_VERSION: 'x',
      TIMEZONE: 'x',
    };
    const settings = await resolve({}, { ...connectionEnv, ...near, ...far, RECON_JOURNAL: 'x' });
    expect(settings.advice()).toEqual([
      'RECON_TIMEZONE is not a setting. Did you mean RECON_TIME_ZONE?',
      'RECON_ACCEPTED_FILES is not a setting. Did you mean RECON_ACCEPTED_FILE?',
      'RECON_CLIENT_SECRET_FIEL is not a setting. Did you mean RECON_CLIENT_SECRET_FILE?',
      'RECON_PROFILE_FILE is not a setting. Did you mean RECON_PROFILE?',
    ]);
  });

  test('is refused if its value is the register instead of a path', async () => {
    const RECON_ACCEPTED_FILE = join(home, 'accepted.csv');
    await writeFile(RECON_ACCEPTED_FILE, 'settlement_id,reason\r\nx,y\r\n');
    await fails(resolve({}, { RECON_ACCEPTED_FILE }), 'configuration', 'must be a path', {
      hint: 'Set RECON_ACCEPTED to the path.',
    });
  });
});

describe('the place of the configuration file', () => {
  test('is the flag, else RECON_CONFIG, else the XDG folder, else the home folder', async () => {
    const place = async (name: string) => {
      const path = join(home, name);
      await writeConfig(`[profiles.${name.replace(/\W.*/, '')}]`, 0o600, path);
      return path;
    };
    const env: Record<string, string> = {};
    await writeConfig('[profiles.home]');
    expect((await resolve({}, env)).profile).toBe('home');
    env['XDG_CONFIG_HOME'] = dirname(dirname(await place('xdg/recon/config.toml')));
    expect((await resolve({}, env)).profile).toBe('xdg');
    env['RECON_CONFIG'] = await place('env.toml');
    expect((await resolve({}, env)).profile).toBe('env');
    const config = await place('flag.toml');
    const settings = await resolve({ config }, env);
    expect(settings.profile).toBe('flag');
    expect(settings.file).toEqual({ path: config, origin: 'flag --config' });
  });

  test('is never an XDG folder that is relative or empty', async () => {
    for (const XDG_CONFIG_HOME of ['', 'relative']) {
      expect((await resolve({}, { XDG_CONFIG_HOME })).file.path).toBe(file);
    }
  });

  test('must exist if it is named', async () => {
    const config = join(home, 'none.toml');
    await fails(resolve({ config }), 'usage', `Configuration file not found: ${config}.`, {
      where: 'flag --config',
    });
    await fails(resolve({}, { RECON_CONFIG: config }), 'configuration', config, {
      where: 'environment RECON_CONFIG',
    });
    expect((await resolve({}, { RECON_CONFIG: '' })).file.origin).toBe('default');
  });
});

describe('the profile', () => {
  const several = 'default_profile = "b"\n[profiles.a]\n[profiles.b]\n[profiles.c]';

  test('is the flag, else RECON_PROFILE, else the default of the file', async () => {
    await writeConfig(several);
    expect((await resolve({ profile: 'a' }, { RECON_PROFILE: 'c' })).profile).toBe('a');
    expect((await resolve({}, { RECON_PROFILE: 'c' })).profile).toBe('c');
    expect((await resolve({}, { RECON_PROFILE: '' })).profile).toBe('b');
    expect((await resolve()).profiles).toEqual(['a', 'b', 'c']);
  });

  test('is the only one of the file; if several exist, none is chosen', async () => {
    await writeConfig('[profiles.a]');
    expect((await resolve()).profile).toBe('a');
    await writeConfig('[profiles.a]\n[profiles.b]');
    const settings = await resolve();
    expect(settings.profile).toBeUndefined();
    const chosen = { hint: '--profile NAME' };
    await fails(settings.connection(), 'configuration', 'No profile chosen: a, b.', chosen);
  });

  test('is refused with the known ones if it is unknown', async () => {
    await writeConfig(several);
    const hint = `Profiles in ${file}: a, b, c.`;
    const unknown = resolve({ profile: 'toString' });
    await fails(unknown, 'usage', 'Unknown profile toString.', { where: 'flag --profile', hint });
    await fails(resolve({}, { RECON_PROFILE: 'x' }), 'configuration', 'Unknown profile x.', {
      where: 'environment RECON_PROFILE',
      hint,
    });
    await writeConfig('default_profile = "x"\n[profiles.a]');
    await fails(resolve(), 'configuration', 'Unknown profile x.', { where: 'default_profile' });
  });

  test('is not set, and no file is read, if no file is to be used', async () => {
    await writeConfig('malformed');
    const env = { RECON_PROFILE: 'x' };
    const sources = { flags: {}, env, home, uid: undefined, useFile: false };
    expect((await resolveSettings(sources)).profile).toBeUndefined();
  });

  test('is refused with the place where it belongs if no file exists', async () => {
    await fails(resolve({ profile: 'shop' }), 'usage', 'Unknown profile shop.', {
      hint: `create ${file} with [profiles.shop].`,
    });
  });
});

describe('the connection', () => {
  test('comes from the environment before the profile, for each setting', async () => {
    await writeConfig(wholeProfile);
    const fromProfile = await (await resolve()).connection();
    expect(fromProfile).toMatchObject({
      baseUrl: 'https://shop.example.com/es',
      v2: {
        authUrl: 'https://auth.shop.example.com',
        clientId: 'file-id',
        audience: 'file-audience',
      },
    });
    expect(fromProfile.v2?.clientSecret.reveal()).toBe('file-s3cret');

    const env = { RECON_CLIENT_ID: 'env-id', RECON_CLIENT_SECRET: 'env-s3cret' };
    const settings = await resolve({}, { ...env, RECON_AUDIENCE: '' });
    const mixed = await settings.connection();
    expect(mixed.v2).toMatchObject({ clientId: 'env-id', audience: 'file-audience' });
    expect(mixed.v2?.clientSecret.reveal()).toBe('env-s3cret');
    expect(mixed.v2?.origin).toBe(
      'client_id is from environment RECON_CLIENT_ID, ' +
        'client_secret is from environment RECON_CLIENT_SECRET, ' +
        `audience is from profile shop in ${file}`,
    );
    for (const key of ['base_url', 'auth_url']) {
      const origin = `profile shop in ${file}`;
      expect(await settings.show()).toContainEqual(expect.objectContaining({ key, origin }));
    }
  });

  test('needs no file, and loses a slash at the end', async () => {
    const connection = await (await resolve({}, connectionEnv)).connection();
    expect(connection.baseUrl).toBe('https://api.example.com');
  });

  test('is refused with each missing setting and where to set it', async () => {
    const env = { RECON_BASE_URL: 'https://api.example.com', RECON_CLIENT_ID: '' };
    const settings = await resolve({}, env);
    const message = 'Not set: auth_url, client_id, client_secret, audience.';
    for (const hint of [
      'RECON_AUTH_URL, RECON_CLIENT_ID, RECON_CLIENT_SECRET and RECON_AUDIENCE',
      'The secret may be in a file (client_secret_file) or from a command (client_secret_command).',
      `Run recon config init: it asks for them and writes ${file}.`,
      '--sandbox',
    ]) {
      await fails(settings.connection(), 'configuration', message, { hint, where: file });
    }
    await writeConfig('[profiles.shop]\nclient_id = "x"');
    await fails((await resolve({}, env)).connection(), 'configuration', 'auth_url, client_secret', {
      hint: '[profiles.shop]',
      where: 'profile shop',
    });
  });

  test('is refused with an invalid address and its place', async () => {
    const env = { ...connectionEnv, RECON_AUTH_URL: 'http://auth.example.com' };
    await fails((await resolve({}, env)).connection(), 'configuration', 'auth_url must start', {
      where: 'environment RECON_AUTH_URL',
    });
  });
});

describe('the two schemes', () => {
  const v1Env = { RECON_JWT_PUBLIC_KEY: 'env-key', RECON_JWT_SECRET: 'env-jwt-s3cret' };
  const base = { RECON_BASE_URL: 'https://api.example.com' };

  test('are V2 by default; charges have that of settlements unless set', async () => {
    const schemes = async (flags: SettingFlags, env: Record<string, string> = {}) =>
      (await resolve(flags, env)).schemes;
    expect(await schemes({})).toEqual({ settlements: 'v2', charges: 'v2' });
    expect(await schemes({}, { RECON_AUTH: 'v1' })).toEqual({ settlements: 'v1', charges: 'v1' });
    expect(await schemes({}, { RECON_CHARGE_AUTH: 'v1' })).toEqual({
      settlements: 'v2',
      charges: 'v1',
    });
    await writeConfig('[profiles.shop]\nauth = "v1"\ncharge_auth = "v2"');
    expect(await schemes({})).toEqual({ settlements: 'v1', charges: 'v2' });
    expect(await schemes({}, { RECON_AUTH: 'v2' })).toEqual({ settlements: 'v2', charges: 'v2' });
    expect(await schemes({ chargeAuth: 'v1' }, { RECON_CHARGE_AUTH: 'v2' })).toMatchObject({
      charges: 'v1',
    });
    const path = join(home, 'scheme');
    await writeFile(path, 'v1\n');
    expect(await schemes({}, { RECON_CHARGE_AUTH_FILE: path })).toMatchObject({ charges: 'v1' });
  });

  test('are refused with their place if they are unknown', async () => {
    await fails(resolve({ chargeAuth: 'v3' }), 'usage', 'Unknown value for charge_auth: "v3".', {
      where: 'flag --charge-auth',
    });
    await fails(
      resolve({}, { RECON_AUTH: 'jwt' }),
      'configuration',
      'Unknown value for auth: "jwt".',
      {
        where: 'environment RECON_AUTH',
      },
    );
  });

  test('need only the settings that a run uses', async () => {
    const v2 = (await resolve({ chargeAuth: 'v1' }, connectionEnv)).connection();
    expect(await v2).toMatchObject({ v2: { clientId: 'env-id' } });
    expect(await v2).not.toHaveProperty('v1');
    const env = { ...base, ...v1Env };
    const v1 = await (await resolve({ chargeAuth: 'v1' }, env)).connection(['charges']);
    expect(v1.v1?.publicKey).toBe('env-key');
    expect(v1.v1?.secret.reveal()).toBe('env-jwt-s3cret');
    expect(v1).not.toHaveProperty('v2');
    expect(v1.v1?.origin).toContain('jwt_secret is from environment RECON_JWT_SECRET');
  });

  test('are refused with missing settings, and advise V1 if only V1 is set', async () => {
    const onlyBase = (await resolve({ chargeAuth: 'v1' }, base)).connection(['charges']);
    await fails(onlyBase, 'configuration', 'Not set: jwt_public_key, jwt_secret.', {
      hint: 'in a file (jwt_secret_file) or from a command (jwt_secret_command)',
    });
    await fails(
      (await resolve({}, { ...base, ...v1Env })).connection(),
      'configuration',
      'auth_url',
      {
        hint: 'set auth = "v1"',
      },
    );
    const shown = await resolve({}, { ...connectionEnv, RECON_CHARGE_AUTH: 'v1' });
    expect(shown.advice().join()).toContain('RECON_JWT_PUBLIC_KEY and RECON_JWT_SECRET');
    expect((await resolve({}, connectionEnv)).advice()).toEqual([]);
  });

  test('read the secret of V1 as that of V2, and never show it', async () => {
    await writeConfig('[profiles.shop]\njwt_secret_command = "echo from-command"');
    const env = { ...base, RECON_JWT_PUBLIC_KEY: 'k', RECON_AUTH: 'v1', PATH };
    const connection = await (await resolve({}, env)).connection();
    expect(connection.v1?.secret.reveal()).toBe('from-command');
    const path = join(home, 'jwt');
    await writeFile(path, 'from-file\n');
    const settings = await resolve({}, { ...env, RECON_JWT_SECRET_FILE: path });
    expect((await settings.connection()).v1?.secret.reveal()).toBe('from-file');
    const shown = await settings.show();
    expect(shown).toContainEqual({
      key: 'jwt_secret',
      value: '[redacted]',
      origin: `environment RECON_JWT_SECRET_FILE (${path})`,
    });
    expect(inspect([settings, shown], { depth: null })).not.toContain('from-file');
    await writeConfig('[profiles.shop]\njwt_secret_command = "exec sleep 100"');
    const over = AbortSignal.abort(new Error('the run is over'));
    const ended = (await resolve({}, env)).connection(['settlements'], over);
    await expect(ended).rejects.toThrow('the run is over');
    await writeConfig('[profiles.shop]\njwt_secret = "x"\njwt_secret_command = "y"');
    await fails(resolve(), 'configuration', 'has jwt_secret and jwt_secret_command');
  });
});

describe('a value in its own file', () => {
  const { RECON_CLIENT_SECRET: _, ...others } = connectionEnv;
  const connect = async (
    path: string,
    env: Record<string, string> = others,
    warn?: (sentence: string) => void,
  ) => {
    const settings = await resolve({}, { ...env, RECON_CLIENT_SECRET_FILE: path });
    return settings.connection(['settlements'], undefined, warn);
  };

  test('is the content without its final newline', async () => {
    const path = join(home, 'secret');
    await writeFile(path, ' a\nb \r\n');
    const connection = await connect(path);
    expect(connection.v2?.clientSecret.reveal()).toBe(' a\nb ');
    expect(connection.v2?.origin).toContain(
      `client_secret is from environment RECON_CLIENT_SECRET_FILE (${path})`,
    );
  });

  test('must exist and not be empty', async () => {
    const path = join(home, 'secret');
    const where = 'environment RECON_CLIENT_SECRET_FILE';
    await fails(connect(path), 'configuration', `File not found: ${path}.`, { where });
    await writeFile(path, '\n');
    await fails(connect(path), 'configuration', `${path} is empty`, { where });
  });

  test.each([0o620, 0o602, 0o666])(
    'is refused if other users can change the file (mode %o)',
    async (mode) => {
      const path = join(home, 'secret');
      await writeFile(path, 'secret');
      await chmod(path, mode);
      const where = 'environment RECON_CLIENT_SECRET_FILE';
      const hint = `Run: chmod go-w ${path}`;
      await fails(connect(path), 'configuration', `The file ${path} is writable by others`, {
        where,
        hint,
      });
    },
  );

  test.each([
    [0o400, []],
    [0o640, []],
    [0o444, [expect.stringMatching(/RECON_CLIENT_SECRET_FILE is readable .*Run: chmod 600/)]],
  ])('is read if all can read it, with a warning (mode %o)', async (mode, warnings) => {
    const path = join(home, 'secret');
    await writeFile(path, 'secret');
    await chmod(path, mode);
    const heard: string[] = [];
    await connect(path, others, (sentence) => heard.push(sentence));
    expect(heard).toEqual(warnings);
  });

  test('has no warning if it is not a secret', async () => {
    const path = join(home, 'id');
    await writeFile(path, 'shop');
    await chmod(path, 0o444);
    const env = { ...connectionEnv, RECON_CLIENT_ID: '', RECON_CLIENT_ID_FILE: path };
    const heard: string[] = [];
    const settings = await resolve({}, env);
    await settings.connection(['settlements'], undefined, (sentence) => heard.push(sentence));
    expect(heard).toEqual([]);
  });

  test('is refused if the value itself is set too', async () => {
    await fails(connect('/x', connectionEnv), 'configuration', 'Both RECON_CLIENT_SECRET and', {
      hint: 'Unset one',
    });
  });
});

describe('a secret in a file that a profile names', () => {
  const { RECON_CLIENT_SECRET: _, ...others } = connectionEnv;
  const writeSecret = async (name: string, mode = 0o600) => {
    await writeConfig(`[profiles.shop]\nclient_secret_file = "${name}"`);
    const path = join(dirname(file), name);
    await writeFile(path, 'in-a-file\n');
    await chmod(path, mode);
    return path;
  };

  test('is found relative to the configuration file, or by an absolute path', async () => {
    await writeSecret('secret');
    const settings = await resolve({}, others);
    const origin = `profile shop in ${file} (client_secret_file)`;
    const connection = await settings.connection();
    expect(connection.v2?.clientSecret.reveal()).toBe('in-a-file');
    expect(connection.v2?.origin).toContain(`client_secret is from ${origin}`);
    const shown = { key: 'client_secret', value: '[redacted]', origin };
    expect(await settings.show()).toContainEqual(shown);
    await writeConfig(`[profiles.shop]\nclient_secret_file = "${join(dirname(file), 'secret')}"`);
    const again = await (await resolve({}, others)).connection();
    expect(again.v2?.clientSecret.reveal()).toBe('in-a-file');
  });

  test('has the checks of a variable, and the variable outranks it', async () => {
    const path = await writeSecret('secret', 0o444);
    const heard: string[] = [];
    const settings = await resolve({}, others);
    await settings.connection(['settlements'], undefined, (sentence) => heard.push(sentence));
    expect(heard).toEqual([
      expect.stringContaining('The file in client_secret_file is readable by all'),
    ]);
    await chmod(path, 0o620);
    const where = 'client_secret_file';
    const refused = (await resolve({}, others)).connection();
    await fails(refused, 'configuration', `The file ${path} is writable by others.`, { where });
    await rm(path);
    const missing = (await resolve({}, others)).connection();
    await fails(missing, 'configuration', `File not found: ${path}.`, { where });
    const fromEnvironment = await (await resolve({}, connectionEnv)).connection();
    expect(fromEnvironment.v2?.clientSecret.reveal()).toBe('env-s3cret');
  });
});

describe('the address for notifications', () => {
  const address = 'https://hooks.example.com/services/T0/B0/s3cret?token=s3cret';
  const revealed = async (env: Record<string, string>) =>
    (await (await resolve({}, env)).notifyUrl())?.reveal();

  test('comes from the environment, a file, a command or the profile, and is hidden', async () => {
    expect(await revealed({})).toBeUndefined();
    expect(await revealed({ RECON_NOTIFY_URL: address })).toBe(address);
    const path = join(home, 'address');
    await writeFile(path, `${address}\n`);
    await chmod(path, 0o444);
    expect(await revealed({ RECON_NOTIFY_URL_FILE: path })).toBe(address);
    await writeConfig(`[profiles.shop]\nnotify_url_command = "cat ${path}"`);
    expect(await revealed({ PATH })).toBe(address);
    await writeConfig(`[profiles.shop]\nnotify_url_file = "${path}"`);
    const warnings: string[] = [];
    const warned = await resolve();
    await warned.notifyUrl(undefined, (sentence) => warnings.push(sentence));
    expect(warnings).toEqual([expect.stringContaining('The file in notify_url_file is readable')]);
    await writeConfig(`[profiles.shop]\nnotify_url = "${address}"`);
    const settings = await resolve();
    const url = await settings.notifyUrl();
    const shown = await settings.show();
    const origin = `profile shop in ${file}`;
    expect(shown).toContainEqual({ key: 'notify_url', value: '[redacted]', origin });
    expect(inspect([settings, url, shown], { depth: null, showHidden: true })).not.toContain(
      's3cret',
    );
    await chmod(file, 0o644);
    const uid = process.getuid?.() ?? 0;
    const exposed = resolveSettings({ flags: {}, env: {}, home, uid });
    await fails(exposed, 'configuration', 'contains a notify_url and is readable by others');
  });

  test.each([
    ['hooks.example.com/s3cret', 'notify_url is not a URL.'],
    ['http://hooks.example.com/s3cret', 'notify_url must start with https://'],
    ['https://me:s3cret@example.com/', 'notify_url contains a user name or password.'],
  ])('is refused and not repeated: %s', async (RECON_NOTIFY_URL, message) => {
    const asking = (await resolve({}, { RECON_NOTIFY_URL })).notifyUrl();
    await fails(asking, 'configuration', message, { where: 'environment RECON_NOTIFY_URL' });
    const error = await asking.catch((thrown) => thrown);
    expect(inspect(error, { depth: null })).not.toContain('s3cret');
  });

  test('may be on this machine without https', async () => {
    const here = 'http://127.0.0.1:8080/hook';
    expect(await revealed({ RECON_NOTIFY_URL: here })).toBe(here);
  });
});

describe('the command that prints the secret', () => {
  const env = { ...connectionEnv, RECON_CLIENT_SECRET: '', PATH };
  const withCommand = (command: string) =>
    writeConfig(`[profiles.shop]\nclient_secret_command = '''${command}'''`);

  test('runs only for the connection', async () => {
    const trace = join(home, 'trace');
    await withCommand(`echo x >> ${trace}; wc -l < ${trace} | tr -d ' '`);
    const settings = await resolve({}, env);
    await settings.show();
    const connection = await settings.connection();
    expect(connection.v2?.clientSecret.reveal()).toBe('1');
    expect(connection.v2?.origin).toContain(
      `client_secret is from profile shop in ${file} (client_secret_command)`,
    );
  });

  test('does not run if the environment has the secret, or a setting is missing', async () => {
    await withCommand('exit 3');
    const settings = await resolve({}, { ...env, RECON_CLIENT_SECRET: 'env-s3cret' });
    expect((await settings.connection()).v2?.clientSecret.reveal()).toBe('env-s3cret');
    const missing = await resolve({}, { ...env, RECON_AUDIENCE: '' });
    await fails(missing.connection(), 'configuration', 'Not set: audience');
  });

  test('is named with its exit status, not with its output, if it fails', async () => {
    await withCommand('echo s3cret; exit 3');
    const connecting = (await resolve({}, env)).connection();
    await fails(connecting, 'configuration', 'exit status 3', { where: 'client_secret_command' });
    const error = await connecting.catch((thrown) => thrown);
    expect(inspect(error, { depth: null })).not.toContain('s3cret');
  });
});

describe('a configuration file that others can read or change', () => {
  const asUser = (by: number | undefined) => resolveSettings({ flags: {}, env: {}, home, uid: by });
  const owner = process.getuid?.() ?? 0;

  test.each([0o640, 0o604, 0o644])('is refused if it contains a secret (mode %o)', async (mode) => {
    await writeConfig(wholeProfile, mode);
    await fails(asUser(owner), 'configuration', 'is readable by others', {
      where: file,
      hint: `chmod 600 ${file}`,
    });
    expect((await asUser(undefined)).profile).toBe('shop');
  });

  test.each([0o620, 0o602, 0o666])('is refused whatever it contains (mode %o)', async (mode) => {
    for (const setting of ['client_secret_command = "x"', 'base_url = "https://example.com"']) {
      await writeConfig(`[profiles.shop]\n${setting}`, mode);
      await fails(asUser(owner), 'configuration', 'is writable by others', { hint: 'chmod 600' });
      expect((await asUser(undefined)).profile).toBe('shop');
    }
  });

  test('is read if it contains no secret, or is private', async () => {
    await writeConfig('[profiles.shop]\nclient_id = "x"', 0o644);
    expect((await asUser(owner)).profile).toBe('shop');
    await writeConfig(wholeProfile, 0o600);
    expect((await asUser(owner)).profile).toBe('shop');
    await writeConfig('[profiles.shop]\nclient_secret_command = "x"', 0o644);
    expect((await asUser(owner)).profile).toBe('shop');
  });

  test('is refused for the secret of V1 too', async () => {
    await writeConfig('[profiles.shop]\njwt_secret = "x"', 0o644);
    await fails(asUser(owner), 'configuration', 'contains a jwt_secret and is readable by others');
  });

  test('has its path quoted for the shell', async () => {
    const config = join(home, "it's here.toml");
    await writeConfig(wholeProfile, 0o644, config);
    const resolving = resolveSettings({ flags: { config }, env: {}, home, uid: owner });
    await fails(resolving, 'configuration', 'by others', { hint: "it'\\''s here.toml'" });
  });
});

describe('showing the settings', () => {
  test('shows each one with its origin, and no secret', async () => {
    await writeConfig(`${wholeProfile}names = { ACC1 = "Shop" }\nexpected_scales = { JPY = 2 }`);
    const settings = await resolve({ tolerance: '5' }, { RECON_AUDIENCE: 'env-audience' });
    const origin = `profile shop in ${file}`;
    const shown = await settings.show();
    expect(shown).toEqual([
      { key: 'profile', value: 'shop', origin: 'default' },
      { key: 'base_url', value: 'https://shop.example.com/es', origin },
      { key: 'auth_url', value: 'https://auth.shop.example.com', origin },
      { key: 'client_id', value: 'file-id', origin },
      { key: 'client_secret', value: '[redacted]', origin },
      { key: 'audience', value: 'env-audience', origin: 'environment RECON_AUDIENCE' },
      { key: 'jwt_public_key', value: undefined, origin: undefined },
      { key: 'jwt_secret', value: undefined, origin: undefined },
      { key: 'auth', value: 'v2', origin: 'default' },
      { key: 'charge_auth', value: 'v2', origin: 'default' },
      { key: 'identity', value: 'gross-fees-tax', origin: 'default' },
      { key: 'tolerance', value: '5', origin: 'flag --tolerance' },
      { key: 'ignore', value: '', origin: 'default' },
      { key: 'expected_scales', value: 'JPY=2', origin },
      { key: 'accepted', value: '', origin: 'default' },
      { key: 'time_zone', value: 'UTC', origin: 'default' },
      { key: 'pending_days', value: '14', origin: 'default' },
      { key: 'restated_days', value: '7', origin: 'default' },
      { key: 'swept_days', value: '30', origin: 'default' },
      { key: 'heartbeat_failure', value: '/fail', origin: 'default' },
      { key: 'parquet', value: 'false', origin: 'default' },
      { key: 'refund_types', value: '', origin: 'default' },
      { key: 'purchase_types', value: '', origin: 'default' },
      { key: 'chargeback_types', value: '', origin: 'default' },
      { key: 'settlement_files', value: '', origin: 'default' },
      { key: 'settlements_csv', value: '{}', origin: 'default' },
      { key: 'statements', value: '', origin: 'default' },
      { key: 'bank_csv', value: '{}', origin: 'default' },
      { key: 'bank_rules', value: '[]', origin: 'default' },
      { key: 'payout_accounts', value: '', origin: 'default' },
      { key: 'holidays', value: '', origin: 'default' },
      { key: 'orders', value: '', origin: 'default' },
      { key: 'orders_csv', value: '{}', origin: 'default' },
      { key: 'settle_days', value: '7', origin: 'default' },
      { key: 'order_tolerance', value: '', origin: 'default' },
      { key: 'agreed_rates', value: '[]', origin: 'default' },
      { key: 'agreed_fees', value: '[]', origin: 'default' },
      { key: 'books_from', value: '{}', origin: 'default' },
      { key: 'booked', value: '', origin: 'default' },
      { key: 'closes', value: '', origin: 'default' },
      { key: 'closed_through', value: 'none', origin: 'default' },
      { key: 'concurrency', value: '8', origin: 'default' },
      { key: 'timeout', value: 'none', origin: 'default' },
      { key: 'notify_url', value: undefined, origin: undefined },
      { key: 'heartbeat_url', value: undefined, origin: undefined },
      { key: 'names.ACC1', value: 'Shop', origin },
    ]);
    const connection = await settings.connection();
    const printed = [settings, connection, shown].map(
      (part) => inspect(part, { depth: null, showHidden: true }) + JSON.stringify(part, printable),
    );
    expect(printed.join()).not.toContain('s3cret');
  });

  test('leaves out settings that are not set', async () => {
    const shown = await (await resolve()).show();
    expect(shown[1]).toEqual({ key: 'base_url', value: undefined, origin: undefined });
  });
});

const printable = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;
