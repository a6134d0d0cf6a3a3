import { type BodyShape, headersShape, rowsShape, wrongType } from './body-checks.ts';
import { type Answer, type Call, failure, type Operation, refusal, success } from './exchange.ts';
import { headersQuery, type ListQuery, rowsQuery } from './listing.ts';
import type { Scenario, WireRecord } from './scenario.ts';
import { isJson, type TokenDesk } from './token-desk.ts';

/** What the service works with. */
interface ServiceParts {
  readonly scenario: Scenario;
  readonly tokens: TokenDesk;
  /** Cuts a page out of a list. */
  readonly page: (query: ListQuery) => readonly WireRecord[];
}

/** The service on a good day: every request answered as the document says (doc 4.1, 4.3, 4.4). */
export function createService({ scenario, tokens, page }: ServiceParts): (call: Call) => Answer {
  const knownIds = new Set(scenario.settlements.map(({ header }) => header['settlementId']));
  const operations: Readonly<Record<Operation, (call: Call) => Answer>> = {
    token: tokens.exchange,
    headers: (call) =>
      settlementOperation(call, tokens, headersShape(knownIds), [], (body) =>
        success(page(headersQuery(scenario, body))),
      ),
    rows: (call) =>
      settlementOperation(call, tokens, rowsShape(knownIds), ['settlementId'], (body) =>
        success(page(rowsQuery(scenario, body))),
      ),
  };
  return (call) => {
    if (call.operation === undefined) return { status: 404, body: { error: 'not_found' } };
    if (call.method !== 'POST') {
      return { status: 405, headers: { allow: 'POST' }, body: { error: 'method_not_allowed' } };
    }
    return operations[call.operation](call);
  };
}

/** What both settlement operations have in common: the credential, then the body. */
function settlementOperation(
  { token, contentType, body }: Call,
  tokens: TokenDesk,
  shape: BodyShape,
  required: readonly string[],
  answer: (body: Readonly<Record<string, unknown>>) => Answer,
): Answer {
  if (token === undefined || !tokens.accepts(token)) return refusal();
  if (!isJson(contentType)) return failure('1000', 'Content-Type must be application/json');
  if (body === undefined) return failure('1000', 'the body must be a JSON object');
  const missing = required.filter((field) => body[field] === undefined);
  if (missing.length > 0) return failure('1020', `required: ${missing.join(', ')}`);
  const mistake = wrongType(body, shape);
  return mistake === undefined ? answer(body) : failure('1000', mistake);
}
