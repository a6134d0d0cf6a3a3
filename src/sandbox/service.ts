import { isDay } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import { chargeFinder } from './charges.ts';
import { type Answer, type Call, failure, isSameId, type Operation, refusal } from './exchange.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenario.ts';
import { createTokens } from './tokens.ts';

interface ServiceParts {
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly reshape: (query: ListQuery) => ListQuery;
}

/** Answers every request as documented (doc 4.1 to 4.4). */
export function createService(parts: ServiceParts): (call: Call) => Answer {
  const { scenario, reshape } = parts;
  const tokens = createTokens(parts.clock);
  const findCharge = chargeFinder(scenario);
  const list =
    (operation: ListQuery['operation'], shape: BodyShape, required: readonly string[] = []) =>
    ({ token, isJson, body }: Call): Answer => {
      // Which scheme each operation takes is not documented (doc 5.4): both.
      if (!tokens.accepts(token)) return refusal();
      if (!isJson) return failure('1000', 'Content-Type must be application/json');
      if (body === undefined) return failure('1000', 'the body must be a JSON object');
      const missing = required.filter((field) => body[field] === undefined);
      if (missing.length > 0) return failure('1020', `required: ${missing.join(', ')}`);
      for (const [field, [words, holds]] of Object.entries(shape)) {
        if (body[field] !== undefined && !holds(body[field])) {
          return failure('1000', `${field} must be ${words}`);
        }
      }
      return success(page(reshape(listQuery(operation, scenario, body))));
    };
  // The scenario `hostile-text` has other ids.
  const knownIds = new Set(scenario.settlements.map(({ header }) => header['settlementId']));
  const settlementId: FieldType = ['a UUID', (value) => isUuid(value) || knownIds.has(value)];
  const paging = { limit: recordCount, offset: recordCount };
  const filters = { cid: integer, chid: integer, mid: uuid, startDate: date, endDate: date };
  const operations: Readonly<Record<Operation, (call: Call) => Answer>> = {
    token: tokens.exchange,
    headers: list('headers', { settlementId, ...filters, ...paging }),
    rows: list('rows', { settlementId, ...paging }, ['settlementId']),
    // Without a wrapper; failures beyond HTTP 401 are not documented (doc 7.1).
    charge: ({ token, chargeId = '' }) => {
      if (!tokens.accepts(token)) return bare(401, 'unauthorized');
      const charge = findCharge(chargeId);
      return charge === undefined ? bare(404, 'not_found') : { status: 200, body: charge };
    },
  };
  return (call) => {
    if (call.operation === undefined) return bare(404, 'not_found');
    const allow = call.operation === 'charge' ? 'GET' : 'POST';
    if (call.method === allow) return operations[call.operation](call);
    return { ...bare(405, 'method_not_allowed'), headers: { allow } };
  };
}

const bare = (status: number, error: string): Answer => ({ status, body: { error } });

type FieldType = readonly [words: string, holds: (value: unknown) => boolean];

type BodyShape = Readonly<Record<string, FieldType>>;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const isUuid = (value: unknown) => typeof value === 'string' && uuidForm.test(value);

const uuid: FieldType = ['a UUID', isUuid];
const integer: FieldType = ['an integer', Number.isSafeInteger];
const recordCount: FieldType = [
  'a non-negative whole number',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
];
const date: FieldType = [
  'a date, YYYY-MM-DD',
  (value) => typeof value === 'string' && isDay(value),
];

export interface ListQuery {
  readonly operation: 'headers' | 'rows';
  readonly settlementId: unknown;
  readonly records: readonly WireRecord[];
  /** As the header says; undefined for headers. */
  readonly announced: unknown;
  readonly offset: number;
  readonly limit: number;
  readonly unasked: number;
}

type Body = Readonly<Record<string, unknown>>;

/** Doc 4.3, 4.4, 8; the maximum for headers is not documented. */
const defaultLimit = 50;
const maximumLimit = { headers: 200, rows: 100 } as const;

/** The query of a checked request (doc 4.3, 4.4). */
function listQuery(operation: ListQuery['operation'], scenario: Scenario, body: Body): ListQuery {
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

function page(query: ListQuery): readonly WireRecord[] {
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
  // Only both dates filter, inclusive (doc 4.3 rule 1).
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return true;
  // The zone of the service's day is not documented.
  const date = filter?.date ?? String(header['settlementDate']).slice(0, 10);
  return startDate <= date && date <= endDate;
}

/** The wrapper around records (doc 2.6). */
function success(data: readonly unknown[]): Answer {
  return { status: 200, body: { status: { code: '0', response: 'Success' }, data } };
}
