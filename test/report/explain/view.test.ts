import { describe, expect, test } from 'vitest';
import type { SettlementExplanation } from '../../../src/app/explain-settlement.ts';
import { contenders } from '../../../src/explain/explained.ts';
import { listRenderers } from '../../../src/render/index.ts';
import type { Block } from '../../../src/report/common/view.ts';
import { explainView, explainViews } from '../../../src/report/explain/view.ts';
import {
  briefExplanation,
  type ExplainReport,
  explanationSentence,
} from '../../../src/report/explain/words.ts';
import { buildRow, uuid } from '../../support/build.ts';
import { explained, explainReport, oneLeftOut, row, sixRows, sums } from '../build-explained.ts';

function shown(one: SettlementExplanation): string {
  const options = { dialect: 'rfc', screen: { width: 80, colour: false } } as const;
  const report = explainReport([one], { flags: '--sandbox' });
  return [...listRenderers.table.report(explainViews(report), options)].join('');
}

/** The sentences of a block, by its title. */
function said(
  one: SettlementExplanation,
  title: string,
  changes: Partial<ExplainReport> = {},
): readonly string[] {
  return explainView(explainReport([one], changes)).flatMap((block) =>
    block.kind === 'remarks' && block.title === title ? block.remarks.map(({ text }) => text) : [],
  );
}

function answerOf(one: SettlementExplanation): Extract<Block, { kind: 'answer' }> {
  const [first] = explainView(explainReport([one]));
  if (first?.kind !== 'answer') throw new Error('no answer first');
  return first;
}

function sentenceOf(one: SettlementExplanation): string {
  return explanationSentence(one.explained, one.reconciled.settlement.currency);
}

const missing = explained({
  header: sums([...sixRows, row(7, 20_00n, 50n, 10n), row(8, 5_00n, 90n, 4n)]),
});

describe('the explanation of one settlement', () => {
  test('has this form', () => {
    expect(shown(missing)).toMatchInlineSnapshot(`
      "OUT OF BALANCE
      Does not balance: transactions +2, gross +25.00, fees +1.40, tax +0.14, net
      pay-out +23.46 EUR. Possible cause found.

      Settlement        00000000-0000-4000-8000-000000000001 (2026-03-05)
      Account           Lisbon shop
      The service says  balanced (settled)
      The checks say    out of balance
      Everything read   yes: 6 transactions

      Arithmetic in EUR (net pay-out = gross - fees - tax)
                                  Reported  Computed  Difference
      ──────────────────────────  ────────  ────────  ──────────
      Gross                         181.94    156.94      +25.00
      - fees                          4.52      3.12       +1.40
      - tax                           0.76      0.62       +0.14
      = net pay-out that follows    176.66    153.20      +23.46
      Net pay-out reported          176.66    153.20      +23.46
      Transactions                    8         6          +2

      Possible cause
        = The settlement counts 2 transactions that are not listed: gross 25.00, fees
          1.40, tax 0.14 EUR. This would fit any difference, so it is not proof. This
          may be a coincidence.

      Other causes
        x 23 other causes were ruled out; --all lists them.

      Not searched
        ? neighbouring settlements: none were read

      Next
        > Ask the provider: "Please list all transactions counted in the settlement,
          or correct the settlement."
        > recon explain 00000000-0000-4000-8000-000000000001 --sandbox # also compare
          neighbours up to 14 days before and after
        > recon explain --month 2026-03 --sandbox # also compare all settlements of
          the month
        > recon explain 00000000-0000-4000-8000-000000000001 --format markdown
          --sandbox # a case to send to the provider
      "
    `);
  });

  test('has the cause, its certainty and the row in one sentence', () => {
    expect(sentenceOf(oneLeftOut())).toBe(
      `Cause: the settlement does not include one transaction: transaction ${uuid(1002)} ` +
        '(purchase, approved), gross 84.50, fees 1.43, tax 0.28 EUR.',
    );
  });

  test('says in a report of many if nothing is found, or nothing is to be found', () => {
    const brief = (one: SettlementExplanation) =>
      briefExplanation(one.explained, one.reconciled.settlement.currency);
    expect(brief(oneLeftOut())).toBe(sentenceOf(oneLeftOut()));
    const unexplained = explained({ header: { gross: 148_95n } });
    expect(brief(unexplained)).toBe('No explanation found. recon explain searches further.');
    const foreign = { id: uuid(7), settlementId: uuid(2), amount: 0n, fees: 0n, tax: 0n };
    const agreeing = explained({
      rows: [...sixRows, buildRow(foreign)],
      header: { transactions: 7 },
    });
    expect(agreeing.reconciled.verdict).toBe('out_of_balance');
    expect(brief(agreeing)).toBe('All sums agree; other findings put it out of balance.');
  });

  test('never calls a cause certain if it fits any difference', () => {
    const text =
      'the settlement counts 2 transactions that are not listed: gross 25.00, fees 1.40, tax 0.14 EUR. ' +
      'This would fit any difference, so it is not proof.';
    expect(sentenceOf(missing)).toBe(`Possible cause: ${text} This may be a coincidence.`);
    expect(answerOf(missing).text).toContain('Possible cause found.');
    const usual = row(7, 20_00n, 45n, 9n);
    const inLine = explained({ header: sums([...sixRows, usual]) });
    expect(sentenceOf(inLine)).toBe(
      'Likely cause: the settlement counts one transaction that is not listed: gross 20.00, fees 0.45, ' +
        'tax 0.09 EUR. Its fees and tax are in line with the listed transactions.',
    );
  });

  test('says that the data cannot decide if rows fit equally', () => {
    const twin = row(7, 84_50n, 1_43n, 28n);
    const one = explained({ header: sums(sixRows), rows: [...sixRows, twin] });
    expect(sentenceOf(one)).toMatch(
      /^Possible cause: .* 2 transactions fit equally well; only one is shown\./,
    );
    expect(sentenceOf(one)).toContain(`transaction ${uuid(1002)} `);
    expect(answerOf(one).text).toContain('Several causes are possible.');
  });

  test('says that the data cannot decide if causes are about equally likely', () => {
    const rows = [
      row(1, 10_00n, 30n, 6n),
      row(2, 20_00n, 40n, 8n, { type: 'refund', state: 'declined' }),
      row(3, 7_00n, 10n, 2n, { type: 'refund', state: 'declined' }),
    ];
    const one = explained({ header: sums(rows.slice(0, 1)), rows });
    const fitting = contenders(one.explained).length;
    expect(fitting).toBeGreaterThan(1);
    expect(sentenceOf(one)).toContain(
      `${fitting - 1} other causes fit about as well; the data do not show which is right.`,
    );
    expect(said(one, 'Other possible causes')).toHaveLength(fitting - 1);
    expect(shown(one)).toMatch(
      /\nTransactions of one state not included in the settlement \(2\)\n/,
    );
  });

  test('says if nothing explains the difference', () => {
    const one = explained({ header: { gross: 148_95n } });
    expect(answerOf(one).text).toBe('Does not balance: gross -7.99 EUR. Not explained.');
    expect(said(one, 'Cause')).toEqual(['Not found.']);
    expect(sentenceOf(one)).toBe('');
  });

  test('lists the causes that were ruled out only on request', () => {
    const one = explained({ header: { gross: 148_95n } });
    const [short, ...others] = said(one, 'Other causes');
    expect(short).toMatch(/^\d+ other causes were ruled out; --all lists them\.$/);
    expect(others).toEqual([]);
    const listed = (title: string) => said(one, title, { listsAll: true });
    expect(listed('Unexplained')).toEqual(['gross -7.99 EUR: not explained.']);
    expect(listed('Full explanations')).toEqual([]);
    expect(listed('Ruled out')).toContain('another calculation of the net pay-out (8 tried)');
    expect(listed('Other causes')).toEqual([]);
  });

  test('has one line for what was not searched, with the reason if it matters', () => {
    const [why] = said(missing, 'Not searched');
    expect(why).toBe('neighbouring settlements: none were read');
    const certain = explained({ header: { payIn: 156_32n } });
    expect(certain.explained.certainty).toBe('certain');
    expect(said(certain, 'Not searched')).toEqual([]);
    expect(said(certain, 'Other causes').join()).toMatch(
      /^\d+ other causes were ruled out and 1 was not searched; --all lists them\.$/,
    );
  });

  test('begins with what was not read whole, and has no conclusion', () => {
    const one = explained({ outcome: { unsteady: 'walks_disagree' } });
    const blocks = explainView(explainReport([one], { flags: '--profile es' }));
    expect(blocks.slice(0, 2)).toMatchObject([
      { label: 'INCOMPLETE', text: expect.stringContaining('Cannot say whether it balances') },
      { title: 'Not fully read', remarks: [{ mark: '?' }] },
    ]);
    expect(said(one, 'Not searched')).toEqual(['all causes: the transactions were not fully read']);
    expect(blocks.at(-1)).toMatchObject({
      remarks: [{ text: `recon explain ${uuid(1)} --profile es # try again to read the rest` }],
    });
    expect(sentenceOf(one)).toBe('');
  });

  test('refers to the bank and the charges if only the service complains', () => {
    const one = explained({ header: { status: 'settled_out_of_balance' } });
    expect(answerOf(one).text).toContain('Only the service reports it as out of balance');
    expect(said(one, 'Next').slice(0, 2)).toEqual([
      'Check the bank statement for an entry of 153.20 EUR (reference PMT-1).',
      'Compare the transactions with your own charges: is one missing, or one too many?',
    ]);
  });

  test('suggests to compare neighbours if nothing else explains the difference', () => {
    const header = { gross: 148_95n };
    expect(said(explained({ header }), 'Next')[0]).toBe(
      `recon explain ${uuid(1)} # also compare neighbours up to 14 days before and after`,
    );
    const other = { ...missing.reconciled.settlement, id: uuid(2) };
    const looked = explained({ header, neighbours: [{ settlement: other }] });
    expect(said(looked, 'Next')[0]).toContain('--neighbour-rows ');
    const certain = explained({ header: { payIn: 156_32n } });
    expect(said(certain, 'Next').join()).not.toContain('neighbour');
  });

  test('has no causes if the settlement balances', () => {
    const one = explained();
    expect(answerOf(one)).toMatchObject({
      label: 'BALANCED',
      text: 'Balances: all sums agree.',
    });
    expect(explainView(explainReport([one])).map(({ kind }) => kind)).toEqual([
      'answer',
      'facts',
      'section',
    ]);
  });

  test('shows the equation of the identity, and none if it is off', () => {
    const labels = (identity: 'gross-fees' | 'off') => {
      const one = explained({ settings: { identity } });
      const { settings } = explainReport([]);
      const view = explainView(explainReport([one], { settings: { ...settings, identity } }));
      const [section] = view.filter((block) => block.kind === 'section');
      return section?.rows.map(({ cells }) => cells[0]);
    };
    expect(labels('gross-fees')?.slice(1, 4)).toEqual([
      '- fees',
      'Tax (not included)',
      '= net pay-out that follows',
    ]);
    expect(labels('off')?.slice(1, 4)).toEqual(['Fees', 'Tax', 'Net pay-out reported']);
  });
});
