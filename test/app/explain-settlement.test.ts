import { describe, expect, test } from 'vitest';
import { explainSettlement } from '../../src/app/explain-settlement.ts';
import { ReconError } from '../../src/base/errors.ts';
import type { Allowance, HeaderList, SettlementQuery } from '../../src/model/source.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeSource, rowOf } from './fake-source.ts';

const unreadable = {
  record: uuid(1),
  field: 'amountPayIn',
  found: '"9.64"',
  expected: 'minor_units' as const,
};
const neighbour = (number: number) => buildSettlement({ id: uuid(number), date: '2026-03-04' });

/** A source whose list of neighbours is another than that of the id. */
class Around extends FakeSource {
  around: () => Promise<HeaderList> = () => this.header();

  override async headers(): Promise<HeaderList> {
    return this.around();
  }
}

function explain(source: FakeSource, id = uuid(1), neighbourRows = false) {
  return explainSettlement(id, {
    source,
    settings: defaultSettings,
    neighbourDays: 3,
    neighbourRows,
    isDeep: false,
    ahead: 8,
  });
}

/** The obstacles that kept the neighbours from being searched in full. */
async function obstacles(source: FakeSource, neighbourRows = false) {
  const { hypotheses } = (await explain(source, uuid(1), neighbourRows)).explained;
  return hypotheses.flatMap((one) =>
    one.outcome === 'not_searched' && one.codes[0] === 'neighbour' ? [one.obstacle] : [],
  );
}

const off = buildSettlement({ gross: 11_00n });

describe('the header of the settlement', () => {
  test.each([
    ['unreadable_header', { unreadable: [unreadable] }],
    ['unsteady_headers', { unsteady: 'walks_disagree' as const }],
  ])('causes a finding if it is not certain: %s', async (code, list) => {
    const source = new FakeSource([buildSettlement()], {}, list);
    const { reconciled, findings } = await explain(source);
    expect(reconciled.verdict).toBe('balanced');
    expect(findings.map((finding) => [finding.code, finding.weight])).toEqual([
      [code, 'incomplete'],
    ]);
  });

  test('is found with its conflicts, whatever the case of the letters in the id', async () => {
    const id = 'ABCDEF00-0000-4000-8000-000000000001';
    const one = buildSettlement({ id });
    const list = { conflicts: [[one, { ...one, status: 'settled_out_of_balance' }]] };
    const rows = { [id]: { batches: [[rowOf(id)]] } };
    const { reconciled } = await explain(new FakeSource([one], rows, list), id.toLowerCase());
    expect(reconciled.settlement.id).toBe(id);
    expect(reconciled.discrepancies.map(({ code }) => code)).toEqual(['conflicting_settlement']);
  });
});

describe('the search around the settlement', () => {
  test('is left out if the neighbours cannot be listed, and the rest is explained', async () => {
    const source = new Around([off]);
    source.around = () => Promise.reject(new ReconError('service', 'The service is unavailable.'));
    const { explained, around } = await explain(source);
    expect(explained.hypotheses.length).toBeGreaterThan(1);
    expect(around.neighbours).toBeUndefined();
    expect(await obstacles(source)).toEqual([
      { reason: 'neighbours_not_read', failure: 'The service is unavailable.' },
    ]);
  });

  test('ends the run if a failure ends the run', async () => {
    const source = new Around([off]);
    source.around = () => Promise.reject(new ReconError('authentication', 'No access.'));
    await expect(explain(source)).rejects.toThrow('No access.');
  });

  test('names an obstacle if rows of some neighbours could not be read', async () => {
    const failure = new ReconError('network', 'Nothing answers.');
    const source = new FakeSource([off, neighbour(2), neighbour(3)], { [uuid(3)]: { failure } });
    expect(await obstacles(source, true)).toEqual([
      { reason: 'neighbour_rows_not_read', unread: 1, neighbours: 2 },
    ]);
  });

  test.each([
    ['list', { unreadable: [unreadable] }],
    ['list', { unsteady: 'walks_disagree' as const }],
  ])('names an obstacle if the %s is not certain: %o', async (_, list) => {
    const source = new FakeSource([off, neighbour(2)], {}, list);
    expect(await obstacles(source)).toEqual([
      { reason: 'neighbours_uncertain' },
      { reason: 'no_neighbour_rows' },
    ]);
  });
});

describe('settlements more than 3 days away', () => {
  test.each([
    [6, ['2026-03-02..2026-03-08', '2026-02-19..2026-03-19'], 14],
    [7, ['2026-03-02..2026-03-08'], 3],
  ])('are listed unless the nearest take more than 6 requests: %i', async (takes, ranges, days) => {
    const asked: string[] = [];
    const source = new FakeSource([off, neighbour(2)]);
    const headers = async ({ range }: SettlementQuery, allowance?: Allowance) => {
      asked.push(`${range.from}..${range.to}`);
      if (allowance) allowance.left -= takes;
      return source.header();
    };
    Object.assign(source, { headers });
    const request = { source, settings: defaultSettings, ahead: 8 };
    const how = { neighbourRows: false, isDeep: false };
    const { around, explained } = await explainSettlement(uuid(1), { ...request, ...how });
    expect([asked, around.days]).toEqual([ranges, days]);
    const limited = { reason: 'requests_limited', days: 3, left: 0, neighbours: 1 };
    const obstacles = explained.hypotheses.flatMap((one) =>
      'obstacle' in one ? [one.obstacle] : [],
    );
    expect(obstacles).toEqual(days === 3 ? expect.arrayContaining([limited]) : []);
  });
});
