import { describe, expect, test } from 'vitest';
import type { SettlementExplanation } from '../../../src/app/explain-settlement.ts';
import { listRenderers } from '../../../src/render/index.ts';
import { explainViews } from '../../../src/report/explain/view.ts';
import { explained, explainReport, oneLeftOut, row, sixRows, sums } from '../build-explained.ts';

function letter(one: SettlementExplanation): string {
  const options = { dialect: 'rfc', screen: { width: 80, colour: false } } as const;
  return [...listRenderers.markdown.report(explainViews(explainReport([one])), options)].join('');
}

describe('the case for the provider', () => {
  test('has this form', () => {
    expect(letter(oneLeftOut())).toMatchInlineSnapshot(`
      "## Settlement of 2026-03-05: out of balance

      Does not balance: transactions -1, gross -84.50, fees -1.43, tax -0.28, net pay-out -82.79 EUR. Cause found.

      - **settlementId:** 00000000-0000-4000-8000-000000000001
      - **merchantId:** merchant-1
      - **paymentService:** payments
      - **settlementStatus:** settled
      - **paymentReferences:** PMT-1
      - **All transactions read:** yes

      ### Arithmetic in EUR (net pay-out = gross - fees - tax)

      |                            | Reported | Computed | Difference |
      | -------------------------- | -------: | -------: | ---------: |
      | Gross                      |    72.44 |   156.94 |     -84.50 |
      | - fees                     |     1.69 |     3.12 |      -1.43 |
      | - tax                      |     0.34 |     0.62 |      -0.28 |
      | = net pay-out that follows |    70.41 |   153.20 |     -82.79 |
      | Net pay-out reported       |    70.41 |   153.20 |     -82.79 |
      | Transactions               |     5    |     6    |      -1    |

      ### Explanation

      - Cause: the settlement does not include one transaction: transaction 00000000-0000-4000-8000-000000001002 (purchase, approved), gross 84.50, fees 1.43, tax 0.28 EUR.

      ### Transaction of explanation 1

      | Transaction                          | Charge                               | Type     | State    | Currency | Gross | Fees |  Tax |
      | ------------------------------------ | ------------------------------------ | -------- | -------- | -------- | ----: | ---: | ---: |
      | 00000000-0000-4000-8000-000000001002 | 00000000-0000-4000-8000-000000002001 | purchase | approved | EUR      | 84.50 | 1.43 | 0.28 |

      ### Unexplained

      - 0: fully explained.

      ### Our request

      - Please explain why the settlement does not include what is listed, or correct the settlement.
      "
    `);
  });

  test('leaves out what is only for the merchant', () => {
    const secret = 'for our eyes only';
    const notes = [{ key: 'note', value: secret }];
    const rows = [...sixRows, row(7, 1_00n, 0n, 0n, { notes, orderId: secret, timestamp: secret })];
    const one = explained({ rows, header: { ...sums(sixRows), accountingToken: 'token-a' } });
    expect(letter(one)).not.toMatch(/for our eyes|token-a|Lisbon|E2E-1/);
  });

  test('shows text of the service as plain text', () => {
    const state = '</td>|<img src=x>[a](https://evil.example)\n# @all';
    const rows = [...sixRows, row(7, 3_00n, 10n, 2n, { state }), row(8, 4_00n, 9n, 2n, { state })];
    const text = letter(explained({ rows, header: { ...sums(sixRows), status: state } }));
    expect(text).toContain('&lt;/td&gt;\\|');
    expect(text).not.toMatch(/<|(?<!\\)\[|https:\/\/|[^`]@|^# /m);
  });

  test('has no request if the settlement balances', () => {
    expect(letter(explained())).not.toContain('Our request');
  });
});
