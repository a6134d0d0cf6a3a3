import { isSameId } from './exchange.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenarios.ts';

/** One page of one list, as it is asked for. */
export interface ListQuery {
  readonly operation: 'headers' | 'rows';
  /** The one settlement that is asked for; undefined for a list of headers. */
  readonly settlementId: unknown;
  /** The whole list. */
  readonly records: readonly WireRecord[];
  /** How many rows their header announces; undefined for a list of headers. */
  readonly announced: unknown;
  readonly offset: number;
  readonly limit: number;
  /** Records beyond the limit that come all the same. */
  readonly unasked: number;
}

type Body = Readonly<Record<string, unknown>>;

/** Doc 4.3, 4.4, 8. The headers' maximum is not shown; this one is the sandbox's own. */
const defaultLimit = 50;
const maximumLimit = { headers: 200, rows: 100 } as const;

/** The query of a checked request for headers (doc 4.3), or for the rows of a settlement (doc 4.4). */
export function listQuery(
  operation: ListQuery['operation'],
  scenario: Scenario,
  body: Body,
): ListQuery {
  const { settlementId, offset = 0, limit = defaultLimit } = body;
  const isOfRows = operation === 'rows';
  const filters = isOfRows ? { settlementId } : body;
  const asked = scenario.settlements.filter((settlement) => isAskedFor(settlement, filters));
  return {
    operation,
    settlementId,
    records: isOfRows ? asked.flatMap(({ rows }) => rows) : asked.map(({ header }) => header),
    announced: isOfRows ? asked[0]?.header['totalTransactions'] : undefined,
    offset: Number(offset),
    limit: Number(limit),
    unasked: 0,
  };
}

/** The records of a page. */
export function page(query: ListQuery): readonly WireRecord[] {
  const { operation, records, offset, limit, unasked } = query;
  return records.slice(offset, offset + Math.min(limit, maximumLimit[operation]) + unasked);
}

function isAskedFor({ header, filter }: ScenarioSettlement, body: Body): boolean {
  const { settlementId, mid, startDate, endDate } = body;
  if (settlementId !== undefined && !isSameId(header['settlementId'], settlementId)) return false;
  if (mid !== undefined && !isSameId(filter?.mid, mid)) return false;
  for (const name of ['cid', 'chid'] as const) {
    if (body[name] !== undefined && filter?.[name] !== body[name]) return false;
  }
  // A date alone filters nothing; both together filter, both days included (doc 4.3 rule 1).
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return true;
  // The date as written: the zone of the service's day is not shown.
  const date = filter?.date ?? String(header['settlementDate']).slice(0, 10);
  return startDate <= date && date <= endDate;
}
