import { isDay } from '../base/calendar.ts';
import { chargeFinder } from './charges.ts';
import {
  type Answer,
  type Call,
  failure,
  isSameId,
  type Operation,
  refusal,
  success,
} from './exchange.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenarios.ts';
import { type createTokens, isJson } from './tokens.ts';

/** What holds for the whole service. */
export interface ServiceSetting {
  /** How long a token lives, in seconds. */
  readonly tokenLife?: number;
  /** The only scheme that settlements take. */
  readonly scheme?: 'v1' | 'v2' | undefined;
  /** The only scheme that charges take. */
  readonly chargeScheme?: 'v1' | 'v2' | undefined;
}

/** What the service works with. */
interface ServiceParts extends Omit<ServiceSetting, 'tokenLife'> {
  readonly scenario: Scenario;
  readonly tokens: ReturnType<typeof createTokens>;
  /** The page that is given in the place of the one that is asked for. */
  readonly reshape: (query: ListQuery) => ListQuery;
}

/** The service on a good day: every request answered as the document says (doc 4.1 to 4.4). */
export function createService(parts: ServiceParts): (call: Call) => Answer {
  const { scenario, tokens, reshape, scheme, chargeScheme } = parts;
  const findCharge = chargeFinder(scenario);
  const list =
    (operation: ListQuery['operation'], shape: BodyShape, required: readonly string[] = []) =>
    ({ token, contentType, body }: Call): Answer => {
      // Which operations take which scheme is not shown (doc 5.4).
      if (!tokens.accepts(token, scheme)) return refusal();
      if (!isJson(contentType)) return failure('1000', 'Content-Type must be application/json');
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
  // A service that hands out odd ids (the scenario `hostile-text`) takes them back too.
  const knownIds = new Set(scenario.settlements.map(({ header }) => header['settlementId']));
  const settlementId: FieldType = ['a UUID', (value) => isUuid(value) || knownIds.has(value)];
  const paging = { limit: recordCount, offset: recordCount };
  const filters = { cid: integer, chid: integer, mid: uuid, startDate: date, endDate: date };
  const operations: Readonly<Record<Operation, (call: Call) => Answer>> = {
    token: tokens.exchange,
    headers: list('headers', { settlementId, ...filters, ...paging }),
    rows: list('rows', { settlementId, ...paging }, ['settlementId']),
    // How this operation fails beyond HTTP 401 is not shown (doc 7.1). It has no wrapper.
    charge: ({ token, chargeId = '' }) => {
      if (!tokens.accepts(token, chargeScheme)) return bare(401, 'unauthorized');
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

/** A failure without a wrapper. */
function bare(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** What a field of a request body must be, and whether it is. */
type FieldType = readonly [words: string, holds: (value: unknown) => boolean];

/** The fields of a request body and their types. Fields that aren't named are ignored. */
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

/** The records of a page. */
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
  // A date alone filters nothing; both together filter, both days included (doc 4.3 rule 1).
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return true;
  // The date as written: the zone of the service's day is not shown.
  const date = filter?.date ?? String(header['settlementDate']).slice(0, 10);
  return startDate <= date && date <= endDate;
}
