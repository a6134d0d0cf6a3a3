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
  readonly settlementId: string;
  readonly verdict: string;
  readonly complete: boolean;
  readonly hypotheses: readonly Hypothesis[];
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
    const [best] = settlements[0]?.hypotheses ?? [];
    expect(best?.outcome).toBe('explains');
    expect(best?.codes).toEqual(['state_left_out', 'type_sign']);
    expect(settlements[0]?.residual?.gross.minor).toBe('0');
  });

  it('ends like settlements: 0 where all adds up, 1 where it does not, as --fail-on says', async () => {
    const month = await runRecon(['settlements', '--sandbox', '--only', 'balanced']);
    const id = month.stdout.split('\r\n')[1]?.split(',')[2] ?? '';
    expect((await explain('month', id)).exitCode).toBe(0);
    expect((await explain('two-causes', twoCauses)).exitCode).toBe(1);
    expect((await explain('two-causes', twoCauses, '--fail-on', 'none')).exitCode).toBe(0);
  });

  it('says what is missing where rows are missing, and that this proves nothing', async () => {
    const { settlements } = await explainAsJson('month', missingRow);
    const complete = settlements[0]?.hypotheses.filter(({ outcome }) => outcome === 'explains');
    expect(complete?.map(({ codes }) => codes)).toContainEqual(['missing_rows']);
  });

  it('takes several settlements, each once', async () => {
    const { settlements } = await explainAsJson('month', missingRow, missingRow);
    expect(settlements.map(({ settlementId }) => settlementId)).toEqual([missingRow]);
  });

  it('does not conclude anything from an incomplete read', async () => {
    const month = await runRecon(['settlements', '--sandbox', '--scenario', 'malformed']);
    const id = month.stdout.split('\r\n').find((line) => line.includes(',incomplete,'));
    const { exitCode, settlements } = await explainAsJson('malformed', id?.split(',')[2] ?? '');
    expect(exitCode).toBe(4);
    expect(settlements[0]?.complete).toBe(false);
    expect(settlements[0]?.hypotheses.map(({ outcome }) => outcome)).not.toContain('explains');
  });

  it('calls an id that returns nothing not found, never balanced (trap 14)', async () => {
    const { exitCode, stdout, stderr } = await explain(
      'month',
      '00000000-0000-4000-8000-000000000000',
    );
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toContain('knows no settlement');
  });

  it('concludes nothing from a header that is listed with another, unreadable content', async () => {
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

  it('tells what it can of several, and which of them it can not', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { exitCode, stdout, stderr } = await explain('month', unknown, missingRow);
    expect(exitCode).toBe(4);
    expect(stdout).toContain(missingRow);
    expect(stderr).toContain(`knows no settlement ${unknown}`);
    const json = JSON.parse(
      (await explain('month', unknown, missingRow, '--format', 'json')).stdout,
    );
    expect(json).toMatchObject({
      verdict: 'incomplete',
      settlements: [{ settlementId: missingRow, verdict: 'out_of_balance' }],
      failures: [{ settlementId: unknown, cause: 'not_found' }],
    });
  });

  it('tells of each where none of several can be found', async () => {
    const none = [1, 2].map((last) => `00000000-0000-4000-8000-00000000000${last}`);
    const { exitCode, stdout, stderr } = await explain('month', ...none);
    expect([exitCode, stdout]).toEqual([4, '']);
    for (const id of none) expect(stderr).toContain(`knows no settlement ${id}`);
  });

  it('explains where what is around it can not be listed, and says so', async () => {
    const alone = await startService('month');
    await runRecon(['explain', missingRow, '--neighbours', '0'], { env: alone.env });
    const next = alone.asked('headers').length + 1;
    const { env } = await startService('month', `wrapper-1010=on:${next}@headers`);
    const { exitCode, stdout } = await runRecon(['explain', missingRow], { env });
    expect(exitCode).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /\? the settlements around it: they could not be listed: .*1010/,
    );
  });

  it('wants an id that can be one, before anything is asked', async () => {
    const { exitCode, stderr } = await explain('month', 'nope');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('UUID');
  });

  it('sends the id alone, without dates (trap 14)', async () => {
    const { env, asked } = await startService('two-causes');
    await runRecon(['explain', twoCauses, '--neighbours', '0'], { env });
    const headers = asked('headers').map(({ body }) => Object.keys(body ?? {}).sort());
    expect(headers.length).toBeGreaterThan(0);
    for (const keys of headers) expect(keys).toEqual(['limit', 'offset', 'settlementId']);
  });

  it('looks at the settlements around it only as far as it is told', async () => {
    const { env, asked } = await startService('month');
    await runRecon(['explain', missingRow, '--neighbours', '7'], { env });
    const ranges = asked('headers').flatMap(({ body }) =>
      body?.['startDate'] === undefined ? [] : [[body['startDate'], body['endDate']]],
    );
    expect(new Set(ranges.map(String))).toEqual(new Set(['2026-03-03,2026-03-17']));
    const rowsOf = new Set(asked('rows').map(({ body }) => body?.['settlementId']));
    expect(rowsOf).toEqual(new Set([missingRow]));
  });

  it('reads the rows of the settlements around it on demand', async () => {
    const { env, asked } = await startService('month');
    await runRecon(['explain', missingRow, '--neighbour-rows'], { env });
    const rowsOf = new Set(asked('rows').map(({ body }) => body?.['settlementId']));
    expect(rowsOf.size).toBeGreaterThan(1);
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

  it('wants an id', async () => {
    const { exitCode, stderr } = await runRecon(['explain', '--sandbox']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('settlementId');
  });
});

describe('the explanation in recon settlements', () => {
  const month = (...args: string[]) =>
    runRecon(['settlements', '--sandbox', '--format', 'json', ...args]);

  it('is the best one, of each settlement that is out of balance', async () => {
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

  it('is left out on demand', async () => {
    const settlements = JSON.parse((await month('--no-explain')).stdout).settlements;
    for (const { explanation } of settlements) expect(explanation).toBeNull();
  });

  it('costs no request', async () => {
    const explained = await startService('month');
    await explained.settlements();
    const plain = await startService('month');
    await plain.settlements(['--no-explain']);
    expect(explained.asked('rows').length).toBe(plain.asked('rows').length);
  });
});
