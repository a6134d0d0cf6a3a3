import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeDecisions } from '../../../src/app/accept-decisions.ts';
import { decisionsDue, decisionsOf } from '../../../src/app/decisions.ts';
import { filesAt } from '../../../src/cli/named-files.ts';
import type { AcceptedLine, AcceptedReceipt } from '../../../src/model/accepted-difference.ts';
import { acceptedOn, receiptKey } from '../../../src/reconcile/acceptance.ts';
import {
  daysWritten,
  decisionColumns,
  readDecisions,
  type WrittenDecision,
} from '../../../src/register/decisions-file.ts';
import { readKeptCsv } from '../../../src/register/kept-csv.ts';
import { renderCsv } from '../../../src/render/csv.ts';
import type { Dialect } from '../../../src/render/formats.ts';
import { decisionRecords } from '../../../src/report/accept/decisions.ts';
import { recordsSheet } from '../../../src/report/common/workbook.ts';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { bankMatch, entryShare } from '../bank/build-bank.ts';
import { idOf, lisbon, reconciled, settlement } from '../build-report.ts';

const settlements = [
  reconciled(settlement({ id: idOf(1) }), { gross: 500n }),
  reconciled(settlement({ id: idOf(2) })),
  reconciled(settlement({ id: idOf(3), currency: 'JPY', scale: 0 }), { fees: 700n }),
];

const unknown = entryShare({ id: '0123456789012345', amount: 12_345n });

/** Two settlements together with a difference, and an entry that nobody knows. */
const matches = [
  bankMatch({ state: 'difference', entries: [entryShare({ amount: 19_000n })] }, [
    settlement({ id: idOf(4) }),
    settlement({ id: idOf(5) }),
  ]),
  bankMatch({ state: 'unknown_on_bank', entries: [unknown], received: unknown.amount }, []),
  bankMatch({ state: 'missing_on_bank' }, [settlement({ id: idOf(6) })]),
];
const found = () => decisionsOf(settlements, matches, undefined);
const told = {
  names: new Map([[lisbon, 'Lisbon']]),
  causes: new Map([[idOf(1), 'A row.']]),
  bank: { matching: { netted: [], near: new Map(), takenBack: new Map() } },
};
const recordsNow = () => decisionRecords(decisionsDue(found()), told);

/** The list as a file, filled in, without the pay-out that is missing. */
async function filledIn(dialect: Dialect): Promise<readonly WrittenDecision[]> {
  const path = join(await temporaryFolder(), 'decisions.csv');
  const { columns, rows } = recordsNow();
  const at = columns.findIndex(({ key }) => key === 'decision');
  const own = [...rows].filter((row) => !row.includes(idOf(6)));
  const filled = own.map((row) => row.toSpliced(at, 2, 'accept', 'known'));
  writeFileSync(path, [...renderCsv({ columns, rows: filled }, dialect)].join(''));
  const [file] = await filesAt([path], 'List');
  return file ? readDecisions(file) : [];
}

async function judged(
  written: readonly WrittenDecision[],
  lines: readonly AcceptedLine[] = [],
  isClosed = () => false,
) {
  const csv = await readKeptCsv(join(await temporaryFolder(), 'none.csv'));
  const register = { csv, lines, register: 'none.csv', today: '2026-04-01', replaces: false };
  const against = { ...register, decisions: found(), matches: [], isClosed };
  return judgeDecisions(written, against, false);
}

describe('the list of decisions', () => {
  it('has a line for each difference that needs a decision, the largest first', () => {
    const csv = [...renderCsv(recordsNow(), 'rfc')].join('');
    expect(csv.split('\r\n')[0]).toBe(decisionColumns.join(','));
    const lines = readRecords(csv);
    const seen = ['kind', 'settlement_id', 'account', 'expected_seen', 'received_seen'];
    expect(lines.map((line) => [...seen, 'difference_seen'].map((key) => line[key]))).toEqual([
      ['pay_in', idOf(3), 'Lisbon', '10520', '9820', '-700'],
      ['unknown', '0123456789012345', expect.any(String), '0.00', '123.45', '123.45'],
      ['bank', idOf(6), 'Lisbon', '98.20', '0.00', '-98.20'],
      ['bank', idOf(4), 'Lisbon', '196.40', '190.00', '-6.40'],
      ['pay_in', idOf(1), 'Lisbon', '93.20', '98.20', '5.00'],
    ]);
    expect(lines.map((line) => line['cause'])).toEqual([
      '',
      expect.stringContaining('123.45 EUR'),
      '',
      expect.stringContaining('190.00 EUR'),
      'A row.',
    ]);
  });

  it('leaves out differences that are accepted', () => {
    const [receipt] = decisionsDue(found()).flatMap(({ difference }) =>
      'entryId' in difference ? difference : [],
    );
    if (!receipt) throw new RangeError('no receipt');
    const line: AcceptedReceipt = {
      ...{ ...receipt, reason: 'x', by: '', on: '2026-04-01', until: undefined, account: '' },
    };
    const accepted = {
      ...acceptedOn('2026-04-01', []),
      receipts: new Map([[receiptKey(line), line]]),
    };
    const left = decisionsDue(decisionsOf(settlements, matches, accepted));
    expect(left.map(({ difference }) => 'entryId' in difference)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it.each(['rfc', 'excel', 'excel-eu'] as const)(
    'is accepted as it was written in the dialect %s',
    async (dialect) => {
      const { judged: lines, placedChanges } = await judged(await filledIn(dialect));
      expect(lines.map(({ status }) => status)).toEqual(Array(4).fill('accepted'));
      expect(placedChanges.map(({ line }) => line.reason)).toEqual(Array(4).fill('known'));
    },
  );

  it('has columns that a sheet names by their titles', () => {
    const { columns } = recordsSheet('Decisions', recordsNow());
    expect(columns.map(({ title }) => title.toLowerCase().replaceAll(' ', '_'))).toEqual([
      ...decisionColumns,
    ]);
  });
});

describe('a line of the list', () => {
  const change = (one: WrittenDecision | undefined, cells: Partial<WrittenDecision['cells']>) => {
    if (!one) throw new RangeError('no line');
    return { ...one, cells: { ...one.cells, ...cells } };
  };

  it('may name any settlement of a batch, and decides it once', async () => {
    const batch = (await filledIn('rfc')).find(({ cells }) => cells.kind === 'bank');
    const sibling = change(batch, { settlement_id: idOf(5) });
    const alone = await judged([sibling]);
    expect(alone.placedChanges).toMatchObject([{ line: { settlementId: idOf(4) } }]);
    const both = await judged([sibling, change(batch, {})]);
    expect(both.judged.map(({ status }) => status)).toEqual([
      'twice_in_the_file',
      'twice_in_the_file',
    ]);
    expect(both.placedChanges).toEqual([]);
  });

  it('is refused against another decision of a close, and for a missing pay-out', async () => {
    const lines = await filledIn('rfc');
    const { placedChanges } = await judged(lines, [], () => true);
    const earlier = placedChanges.map(({ line }) => ({ ...line, reason: 'another' }));
    expect(earlier).toHaveLength(4);
    const closed = await judged(lines, earlier, () => true);
    expect(closed.judged.map(({ status }) => status)).toEqual(Array(4).fill('closed'));
    const open = await judged(lines, earlier);
    expect(open.judged.map(({ status }) => status)).toEqual(Array(4).fill('accepted'));
    const missing = change(lines[2], { settlement_id: idOf(6) });
    expect((await judged([missing])).judged).toMatchObject([
      {
        status: 'not_out_of_balance',
        problem: `Settlement ${idOf(6)} is missing from the bank statements, so there is no difference to accept.`,
      },
    ]);
  });

  it.each([
    ['-6,40', 'accepted'],
    ['-6.4', 'accepted'],
    ['(6.40)', 'accepted'],
    ['−6,400', 'invalid'],
    ['-6.41', 'changed'],
    ['6.40', 'changed'],
    ['-640', 'changed'],
    ['-6.405', 'changed'],
    ['-6.40 EUR', 'invalid'],
    ['', 'invalid'],
  ])('with the difference %j instead of -6.40 is %s', async (difference_seen, status) => {
    const batch = (await filledIn('rfc')).find(({ cells }) => cells.kind === 'bank');
    const { judged: lines } = await judged([change(batch, { difference_seen })]);
    expect(lines.map((one) => one.status)).toEqual([status]);
  });

  it.each([
    ['2026-06-30', ['2026-06-30']],
    ['2026/6/30', ['2026-06-30']],
    ['30.6.2026', ['2026-06-30']],
    ['30.06.26', ['2026-06-30']],
    ['30/06/2026', ['2026-06-30']],
    ['6/30/26', ['2026-06-30']],
    ['2026-06-30 00:00:00', ['2026-06-30']],
    ['46203', ['2026-06-30']],
    ['03/04/2026', ['2026-04-03', '2026-03-04']],
    ['04/04/2026', ['2026-04-04']],
    ['31.02.2026', []],
    ['June', []],
    ['1.2.3', []],
  ])('reads the date %s as %j', (cell, days) => {
    expect(daysWritten(cell)).toEqual(days);
  });
});
