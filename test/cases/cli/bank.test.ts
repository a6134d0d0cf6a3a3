import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BankReport, folderOf } from '../../bank/bank-report.ts';
import { type Balance, document, entry, type Message } from '../../bank/camt-message.ts';
import { runRecon } from '../../support/run-recon.ts';

/** The two pay-outs of 3 March 2026 in the sandbox's month. */
const web = {
  id: 'ab640cf2-05ea-56dc-af43-e91b197d944e',
  key: 'E2E-20260303-02',
  amount: '3378.78',
};
const stores = {
  id: 'a7072b25-7f9b-5d8d-90f7-070efb599b67',
  key: 'E2E-20260303-23',
  amount: '1878.79',
};
const service = 'DE77999999990000251034';

interface Paid {
  readonly day?: string;
  readonly key?: string;
  readonly from?: string;
  readonly reference?: string;
  readonly more?: string;
  readonly rest?: string;
  readonly status?: string;
}

/** An entry of a pay-out, with what tells that it is one. */
function paid(
  amount: string,
  {
    day = '2026-03-04',
    key = '',
    from = service,
    reference = '',
    more = '',
    rest = '',
    status,
  }: Paid = {},
) {
  const isOut = amount.startsWith('-');
  const [party, account] = isOut ? ['Cdtr', 'CdtrAcct'] : ['Dbtr', 'DbtrAcct'];
  const related =
    from &&
    `<RltdPties><${party}><Pty><Nm>Sandbox Payments</Nm></Pty></${party}><${account}><Id><IBAN>${from}</IBAN></Id></${account}></RltdPties>`;
  const refs = `<Refs><EndToEndId>${key || 'NOTPROVIDED'}</EndToEndId></Refs>`;
  return entry(amount, {
    booked: `<BookgDt><Dt>${day}</Dt></BookgDt>`,
    valued: `<ValDt><Dt>${day}</Dt></ValDt>`,
    ...(status && { status }),
    rest: `${reference && `<AcctSvcrRef>${reference}</AcctSvcrRef>`}${rest}<NtryDtls><TxDtls>${refs}${related}${more}</TxDtls></NtryDtls>`,
  }).replace(
    '</CdtDbtInd><Sts>',
    `</CdtDbtInd>${more.includes('RtrInf') ? '<RvslInd>true</RvslInd>' : ''}<Sts>`,
  );
}

const paidWeb = paid(web.amount, { key: web.key, reference: 'B-1' });
const paidStores = paid(stores.amount, { key: stores.key, reference: 'B-2' });
const both = [paidWeb, paidStores];
/** That of 2 March, with which the books of the sandbox begin: what is missing from before the range counts. */
const paidBefore = paid('4197.18', { day: '2026-03-03', key: 'E2E-20260302-01', reference: 'B-0' });
const stray = paid('312.40', { day: '2026-03-03', reference: 'B-3' });
const rent = paid('-1200.00', { from: 'DE25876543212718311427', reference: 'B-4' });
const returned =
  '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><RmtInf><Ustrd>Return of payment</Ustrd></RmtInf>';

const statementOf = (entries: readonly string[], more: Message = {}) =>
  document({
    account: 'DE79123456780000143027',
    period: ['2026-03-01', '2026-03-31'],
    entries: [paidBefore, ...entries],
    ...more,
  });
const unfit: readonly Balance[] = [
  ['OPBD', '0.00', '2026-03-01'],
  ['CLBD', '1.00', '2026-03-31'],
];

const charge = (amount: string) =>
  `<Chrgs><Rcrd><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`;
const lessCharge = (rest: string) => paid('3377.28', { key: web.key, reference: 'B-1', rest });

/** Statements on which the two pay-outs stand in some way, and the states that follow from it. */
const decisions: Readonly<Record<string, readonly [text: string, state: string]>> = {
  'a missing one': [statementOf([paidWeb]), 'missing_on_bank'],
  'both missing': [statementOf([rent]), 'missing_on_bank'],
  'one with a cent less': [
    statementOf([paid('3378.77', { key: web.key }), paidStores]),
    'difference',
  ],
  'one with a cent more': [
    statementOf([paid('3378.79', { key: web.key }), paidStores]),
    'difference',
  ],
  'one less an amount that nobody states': [
    statementOf([lessCharge(''), paidStores]),
    'difference',
  ],
  'one less more than the charge that the bank states': [
    statementOf([lessCharge(charge('1.49')), paidStores]),
    'difference',
  ],
  'one less a charge in another currency': [
    statementOf([lessCharge(charge('1.50').replace('EUR', 'USD')), paidStores]),
    'difference',
  ],
  'one that was returned less a charge': [
    statementOf([
      ...[lessCharge(charge('1.50')), paidStores],
      paid('-3377.28', { key: web.key, day: '2026-03-06', reference: 'B-9', more: returned }),
    ]),
    'returned',
  ],
  'one that was paid twice': [
    statementOf([...both, paid(web.amount, { key: web.key, day: '2026-03-05', reference: 'B-9' })]),
    'difference',
  ],
  'two differences that come to nothing': [
    statementOf([
      paid('3378.79', { key: web.key, reference: 'B-1' }),
      paid('1878.78', { key: stores.key, reference: 'B-2' }),
    ]),
    'difference',
  ],
  'one in another currency': [
    statementOf([paidWeb.replace('Ccy="EUR"', 'Ccy="USD"'), paidStores]),
    'difference',
  ],
  'one that was returned': [
    statementOf([
      ...both,
      paid(`-${web.amount}`, { key: web.key, day: '2026-03-06', reference: 'B-9', more: returned }),
    ]),
    'returned',
  ],
  'one that is only suggested': [
    statementOf([paid(web.amount, { reference: 'B-1' }), paidStores]),
    'suggested',
  ],
  'one that may be either of two': [
    statementOf([
      paid(web.amount, { reference: 'B-1' }),
      paid(web.amount, { reference: 'B-9', day: '2026-03-05' }),
      paidStores,
    ]),
    'ambiguous',
  ],
};

const settled: Readonly<Record<string, readonly [text: string, state: string]>> = {
  'both matched': [statementOf(both), 'matched'],
  'both matched, and the rent paid': [statementOf([...both, rent]), 'matched'],
  'both matched, and balances that fit': [
    statementOf(both, {
      balances: [
        ['OPBD', '0.00', '2026-03-01'],
        ['CLBD', '9454.75', '2026-03-31'],
      ],
    }),
    'matched',
  ],
  'one less a charge that the bank states': [
    statementOf([lessCharge(charge('1.50')), paidStores]),
    'charged',
  ],
  'one in two parts, less a charge that the bank states with the last': [
    statementOf([
      paid('1000.00', { key: web.key, reference: 'B-1' }),
      paid('2377.28', { key: web.key, reference: 'B-3', day: '2026-03-20', rest: charge('1.50') }),
      paidStores,
    ]),
    'charged',
  ],
  'one that was returned less a charge, and paid again': [
    statementOf([
      ...[lessCharge(charge('1.50')), paidStores],
      paid('-3377.28', { key: web.key, day: '2026-03-06', reference: 'B-9', more: returned }),
      paid('3377.28', { key: web.key, day: '2026-03-09', reference: 'B-10' }),
    ]),
    'charged',
  ],
  'both on their way': [statementOf([], { period: ['2026-03-01', '2026-03-04'] }), 'in_transit'],
  'both announced': [
    statementOf([paidWeb.replace('BOOK', 'PDNG'), paidStores.replace('BOOK', 'PDNG')]),
    'pending_on_bank',
  ],
};

interface Verdict {
  readonly exitCode: number;
  readonly verdict: string;
  readonly states: readonly string[];
  readonly stderr: string;
}

async function bank(text: string, ...args: readonly string[]): Promise<Verdict> {
  const folder = await folderOf({ 'march.xml': text });
  const { exitCode, stdout, stderr } = await runRecon([
    ...['bank', join(folder, 'march.xml'), '--sandbox', '--on', '2026-03-03'],
    ...['--format', 'json', ...args],
  ]);
  const report = stdout ? (JSON.parse(stdout) as BankReport) : undefined;
  const states = report?.matches.map(({ state }) => state) ?? [];
  return { exitCode, verdict: report?.verdict ?? '', states, stderr };
}

describe('a pay-out that needs a decision', () => {
  const cases = Object.entries(decisions);

  test.each(cases)('is not reconciled, and ends with 1: %s', async (_, [text, state]) => {
    const run = await bank(text);
    expect(run.states).toContain(state);
    expect(run).toMatchObject({ verdict: 'not_reconciled', exitCode: 1 });
  });

  test.each(cases)('does not change the exit code with --fail-on none: %s', async (_, [text]) => {
    expect(await bank(text, '--fail-on', 'none')).toMatchObject({ exitCode: 0 });
  });

  test.each(cases)('ends with 1 also if another condition is added: %s', async (_, [text]) => {
    expect(await bank(text, '--fail-on', '+unknown-on-bank')).toMatchObject({
      verdict: 'not_reconciled',
      exitCode: 1,
    });
  });

  test.each(['table', 'csv', 'json', 'ndjson', 'html', 'markdown'])(
    'has one exit code in every format: %s',
    async (format) => {
      const [text] = decisions['a missing one'] ?? [''];
      const folder = await folderOf({ 'march.xml': text });
      const path = join(folder, 'march.xml');
      const words = ['bank', path, '--sandbox', '--on', '2026-03-03', '--format', format];
      const { exitCode, stdout, stderr } = await runRecon(words);
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toMatch(/NOT RECONCILED|not_reconciled/);
      expect((await runRecon([...words, '--quiet'])).exitCode).toBe(1);
      const file = [...words, '--output', join(folder, `out.${format}`)];
      expect((await runRecon(file)).exitCode).toBe(1);
    },
  );

  test('ends with 1 in a workbook', async () => {
    const folder = await folderOf({ 'march.xml': statementOf([paidWeb]) });
    const words = ['bank', join(folder, 'march.xml'), '--sandbox', '--on', '2026-03-03'];
    const run = await runRecon([...words, '--output', join(folder, 'bank.xlsx')]);
    expect(run.exitCode).toBe(1);
  });

  test('has a condition with its name', async () => {
    const [missing] = decisions['a missing one'] ?? [''];
    const [different] = decisions['one with a cent less'] ?? [''];
    expect(await bank(missing, '--fail-on', '+missing-on-bank')).toMatchObject({ exitCode: 1 });
    expect(await bank(missing, '--fail-on', 'missing-on-bank')).toMatchObject({ exitCode: 1 });
    expect(await bank(different, '--fail-on', '+difference')).toMatchObject({ exitCode: 1 });
    expect(await bank(different, '--fail-on', 'difference')).toMatchObject({ exitCode: 1 });
    expect(await bank(missing, '--fail-on', 'out-of-balance')).toMatchObject({ exitCode: 1 });
  });

  test('no longer counts if its difference is accepted', async () => {
    const [text] = decisions['one with a cent less'] ?? [''];
    const folder = await folderOf({ 'march.xml': text });
    const path = join(folder, 'march.xml');
    const register = join(folder, 'accepted.csv');
    const accepted = await runRecon([
      ...['accept', web.id, '--sandbox', '--bank', path, '--difference', '-0.01'],
      ...['--reason', 'a fee', '--accepted', register],
    ]);
    expect(accepted.stderr).not.toContain('error:');
    expect(accepted.exitCode).toBe(0);
    const words = ['bank', path, '--sandbox', '--on', '2026-03-03', '--accepted', register];
    const { exitCode, stdout } = await runRecon([...words, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'reconciled' });
    expect(exitCode).toBe(0);
  });
});

describe('pay-outs that need no decision', () => {
  const cases = Object.entries(settled);

  test.each(cases)('are reconciled, and end with 0: %s', async (_, [text, state]) => {
    const run = await bank(text);
    expect(run.states).toContain(state);
    expect(run).toMatchObject({ verdict: 'reconciled', exitCode: 0 });
  });

  test.each(cases)('end with 0 if conditions are named: %s', async (_, [text]) => {
    for (const conditions of [
      'none',
      '+missing-on-bank,+difference',
      '+unknown-on-bank',
      '+missing-on-bank,+unknown-on-bank,+difference',
    ]) {
      expect(await bank(text, '--fail-on', conditions)).toMatchObject({ exitCode: 0 });
    }
  });

  test('are not those of other days that are missing', async () => {
    const text = statementOf(both).replace(paidBefore, '');
    const folder = await folderOf({ 'march.xml': text });
    const words = ['bank', join(folder, 'march.xml'), '--sandbox'];
    const days = ['--from', '2026-02-20', '--to', '2026-03-03'];
    const { exitCode } = await runRecon([...words, ...days]);
    // The pay-outs of 2 March are missing.
    expect(exitCode).toBe(1);
  });
});

test('a charge that the bank states is named and listed, and cannot be accepted', async () => {
  const text = statementOf([lessCharge(charge('1.50')), paidStores]);
  const path = join(await folderOf({ 'march.xml': text }), 'march.xml');
  const words = ['bank', path, '--sandbox', '--on', '2026-03-03'];
  const { stdout } = await runRecon([...words, '--format', 'table']);
  expect(stdout).toMatch(/^RECONCILED\n/);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    '2 of 2 pay-outs are on the bank statements. 1 arrived less bank charges: 1.50 EUR.',
  );
  expect(stdout).toMatch(/^Less bank charges: 1\n/m);
  const accept = await runRecon([
    ...['accept', web.id, '--sandbox', '--bank', path, '--difference', '-1.50'],
    ...['--reason', 'a fee', '--accepted', join(path, '..', 'accepted.csv')],
  ]);
  expect(accept.exitCode).toBe(2);
  expect(accept.stderr).toContain('arrived less bank charges that the statement states');
});

describe('an unknown entry', () => {
  const text = statementOf([...both, stray]);

  test('alone leaves the report reconciled, with a line for it', async () => {
    const run = await bank(text);
    expect(run.states).toContain('unknown_on_bank');
    expect(run).toMatchObject({ verdict: 'reconciled', exitCode: 0 });
    const folder = await folderOf({ 'march.xml': text });
    const words = ['bank', join(folder, 'march.xml'), '--sandbox', '--on', '2026-03-03'];
    const { stdout, exitCode } = await runRecon([...words, '--format', 'table']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^RECONCILED/);
    expect(stdout).not.toContain('NOT RECONCILED');
    expect(stdout).toMatch(/unknown/i);
    expect(stdout).toContain('312.40');
    expect(stdout).toMatch(/march\.xml:\d+/);
  });

  test.each(['+unknown-on-bank', 'unknown-on-bank', '+missing-on-bank,+unknown-on-bank'])(
    'changes headline and exit code with --fail-on %s',
    async (conditions) => {
      const run = await bank(text, '--fail-on', conditions);
      expect(run).toMatchObject({ verdict: 'not_reconciled', exitCode: 1 });
      const folder = await folderOf({ 'march.xml': text });
      const words = ['bank', join(folder, 'march.xml'), '--sandbox', '--on', '2026-03-03'];
      const table = await runRecon([...words, '--format', 'table', '--fail-on', conditions]);
      expect(table.stdout).toMatch(/^NOT RECONCILED/);
      const csv = await runRecon([...words, '--format', 'csv', '--fail-on', conditions]);
      expect(csv.stderr).toContain('NOT RECONCILED');
    },
  );

  test.each(['none', '+missing-on-bank', '+difference', 'difference', 'out-of-balance'])(
    'changes nothing with --fail-on %s',
    async (conditions) => {
      const run = await bank(text, '--fail-on', conditions);
      expect(run).toMatchObject({ verdict: 'reconciled', exitCode: 0 });
    },
  );

  test('changes nothing beside a missing pay-out', async () => {
    const run = await bank(statementOf([paidWeb, stray]));
    expect(run).toMatchObject({ verdict: 'not_reconciled', exitCode: 1 });
  });

  test('is not assigned to a payer if no payer is known', async () => {
    const run = await bank(
      statementOf([paid('55.00', { day: '2026-03-03', from: 'DE25876543212718311427' })], {
        period: ['2026-03-01', '2026-03-04'],
      }).replace(paidBefore, ''),
    );
    expect(run.states).toContain('unknown_on_bank');
    expect(run).toMatchObject({ verdict: 'reconciled', exitCode: 0 });
  });
});

describe('a statement with an error', () => {
  test('ends with 1 if it does not add up, whatever is matched', async () => {
    const text = statementOf(both, { balances: unfit });
    const run = await bank(text);
    expect(run).toMatchObject({ verdict: 'not_reconciled', exitCode: 1 });
    expect(await bank(text, '--fail-on', '+missing-on-bank')).toMatchObject({ exitCode: 1 });
  });

  test('ends with 4 if it cannot be read, whatever is asked', async () => {
    const text = statementOf([...both, stray.replace('312.40', '312,40')]);
    expect(await bank(text)).toMatchObject({ verdict: 'incomplete', exitCode: 4 });
    expect(await bank(text, '--fail-on', 'none')).toMatchObject({ exitCode: 4 });
    expect(await bank(text, '--fail-on', '+unknown-on-bank')).toMatchObject({ exitCode: 4 });
  });

  test('ends with 4 also if a pay-out differs', async () => {
    const text = statementOf([
      paid('3378.77', { key: web.key }),
      paidStores,
      stray.replace('312.40', '312,40'),
    ]);
    expect(await bank(text)).toMatchObject({ verdict: 'incomplete', exitCode: 4 });
  });
});

describe('a run with statements', () => {
  test('of the whole sandbox month ends with 1: one pay-out is missing and two differ', async () => {
    const run = await runRecon(['bank', '--sandbox', '--format', 'json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'not_reconciled' });
    expect(run.exitCode).toBe(1);
    expect(await runRecon(['bank', '--sandbox', '--fail-on', 'none'])).toMatchObject({
      exitCode: 0,
    });
    expect(await runRecon(['bank', '--sandbox', '--on', '2026-03-06'])).toMatchObject({
      exitCode: 0,
    });
  });

  test('of recon settlements keeps its exit code', async () => {
    const folder = await folderOf({ 'march.xml': statementOf([paidWeb]) });
    const words = ['settlements', '--sandbox', '--on', '2026-03-03'];
    const beside = [...words, '--bank', join(folder, 'march.xml')];
    expect(await runRecon(beside)).toMatchObject({ exitCode: 0 });
    expect(await runRecon([...beside, '--fail-on', '+missing-on-bank'])).toMatchObject({
      exitCode: 1,
    });
  });

  test('of recon nightly keeps its exit code', async () => {
    const folder = await folderOf({ 'bank/march.xml': statementOf([paidWeb]) });
    const words = [
      ...['nightly', '--sandbox', '--out', join(folder, 'out')],
      ...['--since', '2026-03-27', '--bank', join(folder, 'bank')],
    ];
    const usual = await runRecon(words);
    expect(usual.stderr).not.toContain('error:');
    expect(usual.exitCode).toBe(0);
  });
});
