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
import { type ListQuery, listQuery, page } from './listing.ts';
import type { Scenario } from './scenarios.ts';
import { isJson, type V2Tokens } from './tokens.ts';

/** What the service works with. */
interface ServiceParts {
  readonly scenario: Scenario;
  readonly tokens: V2Tokens;
  /** Whether a token of the V1 scheme is right. */
  readonly acceptsSigned: (token: string) => boolean;
  /** The only scheme that charges take; undefined where they take both. */
  readonly chargeScheme: 'v1' | 'v2' | undefined;
  /** The page that is given in the place of the one that is asked for. */
  readonly reshape: (query: ListQuery) => ListQuery;
}

/** The service on a good day: every request answered as the document says (doc 4.1 to 4.4). */
export function createService(parts: ServiceParts): (call: Call) => Answer {
  const { scenario, tokens, acceptsSigned, reshape, chargeScheme } = parts;
  // Which operations take which scheme is not shown (doc 5.4).
  const isAccepted = (token: string | undefined, scheme?: 'v1' | 'v2') =>
    token !== undefined &&
    ((scheme !== 'v1' && tokens.accepts(token)) || (scheme !== 'v2' && acceptsSigned(token)));
  const findCharge = chargeFinder(scenario);
  const list =
    (operation: ListQuery['operation'], shape: BodyShape, required: readonly string[] = []) =>
    ({ token, contentType, body }: Call): Answer => {
      if (!isAccepted(token)) return refusal();
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
    charge: ({ token, path }) => {
      if (!isAccepted(token, chargeScheme)) return bare(401, 'unauthorized');
      const charge = findCharge(chargeIdIn(path) ?? '');
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
