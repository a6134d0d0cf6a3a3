import type { CloseRecord } from '../../src/model/close.ts';

const euros = { accountingToken: 'token-a', currency: 'EUR', scale: 2 };
const dollars = { accountingToken: 'token-b', currency: 'USD', scale: 3 };

/** A close of a month by its number, in two currencies. */
export function closeOf(number: number): CloseRecord {
  const figures = { received: 1n, over: 0n, short: 0n, charges: 0n };
  return {
    ...{ number, from: `2026-0${number}-01`, to: `2026-0${number}-28`, profile: 'spain' },
    ...{ service: 'host', at: '2026-04-01T00:00:00.000Z', by: 'Anna', note: '', forced: [] },
    ...{ reopens: undefined, tool: '1.0.0', bankAccounts: [], books: [], unexplained: [] },
    lines: [euros, dollars].map((account) => ({
      ...{ ...account, ...figures, opening: 5n, changed: 0n, settled: 7n, closing: 11n },
      ...{ gross: 9n, fees: 1n, tax: 1n, payInDifference: 0n },
    })),
    settlements: [],
    payouts: [
      {
        ...euros,
        ...figures,
        settlementIds: ['a', 'b'],
        date: '2026-01-02',
        payIn: 3n,
        dueUntil: '',
      },
    ],
    digests: [{ of: 'headers', form: 'headers/1', digest: 'd' }],
    steps: [],
    rungs: [],
    decided: [],
  };
}
