import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bankLines, bankVerdict } from '../../../src/app/bank-report.ts';
import { metOnBank } from '../../../src/cli/run-exit-code.ts';
import { acceptedOn } from '../../../src/reconcile/acceptance.ts';
import { entry } from '../../../src/reconcile/entry.ts';
import { renderCsv } from '../../../src/render/csv.ts';
import { bankHeadline, bankLabel } from '../../../src/report/bank/summary.ts';
import { bankViews } from '../../../src/report/bank/view.ts';
import { readRecords } from '../../cli/read-report.ts';
import { idOf, settlement } from '../build-report.ts';
import { bankEntry, bankMatch, bankReport, entryShare, everyState } from './build-bank.ts';

const fee = () => bankMatch({ state: 'difference', entries: [entryShare({ amount: 9_670n })] });

function recordsOf(matches: Parameters<typeof bankReport>[0]) {
  const views = bankViews(bankReport(matches));
  return readRecords([...renderCsv(views.records(), 'rfc')].join(''));
}

describe('the verdict of a bank report', () => {
  it('counts the pay-outs on the statements, and the others by state', () => {
    const report = bankReport(everyState());
    expect(bankLabel(report)).toBe('NOT RECONCILED');
    expect(bankHeadline(report)).toBe(
      '5 of 11 pay-outs are on the bank statements. 1 is not on the statements: 98.20 EUR. ' +
        '4 have a difference: +90.30 EUR net, 106.10 EUR absolute. 1 was returned: 98.20 EUR. ' +
        '1 has several possible matches: 98.20 EUR. 1 entry is unknown to the service: 123.45 EUR. ' +
        '1 has only a suggested entry: 98.20 EUR. ' +
        '1 cannot be checked: the statements do not cover its days. ' +
        'Waiting: 1 in transit, 1 pending.',
    );
  });

  it('is reconciled with waiting pay-outs and unrelated entries', () => {
    const calm = ['matched', 'in_transit', 'not_paid_yet', 'unrelated'];
    const report = bankReport(everyState().filter(({ state }) => calm.includes(state)));
    expect(bankLabel(report)).toBe('RECONCILED');
  });

  it('is reconciled with an unknown entry, unless the setting says otherwise', () => {
    const unknown = everyState().filter(({ state }) => state === 'unknown_on_bank');
    expect(bankLabel(bankReport(unknown))).toBe('RECONCILED');
    expect(bankHeadline(bankReport(unknown))).toContain('1 entry is unknown to the service');
    expect(bankLabel(bankReport(unknown, { decidesByUnknown: true }))).toBe('NOT RECONCILED');
  });

  it.each(['missing_on_bank', 'ambiguous', 'suggested', 'returned'] as const)(
    'is not reconciled with a pay-out that is %s',
    (state) => {
      const report = bankReport(everyState().filter((match) => match.state === state));
      expect(bankVerdict(report)).toBe('not_reconciled');
    },
  );

  it('names days without statements on its first line', () => {
    const report = bankReport(everyState().filter(({ state }) => state === 'not_covered'));
    expect(bankLabel(report)).toBe('RECONCILED, EXCEPT FOR DAYS WITHOUT STATEMENTS');
  });

  it('is incomplete if anything cannot be read, whatever else was found', () => {
    const unreadable = {
      ...{ code: 'unreadable' as const, account: '', currency: 'EUR', scale: 2 },
      ...{ from: '', to: '', place: { file: 'march.xml', line: 7 }, element: 'Amt' },
      ...{ found: '1,5.0', expected: 'an amount', difference: undefined },
    };
    expect(bankVerdict(bankReport([fee()], {}, [unreadable]))).toBe('incomplete');
    const days = [{ from: '2026-03-05', to: '2026-03-05' }];
    const findings = [entry('missing_day', 1, { examples: days })];
    expect(bankVerdict(bankReport([], { findings }))).toBe('incomplete');
  });

  it('is incomplete for an entry without a date only on the days of its statement', () => {
    const undated = (from: string, to: string) => ({
      ...{ code: 'undated' as const, account: '', currency: 'EUR', scale: 2, from, to },
      ...{ place: { file: 'march.xml', line: 7 }, element: 'Ntry', found: '5.00', expected: '' },
      difference: undefined,
    });
    const verdictOf = (from: string, to: string) =>
      bankVerdict(bankReport([], {}, [undated(from, to)]));
    expect(verdictOf('2026-03-31', '2026-04-30')).toBe('incomplete');
    expect(verdictOf('2026-02-01', '2026-03-01')).toBe('incomplete');
    expect(verdictOf('2026-04-01', '2026-04-30')).toBe('reconciled');
    expect(verdictOf('', '')).toBe('incomplete');
  });
});

/** A register that accepts these amounts for the first settlement. */
function acceptedOf(expected: bigint, received: bigint) {
  const line = {
    ...{ settlementId: idOf(1), settlementDate: '2026-03-04', accountingToken: '' },
    ...{ currency: 'EUR', scale: 2, expected, received, account: '' },
    ...{ reason: 'bank fee', by: '', on: '2026-04-01', until: undefined },
  };
  const onBank = new Map([[line.settlementId, line]]);
  return { ...acceptedOn('2026-04-02', []), onBank };
}

describe('an accepted difference', () => {
  it('keeps its figures and has no alarm', () => {
    const accepted = acceptedOf(9_820n, 9_670n);
    const report = bankReport([fee()], { accepted });
    expect(bankLabel(report)).toBe('RECONCILED, EXCEPT FOR ACCEPTED DIFFERENCES');
    const none = { 'missing-on-bank': 0, 'unknown-on-bank': 0, 'not-covered': 0 };
    expect(metOnBank(report)).toEqual({ ...none, difference: 0 });
    const open = bankReport([fee()]);
    expect(metOnBank(open)).toEqual({ ...none, difference: 1 });
    const [record] = readRecords([...renderCsv(bankViews(report).records(), 'rfc')].join(''));
    expect(record).toMatchObject({
      state: 'difference',
      accepted: 'accepted',
      difference: '-1.50',
    });
  });

  it('has an alarm again after a change of one minor unit, with its reason', () => {
    const report = bankReport([fee()], { accepted: acceptedOf(9_820n, 9_671n) });
    expect(bankVerdict(report)).toBe('not_reconciled');
    expect(inspect(bankViews(report).view(), { depth: null })).toContain(
      'accepted on 2026-04-01, but received changed from 96.71 to 96.70',
    );
  });

  it('applies to a whole batch of several settlements', () => {
    const both = bankMatch({ state: 'difference', entries: [entryShare({ amount: 19_000n })] }, [
      settlement(),
      settlement({ id: idOf(2) }),
    ]);
    const verdict = (expected: bigint, received: bigint) =>
      bankVerdict(bankReport([both], { accepted: acceptedOf(expected, received) }));
    expect(verdict(19_640n, 19_000n)).toBe('reconciled');
    expect(verdict(9_820n, 9_180n)).toBe('not_reconciled');
  });
});

describe('records', () => {
  const cents = (text = '') => BigInt(text.replace('.', '') || '0');
  const sum = (records: ReturnType<typeof recordsOf>, key: string) =>
    records.reduce((total, record) => total + cents(record[key]), 0n);

  it('add up to the matches, with any number of settlements and entries', () => {
    const matches = everyState().filter(({ state }) => state !== 'unrelated');
    const records = recordsOf(matches);
    const expected = matches.reduce((total, match) => total + match.expected, 0n);
    expect(sum(records, 'expected')).toBe(expected);
    expect(sum(records, 'match_expected')).toBe(expected);
    const off = matches.reduce((total, { difference = 0n }) => total + difference, 0n);
    expect(sum(records, 'match_difference')).toBe(off);
    const entries = matches.flatMap((match) => match.entries);
    expect(sum(records, 'bank_amount')).toBe(
      entries.reduce((total, one) => total + one.amount, 0n),
    );
  });

  it('never list unrelated entries', () => {
    expect([...bankLines(everyState())].some(({ match }) => match.state === 'unrelated')).toBe(
      false,
    );
    expect(JSON.stringify(bankViews(bankReport(everyState())).document())).not.toContain('Rent');
  });

  it('give each settlement of a batch its own amount if the sums agree', () => {
    const batch = bankMatch(
      { by: 'payment_information_id', entries: [entryShare({ amount: 19_640n })] },
      [settlement(), settlement({ id: idOf(2) })],
    );
    expect(
      recordsOf([batch]).map((one) => [one['match'], one['received'], one['bank_amount']]),
    ).toEqual([
      ['1', '98.20', '196.40'],
      ['1', '98.20', ''],
    ]);
  });

  it('describe a part of an entry with the bank text of that part', () => {
    const part = { ...bankEntry().details, texts: ['OF THE PART'], amount: 9_820n };
    const whole = { ...bankEntry().details, texts: ['OF THE WHOLE'] };
    const changes = {
      amount: 50_000n,
      details: whole,
      parts: [{ ...part, amount: 40_180n }, part],
    };
    expect(recordsOf([bankMatch({ entries: [entryShare(changes, 1)] })])).toEqual([
      expect.objectContaining({ bank_text: 'OF THE PART', bank_amount: '98.20', bank_part: '2' }),
    ]);
  });

  it('escape formulas in texts of a bank or a payer', () => {
    const details = { ...bankEntry().details, texts: ['=HYPERLINK("x")'], names: ['+cmd'] };
    const [record] = recordsOf([bankMatch({ entries: [entryShare({ details, amount: -1n })] })]);
    expect(record).toMatchObject({ bank_text: '\'=HYPERLINK("x")', counterparty: "'+cmd" });
    expect(record).toMatchObject({ bank_amount: '-0.01' });
  });

  it('never add amounts in another currency', () => {
    const dollars = entryShare({ currency: 'USD', amount: 10_500n });
    const match = bankMatch({
      ...{ state: 'difference', reason: 'other_currency', entries: [dollars] },
      ...{ received: 0n, difference: undefined },
    });
    expect(recordsOf([match])).toEqual([
      expect.objectContaining({
        ...{ currency: 'EUR', expected: '98.20', received: '', difference: '' },
        ...{ bank_amount: '105.00', bank_currency: 'USD' },
      }),
    ]);
  });
});

describe('a workbook', () => {
  it('has a note on its summary and in the sheet if a list is cut', () => {
    const entry = entryShare();
    const unknown = bankMatch({ state: 'unknown_on_bank', entries: [entry] }, []);
    const report = bankReport(Array.from({ length: 50_001 }, () => unknown));
    const { summary, tables } = bankViews(report).workbook?.() ?? { summary: [], tables: [] };
    const sheet = tables.find(({ name }) => name === 'Bank entries');
    const said = 'Showing 50,000 of 50,001; --format csv lists all.';
    expect(sheet?.rows).toHaveLength(50_001);
    expect(sheet?.rows.at(-1)).toEqual([said]);
    expect(summary).toContainEqual(
      expect.objectContaining({
        title: 'About the sheets',
        remarks: [expect.objectContaining({ text: `Bank entries: ${said}` })],
      }),
    );
  });

  it('has no note for a list that fits', () => {
    const { tables } = bankViews(bankReport(everyState())).workbook?.() ?? { tables: [] };
    expect(
      JSON.stringify(tables, (_, one) => (typeof one === 'bigint' ? `${one}` : one)),
    ).not.toContain('Showing');
  });
});
