import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { SettlementsReport } from '../../src/app/settlements-report.ts';
import { entry } from '../../src/reconcile/entry.ts';
import { formats } from '../../src/render/formats.ts';
import { type ListFormat, listRenderers } from '../../src/render/index.ts';
import { widthOf } from '../../src/render/wrap.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { idOf, lisbon, month, reconciled, report, settlement } from '../report/build-report.ts';
import { hostile } from './hostile.ts';

function shown(from: SettlementsReport, width = 80, colour = false, format: ListFormat = 'table') {
  const views = settlementsViews(from);
  return [
    ...listRenderers[format].report(views, { dialect: 'rfc', screen: { width, colour } }),
  ].join('');
}

/** Text of the service at every place where it can stand. */
function hostileMonth(): SettlementsReport {
  const settlements = hostile.map((text, index) =>
    reconciled(
      settlement({
        id: `${index} ${text}`,
        accountingToken: text,
        currency: text,
        status: text,
        merchantId: text,
        paymentReferences: [text],
      }),
      { fees: 1n },
      [entry('unknown_value', 1, { examples: [{ field: 'settlementStatus', value: text }] })],
    ),
  );
  return report(settlements, { names: new Map([['first\rsecond', hostile[0] ?? '']]) });
}

describe('the table', () => {
  test.each([40, 60, 80, 120, 200])('has no line wider than %i columns', (width) => {
    const huge = settlement({ id: idOf(99), gross: -(2n ** 53n), payIn: -(2n ** 53n) - 180n });
    const names = new Map([[lisbon, '東京支店 and a long name that goes on and on and on 😀😀']]);
    const runs = [month(), hostileMonth(), report([reconciled(huge, { fees: 3n })], { names })];
    for (const line of runs.flatMap((run) => shown(run, width).split('\n'))) {
      expect(widthOf(line), line).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/\s$|…/);
    }
  });

  test('never cuts an amount or an id', () => {
    for (const width of [60, 80, 200]) {
      const text = shown(month(), width);
      for (const whole of [idOf(10), idOf(14), '-20.00', '+500']) expect(text).toContain(whole);
      expect(text).not.toContain('…');
    }
    // What is less important makes room for an id, here an accounting token in the totals.
    for (const width of [80, 120]) {
      expect(shown(month(), width)).toContain('45c48cce-2e2d-4fbd-9c3b-8e2c5d3f4a03');
    }
  });

  test('aligns decimals', () => {
    const lines = shown(month())
      .split('\n')
      .filter((line) => /^(45c48cce|Lisbon|Porto)/.test(line))
      // The first table has a line for each account.
      .slice(0, 3);
    const columnOf = (line: string) => line.search(/[.]\d\d$/);
    expect(lines.slice(1).map(columnOf)).toEqual([
      columnOf(lines[1] ?? ''),
      columnOf(lines[1] ?? ''),
    ]);
    expect(lines[0]?.length).toBe(columnOf(lines[1] ?? ''));
  });

  test('leaves out columns that do not fit, those of one kind together', () => {
    const narrow = shown(month(), 80);
    // The difference of each group stands beside what would hide in it.
    expect(narrow).toMatch(/ Net +Absolute\n/);
    expect(narrow).not.toMatch(/Gross|Balanced|Pending +net/);
    expect(shown(month(), 200)).toMatch(/Gross +Fees +Tax +Net\n/);
  });

  test('has the same text with colours and without', () => {
    const plain = shown(month());
    const coloured = shown(month(), 80, true);
    expect(plain).not.toContain('\x1b');
    expect(coloured).toContain('\x1b[31m-20.00\x1b[0m');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test('has this form', () => {
    expect(shown(month())).toMatchInlineSnapshot(`
      "INCOMPLETE
      13 settlements: 7 balanced, 4 out of balance, 1 pending, 1 incomplete. Net
      pay-out difference: -20.01 EUR net, 20.01 EUR absolute; +500 JPY net, 500 JPY
      absolute.

      Range            2026-03-01 to 2026-03-31 (inclusive)
      Profile          es
      Net pay-out      gross - fees - tax
      Tolerance        none
      Ignored checks   none
      Everything read  NO: 1 of 13 settlements not fully read

      Totals by account and currency (differences in net pay-out)
      Account                               Currency   Out of         Net    Absolute
                                                      balance  difference  difference
      ────────────────────────────────────  ────────  ───────  ──────────  ──────────
      45c48cce-2e2d-4fbd-9c3b-8e2c5d3f4a03  JPY             1     +500         500
      Lisbon shop                           EUR             2       -0.01        0.01
      Porto warehouse and outlet            EUR             1      -20.00       20.00
      ────────────────────────────────────  ────────  ───────  ──────────  ──────────
      Total                                 EUR             3      -20.01       20.01
      Total                                 JPY             1     +500         500
      Totals include 11 settlements, balanced or out of balance. Not included: 1
      pending and 1 incomplete.

      From gross to net pay-out (as reported)
      Account                               Currency         Net
                                                         pay-out
      ────────────────────────────────────  ────────  ──────────
      45c48cce-2e2d-4fbd-9c3b-8e2c5d3f4a03  JPY       495,640
      Lisbon shop                           EUR           785.59
      Porto warehouse and outlet            EUR            88.20
      ────────────────────────────────────  ────────  ──────────
      Total                                 EUR           873.79
      Total                                 JPY       495,640

      Out of balance: 4 settlements
      Date        Settlement                            Currency         Net
                                                                     pay-out
                                                                  difference
      ──────────  ────────────────────────────────────  ────────  ──────────
      2026-03-10  00000000-0000-4000-8000-000000000010  EUR            -0.01
        ! the service says balanced; the checks say out of balance
        ! fees: reported 1.51 EUR, computed 1.50 EUR (difference +0.01)
      2026-03-11  00000000-0000-4000-8000-000000000011  EUR           -20.00
        ! the service says balanced; the checks say out of balance
        ! gross: reported 100.00 EUR, computed 110.00 EUR (difference -10.00)
        ! transactions: reported 30, listed 31 (difference -1)
        - 1 transaction listed more than once, counted once (1 extra copy):
          00000000-0000-4000-8000-000000000991
      2026-03-12  00000000-0000-4000-8000-000000000012  EUR             0.00
        ! the service says out of balance; the checks say balanced
      2026-03-21  00000000-0000-4000-8000-000000000021  JPY          +500
        ! the service says balanced; the checks say out of balance
        ! gross: reported -4,000 JPY, computed -4,500 JPY (difference +500)

      Incomplete: 1 settlement
      Date        Settlement                            Account               Currency
      ──────────  ────────────────────────────────────  ────────────────────  ────────
      2026-03-14  00000000-0000-4000-8000-000000000014  Porto warehouse and   EUR
                                                        outlet
        ? 1 transaction cannot be read: 00000000-0000-4000-8000-000000000992
          (decimalPlaces: found "", expected a whole number from 0 to 18)

      Pending: 1 settlement, net pay-out 98.20 EUR
      Date        Settlement                            Account      Currency      Net
                                                                               pay-out
      ──────────  ────────────────────────────────────  ───────────  ────────  ───────
      2026-03-13  00000000-0000-4000-8000-000000000013  Lisbon shop  EUR         98.20

      Notes
        - The service and the checks disagree on 4 settlements: 3 settled according to
          the service but out of balance by the checks; 1 out of balance according to
          the service only.
        - 1 settlement is out of balance without a difference in net pay-out.

      Next
        > recon explain --from 2026-03-01 --to 2026-03-31 # why each does not balance
        > Report the record and the field to the provider. Reading again will not
          help.
      "
    `);
  });
});

describe('every format', () => {
  test.each(formats)('%s has no control characters of the service', (format) => {
    const text = shown(hostileMonth(), 80, false, format);
    expect(text).toContain('all is well');
    expect(text.replaceAll('\r\n', '\n')).not.toMatch(/[^\P{C}\n\u200c\u200d]|[\p{Zl}\p{Zp}]/u);
  });
});
