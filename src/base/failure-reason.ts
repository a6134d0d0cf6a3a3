import { cut } from './texts.ts';

/**
 * Why a request gave nothing, as a code and texts: an archive keeps it so, and every version words
 * it in its own way. Codes and facts are never renamed once released.
 */
export interface FailureReason {
  readonly code: string;
  /** Texts from outside by their names: addresses, codes, the words of the service. */
  readonly facts: Readonly<Record<string, string>>;
}

type Facts = FailureReason['facts'];

/** What connection errors of Node mean, before the address. */
const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No connection to',
  ENOTFOUND: 'Host not found:',
  EAI_AGAIN: 'DNS lookup failed for',
  ECONNRESET: 'Connection closed by',
  UND_ERR_SOCKET: 'Connection closed by',
  UND_ERR_CONNECT_TIMEOUT: 'Timed out connecting to',
  UND_ERR_HEADERS_TIMEOUT: 'No answer in time from',
  UND_ERR_BODY_TIMEOUT: 'No complete answer in time from',
  ETIMEDOUT: 'No answer in time from',
  TimeoutError: 'No complete answer in time from',
};
const noHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/;

/** The first words of each answer that is a failure; what the answer was follows them. */
const answers = {
  failure_with_success_code: 'The service reports a failure, but with the code for success',
  rate_limit: 'The rate limit of the service is exceeded',
  general_exception: 'The service reports a general exception',
  access_denied: 'The service denies access',
  token_rejected: 'The service rejects the access token',
  not_implemented: 'The service reports that this operation is not implemented',
  missing_parameters: 'The service reports missing required parameters',
  database_not_read: 'The service could not read its database',
  undocumented_code: 'The service returned an undocumented code',
  not_processed: 'The service failed to process the request',
  redirect: 'The service redirects to another address; recon does not follow redirects',
  unreadable_answer: 'The service returned an unreadable answer',
  request_rejected: 'The service rejects the request',
  charge_not_found: 'The charge was not found, or access to it was denied',
} as const;

export type AnswerCode = keyof typeof answers;

const others: Readonly<Record<string, (facts: Facts) => string>> = {
  no_records: () => 'The service returned no data, but records were expected.',
  no_list: () => 'The service returned data that is not a list.',
  other: ({ message = '' }) => message,
  too_many_requests: () => 'It takes too many requests.',
  skipped: ({ failures }) => `skipped after ${failures} settlements in a row could not be read`,
  answer_too_large: ({ from }) => `The answer from ${from} is too large.`,
  proxy_login: ({ proxy }) => `The proxy ${proxy} requires a valid user and password (HTTP 407).`,
  proxy_refused: ({ proxy, to, http }) =>
    `The proxy ${proxy} did not connect to ${to} (HTTP ${http}).`,
  certificate: ({ peer, error }) => `The certificate of ${peer} is not trusted (${error}).`,
  no_connection: ({ peer, error = '' }) => {
    const found = noHttp.test(error) ? 'No valid HTTP answer from' : connectionErrors[error];
    return `${found ?? 'The request failed:'} ${peer} (${error}).`;
  },
};

/** Long texts of the service are cut, in the sentence and in each fact. */
export const longestReason = 500;

/** The sentence of a reason; a code of a newer version is named, for its words are not known here. */
export function reasonText(reason: FailureReason): string {
  return cut(sentenceOf(reason), longestReason);
}

function sentenceOf({ code, facts }: FailureReason): string {
  const answer = Object.hasOwn(answers, code) ? answers[code as AnswerCode] : undefined;
  if (answer !== undefined) return `${answer} (${answerText(facts)}).`;
  const other = Object.hasOwn(others, code) ? others[code] : undefined;
  return other?.(facts) ?? `It failed: ${[code, ...Object.values(facts)].join(', ')}.`;
}

/** The wrapper's code and words if there was a wrapper (doc 7.2), else the HTTP status and the body's kind. */
function answerText({ code, number, response, message, http, type, body }: Facts): string {
  if (http !== undefined) {
    const kind = body === 'empty' ? 'an empty body' : type || 'no content type';
    return `HTTP ${http}, ${kind}${body === 'not_utf8' ? ', not in UTF-8' : ''}`;
  }
  const asNumber = number === 'yes' ? ', written as a number' : '';
  return [`code ${code}${asNumber}`, response, message].filter(Boolean).join(', ');
}
