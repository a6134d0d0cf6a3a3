import { expect, test } from 'vitest';
import { explainRange } from '../../src/app/explain-settlement.ts';
import { ReconError } from '../../src/base/errors.ts';
import { defaultSettings as settings } from '../reconcile/judge.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeSource, numbered } from './fake-source.ts';

const query = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };

async function explain(source: FakeSource) {
  const request = { source, settings, isDeep: false, neighbourRows: false, ahead: 3 };
  const { range, settlements } = await explainRange(query, request);
  return { run: range?.run, settlements };
}

/** Settlement `number`, whose header is off by so much. */
function off(number: number, by: bigint) {
  const { gross, payIn } = buildSettlement();
  return buildSettlement({ id: uuid(number), gross: gross + by, payIn: payIn + by });
}

test('the settlements of a range that are out of balance are explained, each read once', async () => {
  const source = new FakeSource([...numbered(3), off(4, 5_00n), off(5, -5_00n)]);
  const { run, settlements } = await explain(source);
  expect(run?.settlements).toHaveLength(5);
  expect(settlements.map(({ reconciled }) => reconciled.settlement.id)).toEqual([uuid(4), uuid(5)]);
  expect(source.asked.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5].map(uuid));
  const [first] = settlements;
  expect(first?.explained.best?.causes.map(({ cause }) => cause.facts)).toMatchObject([
    { kind: 'opposite_difference', settlementId: uuid(5) },
  ]);
  expect(first?.around).toMatchObject({ neighbours: 4 });
});

test('a range whose settlements are all balanced has no explanations', async () => {
  const { run, settlements } = await explain(new FakeSource(numbered(3)));
  expect([run?.verdict, settlements]).toEqual(['balanced', []]);
});

test('a settlement that cannot be read makes the run incomplete, and the others are explained', async () => {
  const failure = new ReconError('network', 'No answer.');
  const source = new FakeSource([...numbered(1), off(2, 5_00n)], { [uuid(1)]: { failure } });
  const { run, settlements } = await explain(source);
  expect(run?.verdict).toBe('incomplete');
  expect(settlements).toHaveLength(1);
});

test('what holds in all settlements is said once, and each is explained by it', async () => {
  const { fees, payIn } = buildSettlement();
  const all = [1, 2, 3, 4].map((number) =>
    buildSettlement({ id: uuid(number), fees: fees + 25n, payIn: payIn - 25n }),
  );
  const { run, settlements } = await explain(new FakeSource(all));
  expect(run?.patterns).toMatchObject([{ settlements: 4, tested: 4, wholly: 4 }]);
  expect(settlements.map(({ explained }) => explained.best?.codes)).toEqual(
    all.map(() => ['pattern']),
  );
});
