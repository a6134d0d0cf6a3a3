import { isDay } from '../base/calendar.ts';
import { chargeFinder } from './charges.ts';
import {
  type Answer,
  type Call,
  chargeIdIn,
  failure,
  type Operation,
  refusal,
  success,
} from './exchange.ts';
import { headersQuery, type ListQuery, rowsQuery } from './listing.ts';
import type { Scenario, WireRecord } from './scenarios.ts';
import { isJson, type V2Tokens } from './v2-tokens.ts';

/** What the service works with. */
interface ServiceParts {
  readonly scenario: Scenario;
  readonly tokens: V2Tokens;
  /** Whether a token of the V1 scheme is right. */
  readonly acceptsSigned: (token: string) => boolean;
  /** The only scheme that charges take; undefined where they take both. */
  readonly chargeScheme: 'v1' | 'v2' | undefined;
  /** Cuts a page out of a list. */
  readonly page: (query: ListQuery) => readonly WireRecord[];
}

/** The service on a good day: every request answered as the document says (doc 4.1 to 4.4). */
export function createService(parts: ServiceParts): (call: Call) => Answer {
  const { scenario, tokens, acceptsSigned, page, chargeScheme } = parts;
  // Which operations take which scheme is not shown (doc 5.4).
  const isAccepted = (token: string | undefined, scheme?: 'v1' | 'v2') =>
    token !== undefined &&
    ((scheme !== 'v1' && tokens.accepts(token)) || (scheme !== 'v2' && acceptsSigned(token)));
  const findCharge = chargeFinder(scenario);
  const settlementOperation =
    (shape: BodyShape, required: readonly string[], queryOf: typeof headersQuery) =>
    ({ token, contentType, body }: Call): Answer => {
      if (!isAccepted(token)) return refusal();
      if (!isJson(contentType)) return failure('1000', 'Content-Type must be application/json');
      if (body === undefined) return failure('1000', 'the body must be a JSON object');
      const missing = required.filter((field) => body[field] === undefined);
      if (missing.length > 0) return failure('1020', `required: ${missing.join(', ')}`);
      const mistake = wrongType(body, shape);
      return mistake === undefined
        ? success(page(queryOf(scenario, body)))
        : failure('1000', mistake);
    };
  const knownIds = new Set(scenario.settlements.map(({ header }) => header['settlementId']));
  // A service that hands out odd ids (the scenario `hostile-text`) takes them back too.
  const settlementId = {
    ...uuid,
    holds: (value: unknown) => uuid.holds(value) || knownIds.has(value),
  };
  const paging = { limit: recordCount, offset: recordCount };
  const filters = { cid: integer, chid: integer, mid: uuid, startDate: date, endDate: date };
  const operations: Readonly<Record<Operation, (call: Call) => Answer>> = {
    token: tokens.exchange,
    headers: settlementOperation({ settlementId, ...filters, ...paging }, [], headersQuery),
    rows: settlementOperation({ settlementId, ...paging }, ['settlementId'], rowsQuery),
    charge: ({ token, path }) => {
      if (!isAccepted(token, chargeScheme)) return chargeRefusal;
      const charge = findCharge(chargeIdIn(path) ?? '');
      return charge === undefined ? chargeNotFound : { status: 200, body: charge };
    },
  };
  return (call) => {
    if (call.operation === undefined) return { status: 404, body: { error: 'not_found' } };
    const method = call.operation === 'charge' ? 'GET' : 'POST';
    if (call.method !== method) {
      return { status: 405, headers: { allow: method }, body: { error: 'method_not_allowed' } };
    }
    return operations[call.operation](call);
  };
}

/** How this operation fails beyond HTTP 401 is not shown (doc 7.1). It has no wrapper. */
const chargeRefusal: Answer = { status: 401, body: { error: 'unauthorized' } };
const chargeNotFound: Answer = { status: 404, body: { error: 'not_found' } };

/** What a field of a request body must be. */
interface FieldType {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

/** The fields of a request body and their types. Fields that aren't named are ignored. */
type BodyShape = Readonly<Record<string, FieldType>>;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const uuid: FieldType = {
  words: 'a UUID',
  holds: (value) => typeof value === 'string' && uuidForm.test(value),
};
const integer: FieldType = { words: 'an integer', holds: Number.isSafeInteger };
const recordCount: FieldType = {
  words: 'a non-negative whole number',
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const date: FieldType = {
  words: 'a date, YYYY-MM-DD',
  holds: (value) => typeof value === 'string' && isDay(value),
};

/** A sentence on the first field that has the wrong type; undefined where all are right. */
function wrongType(body: Readonly<Record<string, unknown>>, shape: BodyShape): string | undefined {
  const wrong = Object.entries(shape).find(
    ([field, { holds }]) => body[field] !== undefined && !holds(body[field]),
  );
  return wrong && `${wrong[0]} must be ${wrong[1].words}`;
}
