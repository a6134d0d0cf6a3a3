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
import type { Scenario, WireRecord } from './scenario.ts';
import type { SigningDesk } from './signing-desk.ts';
import { isJson, type TokenDesk } from './token-desk.ts';

/** What the service works with. */
interface ServiceParts {
  readonly scenario: Scenario;
  readonly tokens: TokenDesk;
  readonly signatures: SigningDesk;
  /** The only scheme that charges take; undefined where they take both. */
  readonly chargeScheme: 'v1' | 'v2' | undefined;
  /** Cuts a page out of a list. */
  readonly page: (query: ListQuery) => readonly WireRecord[];
}

/** The service on a good day: every request answered as the document says (doc 4.1 to 4.4). */
export function createService(parts: ServiceParts): (call: Call) => Answer {
  const { scenario, tokens, signatures, page, chargeScheme } = parts;
  // Which operations take which scheme is not shown (doc 5.4).
  const accepts = (token: string) => tokens.accepts(token) || signatures.accepts(token);
  const chargeAccepts = (token: string) =>
    chargeScheme === undefined
      ? accepts(token)
      : (chargeScheme === 'v1' ? signatures : tokens).accepts(token);
  const findCharge = chargeFinder(scenario);
  const knownIds = new Set(scenario.settlements.map(({ header }) => header['settlementId']));
  const operations: Readonly<Record<Operation, (call: Call) => Answer>> = {
    token: tokens.exchange,
    headers: (call) =>
      settlementOperation(call, accepts, headersShape(knownIds), [], (body) =>
        success(page(headersQuery(scenario, body))),
      ),
    rows: (call) =>
      settlementOperation(call, accepts, rowsShape(knownIds), ['settlementId'], (body) =>
        success(page(rowsQuery(scenario, body))),
      ),
    charge: ({ token, path }) => {
      if (token === undefined || !chargeAccepts(token)) return chargeRefusal;
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

/** What both settlement operations have in common: the credential, then the body. */
function settlementOperation(
  { token, contentType, body }: Call,
  accepts: (token: string) => boolean,
  shape: BodyShape,
  required: readonly string[],
  answer: (body: Readonly<Record<string, unknown>>) => Answer,
): Answer {
  if (token === undefined || !accepts(token)) return refusal();
  if (!isJson(contentType)) return failure('1000', 'Content-Type must be application/json');
  if (body === undefined) return failure('1000', 'the body must be a JSON object');
  const missing = required.filter((field) => body[field] === undefined);
  if (missing.length > 0) return failure('1020', `required: ${missing.join(', ')}`);
  const mistake = wrongType(body, shape);
  return mistake === undefined ? answer(body) : failure('1000', mistake);
}

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
const date: FieldType = { words: 'a date, YYYY-MM-DD', holds: isDate };

/** The headers' request (doc 4.3). */
function headersShape(knownIds: ReadonlySet<unknown>): BodyShape {
  return {
    settlementId: settlementId(knownIds),
    cid: integer,
    chid: integer,
    mid: uuid,
    startDate: date,
    endDate: date,
    limit: recordCount,
    offset: recordCount,
  };
}

/** The transactions' request (doc 4.4). */
function rowsShape(knownIds: ReadonlySet<unknown>): BodyShape {
  return { settlementId: settlementId(knownIds), limit: recordCount, offset: recordCount };
}

/** A service that hands out odd ids (the scenario `hostile-text`) takes them back too. */
function settlementId(knownIds: ReadonlySet<unknown>): FieldType {
  return { ...uuid, holds: (value) => uuid.holds(value) || knownIds.has(value) };
}

/** A sentence on the first field that has the wrong type; undefined where all are right. */
function wrongType(body: Readonly<Record<string, unknown>>, shape: BodyShape): string | undefined {
  for (const [field, type] of Object.entries(shape)) {
    if (body[field] !== undefined && !type.holds(body[field])) {
      return `${field} must be ${type.words}`;
    }
  }
  return undefined;
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  // 31 February parses, as a day of March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}
