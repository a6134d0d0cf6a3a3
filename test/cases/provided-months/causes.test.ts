import { expect, test } from 'vitest';
import { openDesk } from './desk.ts';
import { minorOf, month, type Payout } from './ledger.ts';
import { jsonOf, type ReportJson, type SettlementJson } from './said.ts';
import { seeds } from './seeds.ts';
import { causeOf, hasRival, type TrueSettlement, truthOf } from './truth.ts';

/** The first explanation: its codes, and whether its rows are the line that something befell. */
function firstOf({ tested = [], currency }: SettlementJson, truth: TrueSettlement) {
  const [first] = tested;
  const line = causeOf(truth)?.line;
  const rows = (first?.rows ?? []).map(({ amount, fees }) =>
    [amount, fees].map((one) => minorOf(one.amount, currency)).join(),
  );
  return {
    isExplained: first?.outcome === 'explains',
    codes: (first?.codes ?? []).join('+'),
    isLine: line === undefined || rows.join(' ') === [line.gross, line.fees].join(),
  };
}

function expectCause(
  said: SettlementJson,
  truth: TrueSettlement,
  all: readonly Payout[],
  where: string,
): void {
  const cause = causeOf(truth);
  const first = firstOf(said, truth);
  const isTrue = (cause?.codes.includes(first.codes) ?? false) && first.isLine;
  // Whatever is called certain is what happened.
  if (said.certainty === 'certain')
    expect.soft({ ...first, isTrue }, where).toMatchObject({ isTrue: true });
  if (cause === undefined || said.verdict !== 'out_of_balance') return;
  const isAmong = (said.tested ?? []).some(
    ({ codes, outcome }) => outcome === 'explains' && cause.codes.includes(codes.join('+')),
  );
  expect.soft(isAmong, `${where}: ${cause.codes[0]} among ${first.codes}`).toBe(true);
  if (!hasRival(truth, all))
    expect.soft({ ...first, isTrue }, where).toMatchObject({ isTrue: true });
}

test.each(seeds)('no cause is called certain that is not what happened: seed %i', async (seed) => {
  const { months, run } = await openDesk(seed);
  for (const one of months) {
    const { name } = one.provider;
    const args = ['--month', month.name, '--profile', name, '--format', 'json'];
    const explain = jsonOf<ReportJson>(await run(['explain', ...args]));
    const report = jsonOf<ReportJson>(await run(['settlements', ...args]));
    for (const truth of truthOf(one).settlements) {
      const { id } = truth.payout;
      const planted = truth.faults.map(({ kind }) => kind).join();
      const where = `seed ${seed}, ${id} (${planted})`;
      const said = explain.settlements.find((other) => other.id === id);
      if (said) expectCause(said, truth, one.provider.payouts, where);
      const brief = report.settlements.find((other) => other.id === id);
      const isKnown = causeOf(truth) !== undefined;
      if (brief?.certainty === 'certain') expect.soft(isKnown, where).toBe(true);
      const isOut = truth.isJudged && truth.verdicts[0] === 'out_of_balance';
      if (isOut) expect.soft(said?.id, where).toBe(id);
    }
  }
});
