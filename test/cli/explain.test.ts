import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const twoCauses = '9f35bc6c-b462-5651-8591-9ab5b3f4462d';
const missingRow = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';

const explain = (scenario: string, ...args: string[]) =>
  runRecon(['explain', ...args, '--sandbox', '--scenario', scenario]);

interface Hypothesis {
  readonly codes: readonly string[];
  readonly outcome: string;
  readonly rows: readonly { readonly transactionId: string }[];
  readonly residual: { readonly gross: { readonly minor: string } } | null;
}

interface Explained {
  readonly id: string;
  readonly verdict: string;
  readonly complete: boolean;
  readonly tested: readonly Hypothesis[];
  readonly residual: { readonly gross: { readonly minor: string } } | null;
}

async function explainAsJson(scenario: string, ...args: string[]) {
  const { stdout, exitCode } = await explain(scenario, ...args, '--format', 'json');
  const document: { settlements: Explained[] } = JSON.parse(stdout);
  return { exitCode, settlements: document.settlements };
}

describe('recon explain', () => {
  it('finds both causes of a settlement that is off for two reasons', async () => {
    const { exitCode, settlements } = await explainAsJson('two-causes', twoCauses);
    expect(exitCode).toBe(1);
    const [best] = settlements[0]?.tested ?? [];
    expect(best?.outcome).toBe('explains');
    expect(best?.codes).toEqual(['state_left_out', 'type_sign']);
    expect(settlements[0]?.residual?.gross.minor).toBe('0');
  });

  it('ends like settlements: 0 if all are balanced, 1 if not, as --fail-on says', async () => {
    const month = await runRecon(['settlements', '--sandbox', '--only', 'balanced']);
    const id = month.stdout.split('\r\n')[1]?.split(',')[2] ?? '';
    expect((await explain('month', id)).exitCode).toBe(0);
    expect((await explain('two-causes', twoCauses)).exitCode).toBe(1);
    expect((await explain('two-causes', twoCauses, '--fail-on', 'none')).exitCode).toBe(0);
  });

  it('says how much is missing if rows are missing, and that this is no proof', async () => {
    const { settlements } = await explainAsJson('month', missingRow);
    const complete = settlements[0]?.tested.filter(({ outcome }) => outcome === 'explains');
    expect(complete?.map(({ codes }) => codes)).toContainEqual(['missing_rows']);
  });

  it('accepts several settlements, each once', async () => {
    const { settlements } = await explainAsJson('month', missingRow, missingRow);
    expect(settlements.map(({ id }) => id)).toEqual([missingRow]);
  });

  it('draws no conclusion from an incomplete read', async () => {
    const month = await runRecon(['settlements', '--sandbox', '--scenario', 'malformed']);
    const id = month.stdout.split('\r\n').find((line) => line.includes(',incomplete,'));
    const { exitCode, settlements } = await explainAsJson('malformed', id?.split(',')[2] ?? '');
    expect(exitCode).toBe(4);
    expect(settlements[0]?.complete).toBe(false);
    expect(settlements[0]?.tested.map(({ outcome }) => outcome)).not.toContain('explains');
  });

  it('calls an id that returns nothing not found, never balanced (trap 14)', async () => {
    const { exitCode, stdout, stderr } = await explain(
      'month',
      '00000000-0000-4000-8000-000000000000',
    );
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toContain('Settlement not found: ');
  });

  it('draws no conclusion from a header that is listed with another, unreadable content', async () => {
    const id = '5c2f81e0-6a3d-4e97-b8f4-19d07c4a5e22';
    const rows = [['purchase', 1000, 25, 5]] as const;
    const listed = { settlementId: id, amountGross: 1000, fees: 25, tax: 5, totalTransactions: 1 };
    const { env } = await startService(
      scenarioOf([
        { date: '2026-03-04', header: { ...listed, amountPayIn: 970 }, rows },
        { date: '2026-03-04', header: { ...listed, amountPayIn: '970.00' }, rows: [] },
      ]),
    );
    const run = (...args: string[]) => runRecon(['explain', id, ...args], { env });
    const table = await run();
    expect(table.exitCode).toBe(4);
    expect(table.stdout).toMatch(/^INCOMPLETE\n/);
    expect(table.stdout).toMatch(/Everything read +NO/);
    expect(table.stdout).toContain('amountPayIn');
    expect(JSON.parse((await run('--format', 'json')).stdout)).toMatchObject({
      verdict: 'incomplete',
      completeness: { complete: false },
      settlements: [{ verdict: 'incomplete', findings: [{ code: 'unreadable_header' }] }],
    });
    expect((await run('--format', 'markdown')).stdout).toContain('amountPayIn');
    expect((await run('--format', 'csv', '--quiet')).stderr).toContain('amountPayIn');
  });

  it('reports the settlements that it finds, and those that it does not find', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { exitCode, stdout, stderr } = await explain('month', unknown, missingRow);
    expect(exitCode).toBe(4);
    expect(stdout).toContain(missingRow);
    expect(stderr).toContain(`Settlement not found: ${unknown}`);
    const json = JSON.parse(
      (await explain('month', unknown, missingRow, '--format', 'json')).stdout,
    );
    expect(json).toMatchObject({
      verdict: 'incomplete',
      settlements: [{ id: missingRow, verdict: 'out_of_balance' }],
      failures: [{ settlement: { id: unknown }, error: { cause: 'not_found' } }],
    });
  });

  it('names each settlement if none of several is found', async () => {
    const none = [1, 2].map((last) => `00000000-0000-4000-8000-00000000000${last}`);
    const { exitCode, stdout, stderr } = await explain('month', ...none);
    expect([exitCode, stdout]).toEqual([4, '']);
    for (const id of none) expect(stderr).toContain(`Settlement not found: ${id}`);
  });

  it('ends after five failures in a row, and names those that were not tried', async () => {
    const many = [1, 2, 3, 4, 5, 6].map((last) => `00000000-0000-4000-8000-00000000000${last}`);
    const { exitCode, stderr } = await explain('month', ...many, '--fault', 'wrapper-1010');
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`Settlement ${many[5]} was skipped after earlier failures`);
    expect(stderr).not.toContain(`Settlement ${many[4]} was skipped after earlier failures`);
  });

  it('explains also if the neighbours cannot be listed, and says so', async () => {
    const alone = await startService('month');
    await runRecon(['explain', missingRow, '--neighbours', '0'], { env: alone.env });
    const next = alone.asked('headers').length + 1;
    const { env } = await startService('month', `wrapper-1010=on:${next}@headers`);
    const { exitCode, stdout } = await runRecon(['explain', missingRow], { env });
    expect(exitCode).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /\? neighbouring settlements: they could not be listed: .*1010/,
    );
  });

  it('needs a valid id, before any request is sent', async () => {
    const { exitCode, stderr } = await explain('month', 'nope');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('UUID');
  });

  it('sends the id only, without dates (trap 14)', async () => {
    const { env, asked } = await startService('two-causes');
    await runRecon(['explain', twoCauses, '--neighbours', '0'], { env });
    const headers = asked('headers').map(({ body }) => Object.keys(body ?? {}).sort());
    expect(headers.length).toBeGreaterThan(0);
    for (const keys of headers) expect(keys).toEqual(['limit', 'offset', 'settlementId']);
  });

  it('reads the neighbours only as far as it is told', async () => {
    const { env, asked } = await startService('month');
    await runRecon(['explain', missingRow, '--neighbours', '7'], { env });
    const ranges = asked('headers').flatMap(({ body }) =>
      body?.['startDate'] === undefined ? [] : [[body['startDate'], body['endDate']]],
    );
    expect(new Set(ranges.map(String))).toEqual(new Set(['2026-03-03,2026-03-17']));
    const rowsOf = new Set(asked('rows').map(({ body }) => body?.['settlementId']));
    expect(rowsOf).toEqual(new Set([missingRow]));
  });

  it('reads the rows of the neighbours on request', async () => {
    const { env, asked } = await startService('month');
    await runRecon(['explain', missingRow, '--neighbour-rows'], { env });
    const rowsOf = new Set(asked('rows').map(({ body }) => body?.['settlementId']));
    expect(rowsOf.size).toBeGreaterThan(1);
  });

  it('sends 20 requests for the neighbours of a settlement, and more only with --deep', async () => {
    const { env, asked } = await startService('month');
    const requests = async (id: string, ...args: string[]) => {
      const before = [...asked('headers'), ...asked('rows')].length;
      const { stdout } = await runRecon(['explain', id, '--json', ...args], { env });
      const [one] = JSON.parse(stdout).settlements;
      return [[...asked('headers'), ...asked('rows')].length - before, one.certainty] as const;
    };
    for (const [id, own] of [
      [missingRow, 11],
      ['5851f760-04f7-5c6d-a667-c08371a2a756', 6],
      ['dea6d695-dc38-5d75-b23b-cd0b86313cbe', 6],
      ['985c9336-3e86-59d9-92df-3ee311b1bf6d', 6],
    ] as const) {
      expect((await requests(id, '--neighbours', '0'))[0]).toBe(own);
      const [few, certainty] = await requests(id);
      expect(few).toBeLessThanOrEqual(own + 20);
      const [many, certaintyOfAll] = await requests(id, '--deep');
      expect(many).toBeGreaterThan(few);
      expect([id, certainty]).toEqual([id, certaintyOfAll]);
    }
  });

  it('writes a case for the provider without names, notes and tokens', async () => {
    const path = join(await temporaryFolder(), 'case.md');
    await explain('month', missingRow, '--output', path);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(`**settlementId:** ${missingRow}`);
    expect(text).toContain('+84.50');
    expect(text).not.toContain('Stores');
    expect(text).not.toContain('ORD-');
  });

  it('needs either ids or a range', async () => {
    const neither = await runRecon(['explain']);
    expect([neither.exitCode, neither.stdout]).toEqual([2, '']);
    expect(neither.stderr).toContain('No settlement or range given.');
    for (const range of [
      ['--month', '2026-03'],
      ['--cid', '7'],
    ]) {
      const both = await explain('month', missingRow, ...range);
      expect([both.exitCode, both.stdout]).toEqual([2, '']);
      expect(both.stderr).toContain('Settlement ids cannot be combined with a range');
    }
  });
});

describe('recon explain of a range', () => {
  const whole = ['explain', '--sandbox', '--format', 'json'];

  it('explains the settlements out of balance in it, by default those of the whole sandbox', async () => {
    const [report, explained] = await Promise.all([
      runRecon(['settlements', '--sandbox', '--format', 'json', '--only', 'out_of_balance']),
      runRecon(whole),
    ]);
    const idsIn = (text: string) => JSON.parse(text).settlements.map((one: Explained) => one.id);
    expect(explained.exitCode).toBe(1);
    expect(idsIn(explained.stdout)).toEqual(idsIn(report.stdout));
    expect(JSON.parse(explained.stdout)).toMatchObject({
      range: { from: '2026-03-01', to: '2026-03-31' },
      completeness: { settlements: 40, transactions: 1960 },
      findings: [],
    });
  });

  it('reads each settlement once, and lists each day once', async () => {
    const { env, asked } = await startService('offsetting');
    const range = ['--from', '2026-03-01', '--to', '2026-03-31'];
    const { stdout } = await runRecon(['explain', ...range], { env });
    const rows = asked('rows').map(({ body }) => String(body?.['settlementId']));
    const firstPages = asked('rows').filter(({ body }) => body?.['offset'] === 0).length;
    expect(firstPages).toBe(new Set(rows).size);
    const days = asked('headers').flatMap(({ body }) => [body?.['startDate'], body?.['endDate']]);
    expect(new Set(days)).toEqual(new Set(['2026-03-01', '2026-03-31']));
    expect(stdout).toContain('has the opposite difference; together the two balance');
  });

  it('says so if all are balanced', async () => {
    const { exitCode, stdout } = await explain('balanced');
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'No settlement is out of balance, so there is nothing to explain.',
    );
  });

  it('ends as incomplete if something could not be read, and explains the rest', async () => {
    const { exitCode, stdout } = await explain('month', '--fault', `wrapper-1010@${missingRow}`);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^INCOMPLETE\n/);
    expect(stdout).toContain(missingRow);
    expect(stdout).toMatch(/\nOUT OF BALANCE\n/);
  });
});

describe('the explanation in recon settlements', () => {
  const month = (...args: string[]) =>
    runRecon(['settlements', '--sandbox', '--format', 'json', ...args]);

  it('is the best one, for each settlement that is out of balance', async () => {
    const { stdout } = await runRecon([
      'settlements',
      '--sandbox',
      '--scenario',
      'two-causes',
      '--format',
      'json',
    ]);
    expect(JSON.parse(stdout).settlements[0].explanation).toContain('declined');
  });

  it('is left out on request', async () => {
    const settlements = JSON.parse((await month('--no-explain')).stdout).settlements;
    for (const { explanation } of settlements) expect(explanation).toBeNull();
  });

  it('names two that are off by opposite amounts, in NDJSON as in JSON', async () => {
    const whole = JSON.parse((await month()).stdout).settlements as {
      readonly id: string;
      readonly explanation: string | null;
    }[];
    const { stdout } = await runRecon(['settlements', '--sandbox', '--format', 'ndjson']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'settlement')
      .map(({ type: _type, schema: _schema, ...one }) => one);
    expect(lines).toEqual(whole);
    const [first, second] = ['dea6d695', '985c9336'].map((start) =>
      whole.find(({ id }) => id.startsWith(start)),
    );
    expect(first?.explanation).toContain(second?.id);
    expect(second?.explanation).toContain(first?.id);
  });

  it('needs no request', async () => {
    const explained = await startService('month');
    await explained.settlements();
    const plain = await startService('month');
    await plain.settlements(['--no-explain']);
    expect(explained.asked('rows').length).toBe(plain.asked('rows').length);
  });
});

describe('recon explain --charges', () => {
  const leftOut = 'b31d8bc4-9b67-52cb-8045-fd39db6afd9d';
  const onlyTheService = 'a020802c-de25-57ff-ba57-ea9fb8b9d1af';

  interface Charges {
    readonly named: number;
    readonly read: number;
    readonly notRead: readonly { readonly chargeId: string; readonly reason: string }[];
    readonly charges: readonly {
      readonly chargeId: string;
      readonly findings: readonly { readonly code: string }[];
    }[];
  }

  async function chargesOf(scenario: string, id: string, ...args: string[]) {
    const run = await explain(scenario, id, '--charges', '--format', 'json', ...args);
    const [settlement] = JSON.parse(run.stdout).settlements;
    const { charges, ...others } = settlement as { charges: Charges };
    return { ...run, charges, others };
  }

  it('shows what the charge of a row says if an explanation names the row', async () => {
    const { exitCode, charges } = await chargesOf('charges', leftOut);
    expect(exitCode).toBe(1);
    expect(charges).toMatchObject({ named: 1, read: 1, notRead: [] });
    expect(charges.charges[0]?.findings).toMatchObject([
      { code: 'disputed', amount: { amount: '25.00', currency: 'EUR' } },
    ]);
    const { stdout } = await explain('charges', leftOut, '--charges');
    expect(stdout).toMatch(/Charges of the transactions above\n {2}! charge [\s\S]*disputed/);
    const letter = await explain('charges', leftOut, '--charges', '--format', 'markdown');
    expect(letter.stdout).toMatch(/Charges of the transactions above[\s\S]*disputed/);
  });

  it('asks for the charges of the named rows only', async () => {
    const { env, asked } = await startService('charges');
    await runRecon(['explain', leftOut], { env });
    expect(asked('charge')).toEqual([]);
    await runRecon(['explain', leftOut, '--charges'], { env });
    expect(asked('charge')).toHaveLength(1);
  });

  it('asks for all charges if only the status says that it is out of balance', async () => {
    const { charges } = await chargesOf('month', onlyTheService);
    expect([charges.named, charges.read]).toEqual([45, 45]);
    const { stdout } = await explain('month', onlyTheService);
    expect(stdout).toContain('--charges');
  });

  it('has no finding for refunds, and says that the charge of a declined row was not paid', async () => {
    const { charges } = await chargesOf('two-causes', twoCauses);
    const codes = charges.charges.map(({ findings }) => findings.map(({ code }) => code).join());
    expect(codes.sort()).toEqual(['refunded', 'settled_differs', 'settled_differs']);
  });

  it.each(['http-400@charge', 'http-401@charge', 'http-403@charge', 'http-503@charge'])(
    'counts and names what cannot be read, which changes nothing else: %s',
    async (fault) => {
      const calm = await chargesOf('charges', leftOut);
      const { exitCode, charges, others } = await chargesOf('charges', leftOut, '--fault', fault);
      expect([exitCode, others]).toEqual([calm.exitCode, calm.others]);
      expect(charges).toMatchObject({
        named: 1,
        read: 0,
        notRead: [{ reason: expect.any(String) }],
      });
      const { stdout } = await explain('charges', leftOut, '--charges', '--fault', fault);
      expect(stdout).toContain('1 of 1 charge could not be read; no verdict depends on them');
    },
  );

  it('is refused with an export, which has no charges', async () => {
    const run = await runRecon(['explain', leftOut, '--charges', '--from-export', 'march']);
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('--charges cannot be combined with --from-export');
    expect(run.stderr).toContain('an export contains no charges');
  });

  it('uses the authentication scheme of charges', async () => {
    const { charges } = await chargesOf(
      'charges',
      leftOut,
      '--charge-auth',
      'v1',
      '--fault',
      'charge-scheme=v1',
    );
    expect(charges.read).toBe(1);
  });
});
