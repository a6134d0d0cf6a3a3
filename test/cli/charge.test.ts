import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { readLines, readRecords } from './read-report.ts';
import { afterToken, startServer } from './server.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const names = ['settled', 'refunded', 'out-of-balance', 'disputed', 'yen', 'dinar'];
const rest = ['completed', 'failed', 'unknown', 'objects', 'fraction'];
const written = (await loadScenario('charges')).charges ?? [];
/** The ids of the scenario's charges, by their names there. */
const ids: Readonly<Record<string, string>> = Object.fromEntries(
  [...names, ...rest].map((name, index) => [name, String(written[index]?.['charge_id'])]),
);
const idOf = (name: string) => ids[name] ?? name;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** `recon charge` with charges of the scenario by name. */
function charge(charges: readonly string[], args = '', options: RunOptions = {}) {
  const words = args.split(' ').filter(Boolean);
  const sandbox = ['--sandbox', '--scenario', 'charges'];
  const env = { NO_COLOR: '1' };
  return runRecon(['charge', ...charges.map(idOf), ...sandbox, ...words], { env, ...options });
}

interface JsonCharge {
  readonly chargeId: string;
  readonly [key: string]: unknown;
}

async function asJson(charges: readonly string[], args = '') {
  const run = await charge(charges, `${args} --format json`);
  const document: { charges: JsonCharge[]; failures: object[] } = JSON.parse(run.stdout);
  return { ...run, ...document };
}

describe('the outcome of a charge', () => {
  it.each([
    ['completed', 'success', true, false, 'fulfil'],
    ['settled', 'success', false, true, 'settled'],
    ['out-of-balance', 'success', false, true, 'settled'],
    ['refunded', 'refunded', false, true, 'refunded'],
    ['failed', 'failure', false, false, 'release'],
    ['unknown', 'in_progress', false, false, 'as_pending'],
  ])('%s: %s, approved %s, had been completed %s: %s', async (name, outcome, ...rules) => {
    const [approved, hadBeenCompleted, rule] = rules;
    const { exitCode, charges } = await asJson([name]);
    expect(exitCode).toBe(0);
    expect(charges).toMatchObject([
      { chargeId: idOf(name), outcome, approved, hadBeenCompleted, handling: { rule } },
    ]);
  });

  it('is in the words of doc 3.1 for every status, and approved by doc 3.3', async () => {
    const hold = 'Hold the order.';
    const wait = 'Hold the order; release it when your own payment timeout elapses.';
    const fulfil = 'Fulfil the order.';
    const settled = 'The funds are settled, about two days after completion.';
    const release = 'Release the order. The customer is not charged.';
    const refunded = 'The payment was completed, settled, then refunded.';
    const unknown = 'Unknown status: treat it as a pending payment.';
    /** Status, outcome, approved, had been completed before, handling. */
    const statuses = [
      ['created', 'in_progress', 'no', 'no', hold],
      ['pending_validation', 'in_progress', 'no', 'no', wait],
      ['validated', 'in_progress', 'no', 'no', wait],
      ['pending_authorisation', 'in_progress', 'no', 'no', wait],
      ['authorised', 'in_progress', 'no', 'no', wait],
      ['pending_completion', 'in_progress', 'no', 'no', wait],
      ['completed', 'success', 'yes', 'no', fulfil],
      ['settled', 'success', 'no', 'yes', settled],
      ['settled_out_of_balance', 'success', 'no', 'yes', settled],
      ['not_created', 'failure', 'no', 'no', release],
      ['not_validated', 'failure', 'no', 'no', release],
      ['not_authorised', 'failure', 'no', 'no', release],
      ['not_completed', 'failure', 'no', 'no', release],
      ['cancelled', 'failure', 'no', 'no', release],
      ['refunded', 'refunded', 'no', 'yes', refunded],
      ['COMPLETED', 'in_progress', 'no', 'no', unknown],
    ];
    const full = { summary: { current_order_total: 0, refunded_amount: 1000 } };
    const amountsOf = (status: string) => (status === 'refunded' ? full : {});
    const scenario = scenarioOf([], {
      charges: Object.fromEntries(
        statuses.map(([status = '']) => [status, { status, amount: 1000, ...amountsOf(status) }]),
      ),
    });
    const { env } = await startService(scenario);
    const chargeIds = (scenario.charges ?? []).map((one) => String(one['charge_id']));
    const { stdout } = await runRecon(['charge', ...chargeIds], { env });
    const columns = ['status', 'outcome', 'approved', 'had_been_completed', 'handling'];
    expect(readRecords(stdout).map((row) => columns.map((column) => row[column]))).toEqual(
      statuses,
    );
  });

  it('is shown on a screen, with the reason if the rule is surprising (trap 32)', async () => {
    const { stdout } = await charge(['settled'], '', { columns: 80 });
    expect(stdout).toContain('SUCCESS');
    expect(stdout).toMatch(/Approved +no: .*was\s+completed\s+earlier/);
    expect((await charge(['completed'], '', { columns: 80 })).stdout).toMatch(/Approved +yes/);
    const failed = await charge(['failed'], '', { columns: 80 });
    expect(failed.stdout).toMatch(/Error message +Your bank declined the payment\./);
  });

  it('names the account, the order and the last event', async () => {
    const { stdout } = await charge(['refunded'], '', { columns: 120 });
    expect(stdout).toMatch(/Account +Web shop \(3f0c7a52/);
    expect(stdout).toMatch(/merchant_order_ref +ORD-01-0002/);
    expect(stdout).toMatch(/Last event +refund \(number 4, source api\), status refunded/);
  });
});

it('the JSON of a charge has all that the document names of it (doc 2.2 to 2.5)', async () => {
  const { charges } = await asJson(['out-of-balance'], '--verbose');
  const wanted = written.find((one) => one['charge_id'] === idOf('out-of-balance'));
  const { order } = wanted as { order: { order_id: string; your_order_details: object } };
  const amount = (text: string, minor: string) => ({ amount: text, minor, currency: 'EUR' });
  const [whole, none] = [amount('40.00', '4000'), amount('0.00', '0')];
  expect(charges).toEqual([
    {
      chargeId: idOf('out-of-balance'),
      status: 'settled_out_of_balance',
      outcome: 'success',
      approved: false,
      hadBeenCompleted: true,
      handling: { rule: 'settled', message: expect.stringContaining('settled') },
      remarks: [],
      order: {
        orderId: order.order_id,
        reference: expect.stringMatching(/^order of /),
        details: order.your_order_details,
        amount: whole,
      },
      accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
      accountingName: 'Web shop',
      summaryAmounts: {
        originalOrderTotal: whole,
        currentOrderTotal: whole,
        completed: whole,
        refunded: none,
        settled: amount('39.00', '3900'),
        canceled: none,
        disputed: none,
        reconciled: none,
        reversed: none,
        outOfBalance: [amount('1.00', '100')],
        outOfBalanceOther: [],
      },
      event: { number: 4, action: 'complete', source: 'api', status: 'settled_out_of_balance' },
      errorMessage: null,
      payments: [
        {
          instrumentId: expect.any(String),
          instrumentType: 'card',
          ledgerType: 'debit',
          savedForLater: false,
          instrumentReference: 'card on file 1',
        },
      ],
      notForCustomers: {
        processingResponses: [
          {
            psp_id: 'psp-1',
            type: 'authorisation',
            status_code: '200',
            authorization_id: 'AUTH-1',
            acquirer_response_code: '00',
            network_unique_id: 'NET-1',
            psp_error: '',
          },
        ],
      },
    },
  ]);
});

describe('the amounts of a charge', () => {
  it('have two decimal places in every currency (trap 21)', async () => {
    const { stdout } = await charge(['yen', 'dinar', 'settled']);
    const settled = readRecords(stdout).map((row) => `${row['settled_amount']} ${row['currency']}`);
    expect(settled).toEqual(['4800.00 JPY', '20.12 KWD', '100.00 EUR']);
  });

  it('may be objects, or missing', async () => {
    const [row] = readRecords((await charge(['objects'])).stdout);
    expect(row).toMatchObject({
      settled_amount: '29.90',
      refunded_amount: '',
      out_of_balance_amounts: '0.10 EUR | {"reason":"rounding"}',
    });
  });

  it('that cannot be read are refused with charge and field, and --raw shows them', async () => {
    const { exitCode, stdout, stderr } = await charge(['fraction']);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toContain(
      `${idOf('fraction')} cannot be read: summary_amounts.settled_amount is 12.5`,
    );
    const raw = await charge(['fraction'], '--raw');
    expect([raw.exitCode, raw.stdout.includes('"settled_amount": 12.5')]).toEqual([0, true]);
  });
});

it('a charge that is nested without end is not shown, and recon ends with 4', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const body = `{"charge_id":"${unknownId}","more":${deep}}`;
  const { env } = await startServer(afterToken(() => ({ body })));
  const { exitCode, stdout, stderr } = await runRecon(['charge', unknownId, '--raw'], { env });
  expect([exitCode, stdout]).toEqual([4, '']);
  expect(stderr).toContain(`Charge ${unknownId} is nested too deeply to display.`);
});

describe('an unknown charge', () => {
  it('ends with 4, an error and no output', async () => {
    const { exitCode, stdout, stderr } = await charge([unknownId]);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/not found, or access to it was denied \(HTTP 404/);
    expect(stderr).toContain(unknownId);
  });

  it('does not prevent the others from being shown', async () => {
    const { exitCode, stderr, charges, failures } = await asJson(['settled', unknownId, 'failed']);
    expect(exitCode).toBe(4);
    expect(charges.map(({ chargeId }) => chargeId)).toEqual([idOf('settled'), idOf('failed')]);
    expect(failures).toMatchObject([{ chargeId: unknownId, error: { cause: 'not_found' } }]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { cause: 'not_found', exitCode: 4 } });
  });

  it('is named with every other unknown one if no charge is found, without a report', async () => {
    const none = [unknownId, unknownId.replace('4', '5')];
    const { exitCode, stdout, stderr } = await charge(none);
    expect([exitCode, stdout]).toEqual([4, '']);
    for (const id of none) expect(stderr).toContain(id);
  });
});

describe('the command line of recon charge', () => {
  it.each([
    ['x/y', 'UUID'],
    ['', 'UUID'],
    ['..', 'UUID'],
    [`${unknownId} --personal`, '--raw'],
    [`${unknownId} --raw --settlements`, 'cannot be combined'],
    [`${unknownId} --raw --format csv`, 'JSON'],
    [`${unknownId} --raw --output x.csv`, 'suffix'],
    [`${unknownId} --on 2026-03-04`, '--settlements'],
    [`${unknownId} --charge-auth v3`, 'v2, v1'],
  ])('is refused where it is wrong: %s', async (args, says) => {
    const { exitCode, stdout, stderr } = await runRecon([
      'charge',
      ...args.split(' '),
      '--sandbox',
    ]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it('accepts each charge once, in the order given, and needs one', async () => {
    const { charges } = await asJson(['yen', 'settled', 'yen', idOf('settled').toUpperCase()]);
    expect(charges.map(({ chargeId }) => chargeId)).toEqual([idOf('yen'), idOf('settled')]);
    expect((await runRecon(['charge', '--sandbox'])).exitCode).toBe(2);
  });

  it('writes every format, and files', async () => {
    const lines = readLines((await charge(['settled', unknownId], '--format ndjson')).stdout);
    expect(lines.map(({ type }) => type)).toEqual(['charge', 'failure', 'summary']);
    const path = join(await temporaryFolder(), 'charges.csv');
    expect((await charge(['settled', 'yen'], `--output ${path}`)).stdout).toBe('');
    expect(readRecords(await readFile(path, 'utf8'))).toHaveLength(2);
  });
});

describe('people and payment details', () => {
  const people = /Carla|Pedro|example\.com|\+15550100/;
  const encrypted = /ENCRYPTED/;

  it.each(['', '--format json', '--format ndjson', '--format table --verbose', '--raw'])(
    'are not shown: %s',
    async (args) => {
      const { stdout, stderr } = await charge(['settled', 'failed'], args);
      expect(stdout + stderr).not.toMatch(people);
      expect(stdout + stderr).not.toMatch(encrypted);
    },
  );

  it('are shown on request, except what is encrypted', async () => {
    const { stdout } = await charge(['settled'], '--raw --personal');
    expect(stdout).toMatch(/Carla/);
    expect(stdout).toMatch(/Pedro/);
    expect(stdout).not.toMatch(encrypted);
  });

  it('are all that --raw leaves out', async () => {
    const { stdout } = await charge(['objects'], '--raw');
    const { order, payments, ...others } = JSON.parse(stdout);
    const wanted = written.find((one) => one['charge_id'] === idOf('objects')) ?? {};
    expect(others).toEqual(
      Object.fromEntries(Object.entries(wanted).filter(([key]) => key in others)),
    );
    expect(Object.keys(wanted)).toEqual(
      expect.arrayContaining([...Object.keys(others), 'order', 'payments']),
    );
    expect(order.your_order_reference).toBeTypeOf('string');
    expect(payments[0].payment_instrument.instrument_type).toBe('card');
  });

  it('are not in the lines of NDJSON', async () => {
    const { stdout } = await charge(['settled', 'yen'], '--raw --format ndjson');
    expect(readLines(stdout).map((line) => line['charge_id'])).toEqual([
      idOf('settled'),
      idOf('yen'),
    ]);
  });
});

describe('processing responses', () => {
  it('are shown only on request, because they are not for customers', async () => {
    const plain = await charge(['failed'], '--format table');
    expect(plain.stdout).not.toContain('INSUFF');
    const { stdout } = await charge(['failed'], '--format table --verbose');
    expect(stdout).toContain('Processing responses (not for customers)');
    expect(stdout).toContain('51 INSUFF FUNDS');
    expect((await charge(['failed'], '--verbose')).stdout).not.toContain('INSUFF');
    const { charges } = await asJson(['failed'], '--verbose');
    expect(charges[0]).toMatchObject({
      notForCustomers: { processingResponses: [{ psp_id: 'psp-1', acquirer_response_code: '51' }] },
    });
    expect((await asJson(['failed'])).charges[0]).not.toHaveProperty('notForCustomers');
  });
});

describe('recon charge --settlements', () => {
  it('compares the rows of a charge with its settled amount, in every currency', async () => {
    const { exitCode, stdout, stderr } = await charge(names, '--settlements');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Settlements from 2026-03-01 to 2026-03-31 (inclusive)');
    const rows = readRecords(stdout).map((row) =>
      [
        row['settlement_rows'],
        row['settlement_rows_gross'],
        row['settlement_rows_difference'],
        row['settlement_rows_say'],
      ].join(' '),
    );
    expect(rows).toEqual([
      '1 100.00 0.00 equal',
      '2 0.00 0.00 equal',
      '1 40.00 -1.00 differs',
      '1 25.00 0.00 equal',
      '1 4800.00 0.00 equal',
      '1 20.120 0.000 equal',
    ]);
  });

  it('finds rows that write the id of a charge in other case', async () => {
    const id = 'ABCDEF00-0000-4000-8000-00000000000A';
    const row = ['purchase', 1000, 25, 5, { chargeId: id.toLowerCase() }] as const;
    const { env } = await startService(
      scenarioOf([{ date: '2026-03-04', rows: [row] }], {
        charges: { one: { status: 'settled', amount: 1000, fields: { charge_id: id } } },
      }),
    );
    const run = await runRecon(['charge', id, '--settlements', '--month', '2026-03'], { env });
    expect(readRecords(run.stdout)[0]).toMatchObject({ charge_id: id, settlement_rows: '1' });
  });

  it('has no finding for a whole refund whose purchase alone is in the range', async () => {
    const { stdout } = await charge(['refunded'], '--settlements --on 2026-03-04');
    expect(readRecords(stdout)[0]).toMatchObject({
      settlement_rows: '1',
      settlement_rows_gross: '50.00',
      settlement_rows_say: 'equal_after_refunds',
    });
  });

  it('says that a range has none of its rows, and leaves the cells empty without --settlements', async () => {
    const { stdout } = await charge(['completed'], '--settlements --format table');
    expect(stdout).toContain('none found');
    expect(readRecords((await charge(['settled'])).stdout)[0]).toMatchObject({
      settlement_rows: '',
      settlement_rows_say: '',
    });
  });

  it('draws no conclusion from settlements that were not read in full', async () => {
    const run = await charge(
      ['out-of-balance'],
      '--settlements --format table --fault http-503@rows',
    );
    expect(run.exitCode).toBe(4);
    expect(run.stdout).toContain('but not everything was read');
    const csv = await charge(['out-of-balance'], '--settlements --fault http-503@rows');
    expect(csv.stderr).toContain('Some settlements of the range were not fully read');
    const rest = await charge(
      ['settled'],
      '--settlements --format json --fault wrapper-1010=on:1@rows',
    );
    expect(JSON.parse(rest.stdout).completeness.complete).toBe(false);
  });

  it('needs a range outside the sandbox', async () => {
    const { env } = await startService('charges');
    const run = await runRecon(['charge', idOf('settled'), '--settlements'], { env });
    expect([run.exitCode, run.stderr.includes('No range')]).toEqual([2, true]);
  });
});

describe('the authentication scheme of charges', () => {
  const run = async (fault: string, env: Readonly<Record<string, string>>, ...args: string[]) => {
    const service = await startService('charges', fault);
    const { RECON_JWT_PUBLIC_KEY, RECON_JWT_SECRET, ...v2 } = service.env;
    const v1 = { RECON_BASE_URL: service.sandbox.baseUrl, RECON_JWT_PUBLIC_KEY, RECON_JWT_SECRET };
    const keys = env['keys'] === 'v1' ? v1 : env['keys'] === 'v2' ? v2 : service.env;
    const { keys: _, ...settings } = env;
    const ended = await runRecon(['charge', ...args, idOf('settled'), idOf('yen')], {
      env: { ...keys, ...settings } as Record<string, string>,
      clock: service.clock,
    });
    return { ...ended, service };
  };

  it('is V2 by default, and V1 is suggested if V2 is refused', async () => {
    const refused = await run('charge-scheme=v1', {});
    expect([refused.exitCode, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('--charge-auth v1');
    expect((await run('charge-scheme=v2', { keys: 'v2' })).exitCode).toBe(0);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['by flag', { keys: 'v1' }, ['--charge-auth', 'v1']],
    ['by environment', { keys: 'v1', RECON_CHARGE_AUTH: 'v1' }, []],
    ['for everything', { keys: 'v1', RECON_AUTH: 'v1' }, []],
  ])('may be V1 %s, which needs no setting of V2', async (_, env, args) => {
    const { exitCode, stderr, service } = await run('charge-scheme=v1', env, ...args);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('V1 signing is limited to one request per second.\n');
    expect(service.asked('token')).toEqual([]);
    expect(new Set(service.asked('charge').map(({ token }) => token)).size).toBe(2);
  });

  it('has its token from the other host, and the charge from base_url alone', async () => {
    const auth = await startServer(
      afterToken(() => {
        throw new Error('only the token is asked for here');
      }),
    );
    const body = written.find((one) => one['charge_id'] === idOf('settled'));
    const api = await startServer(() => ({ body }));
    const env = { ...api.env, RECON_AUTH_URL: auth.url };
    expect((await runRecon(['charge', idOf('settled')], { env })).exitCode).toBe(0);
    const asked = [...auth.asked, ...api.asked].map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual(['POST /oauth/token', `GET /charge/${idOf('settled')}`]);
    expect(api.asked[0]?.headers.authorization).toBe('Bearer an-access-token');
  });

  it('is reported with the missing keys', async () => {
    const lacking = await run('charge-scheme=v1', { keys: 'v2', RECON_CHARGE_AUTH: 'v1' });
    expect(lacking.exitCode).toBe(2);
    expect(lacking.stderr).toContain('Not set: jwt_public_key, jwt_secret');
    const onlyV1 = await run('charge-scheme=v1', { keys: 'v1' });
    expect(onlyV1.stderr).toContain('auth = "v1"');
  });

  it('may be V1 for all of settlements, with every request signed and every second new', async () => {
    const service = await startService('charges');
    const { exitCode, stderr } = await service.settlements([], { env: { RECON_AUTH: 'v1' } });
    expect(exitCode).toBe(1);
    expect(stderr.match(/one request per second/g)).toHaveLength(1);
    expect(service.asked('token')).toEqual([]);
    const { requests } = service.sandbox;
    expect(requests.map(({ status }) => status)).not.toContain(401);
    expect(new Set(requests.map(({ token }) => token)).size).toBe(requests.length);
  });

  it('as V1 works with a second user of the key, or the failure names the user', async () => {
    const passing = await charge(['settled'], '--charge-auth v1 --fault http-401=first:3@charge');
    expect(passing.exitCode).toBe(0);
    const lasting = await charge(['settled'], '--charge-auth v1 --fault http-401@charge');
    expect(lasting.exitCode).toBe(3);
    expect(lasting.stderr).toMatch(/another program .* same key/);
  });
});

describe('several faults in a row', () => {
  it('end the run of charges, and the rest are not tried', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      unknownId.replace(/00$/, String(n).padStart(2, '0')),
    );
    const { exitCode, stderr } = await charge(many, '--fault http-503@charge --concurrency 1');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('was skipped after earlier failures');
  });

  it('are not counted for unknown charges', async () => {
    const many = Array.from({ length: 9 }, (_, n) => unknownId.replace(/0$/, `${n + 1}`));
    const { stdout } = await charge([...many, 'settled'], '--concurrency 1 --format json');
    expect(JSON.parse(stdout).charges).toHaveLength(1);
  });
});

describe('a charge whose figures contradict its status', () => {
  const amounts = (completed: number, refunded = 0) => ({
    completed_amount: completed,
    refunded_amount: refunded,
  });
  const scenario = scenarioOf([], {
    accounts: { default: {} },
    charges: {
      part: {
        status: 'refunded',
        amount: 10_000,
        action: 'refund',
        summary: amounts(10_000, 4_000),
      },
      failed: { status: 'not_authorised', amount: 10_000, summary: amounts(10_000) },
      event: { status: 'completed', amount: 10_000, action: 'refund', summary: amounts(10_000) },
      disputed: { status: 'settled', amount: 10_000, summary: { disputed_amount: 10_000 } },
    },
  });

  it.each([
    [0, 'REFUNDED', 'partial_refund', 'Partly refunded', 'then refunded'],
    [1, 'FAILURE', 'completed_but_not_approved', 'may have been charged', 'is not charged'],
    [2, 'SUCCESS', 'refund_event', 'last event is a refund', 'Fulfil the order'],
    [3, 'SUCCESS', 'disputed', 'may be taken back', 'funds are settled'],
  ])('%i: %s, %s, has a remark beside the outcome, which is not promised', async (...expected) => {
    const [at, headline, code, says, promise] = expected;
    const { env } = await startService(scenario);
    const id = String(scenario.charges?.[at]?.['charge_id']);
    const run = (format: string) => runRecon(['charge', id, '--format', format], { env });
    const { exitCode, stdout } = await run('table');
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, headline]);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain(promise);
    const json = await run('json');
    expect(JSON.parse(json.stdout).charges).toMatchObject([{ remarks: [{ code }] }]);
    expect(json.stdout).not.toContain(promise);
    const csv = await run('csv');
    expect(csv.stdout.trimEnd().endsWith(`,${code}`)).toBe(true);
    expect(csv.stdout).not.toContain(promise);
  });
});
