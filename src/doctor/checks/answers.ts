import type { Exchange, ProbedPage } from '../../model/probe.ts';
import { pageSizes } from '../../model/source.ts';
import { firstOf, many, present, rangeText, withoutStop } from '../../report/common/phrase.ts';
import { oddAnswersText, unreadableText } from '../../report/common/words.ts';
import { type Checks, result, seenSettlements, warningIf } from '../examination.ts';

const slow = 3_000;

export const answerChecks = {
  settlements({ answers: { first }, query: { range } }) {
    if (!first) return undefined;
    const received = first.keys.length;
    const came = received === 0 ? 'none found' : `1 requested, ${received} returned`;
    return warningIf(
      received !== 1,
      { ...range, asked: 1, received },
      `${came} (${rangeText(range)})`,
      received === 0
        ? 'Look further back, for example with --days 60.'
        : 'Ask the service about the page limit. recon accepts what is returned.',
    );
  },

  settlement_pages({ answers: { settlementPages: pages } }) {
    if (!pages?.[0]?.keys.length) return undefined;
    return twoPages('settlement', pageSizes.headers, pages);
  },

  /** The same of the rows of the settlement that has the most of them. */
  transaction_pages({ answers: { largest, rowPages } }) {
    if (!rowPages || !largest) return undefined;
    const { id: settlementId, transactions: announced } = largest;
    const pages = twoPages('transaction', pageSizes.rows, rowPages);
    const { received, next } = pages.facts;
    const facts = { settlementId, announced, ...pages.facts };
    const isShort = received < announced && (received === 0 || next === 0);
    if (!isShort) return { ...pages, facts };
    return result(
      'warning',
      facts,
      `${received} of ${announced} announced transactions were returned, and no more (settlement ${settlementId})`,
      'recon settlements reads such a list again and reports what is missing.',
    );
  },

  latency({ sightings: { exchanges } }) {
    const answered = exchanges.filter(({ status }) => status !== undefined);
    const times = answered.map(({ ms }) => ms).sort((one, other) => one - other);
    const slowestMs = times.at(-1);
    if (slowestMs === undefined) return undefined;
    const medianMs = times[Math.floor((times.length - 1) / 2)] ?? slowestMs;
    const mended = exchanges.filter((one) => wasMended(one, exchanges));
    const repeated = mended.map(({ failure = '' }) => failure);
    const took =
      times.length === 1
        ? `1 answer in ${duration(slowestMs)}`
        : `${times.length} answers: median ${duration(medianMs)}, slowest ${duration(slowestMs)}`;
    const reasons = firstOf([...new Set(repeated.map(withoutStop))]);
    return warningIf(
      slowestMs >= slow || repeated.length > 0,
      { answers: times.length, medianMs, slowestMs, repeated },
      `${took}${reasons && `; ${many(repeated.length, 'request')} repeated: ${reasons}`}`,
      repeated.length > 0
        ? 'Try again later. If it persists, ask the service. recon retries failed requests for a while.'
        : 'If it persists, ask the service. Requests time out after 30 seconds.',
    );
  },

  records({ answers, sightings: { oddAnswers, unknownFields } }) {
    if (!answers.first) return undefined;
    const { settlementPages = [], rowPages = [] } = answers;
    const faults = [...settlementPages, ...rowPages].flatMap((page) => page.unreadable);
    const byField = new Map(faults.map((one) => [`${one.record} ${one.field}`, one]));
    const unreadable = [...byField.values()];
    const facts = {
      settlements: seenSettlements(answers).length,
      transactions: new Set(rowPages.flatMap(({ keys }) => keys)).size,
      unreadable,
      unknownFields,
      oddAnswers,
    };
    const unread = unreadableText(unreadable, unreadable.length);
    const unknown = unknownFields.map(({ record, fields }) => `${firstOf(fields)} (${record})`);
    const odd = oddAnswersText(oddAnswers);
    const found = present(
      `${many(facts.settlements, 'settlement')} and ${many(facts.transactions, 'transaction')} checked`,
      unread && `cannot be read: ${unread}`,
      unknown.length > 0 && `fields not in the service's document: ${unknown.join(', ')}`,
      odd && `not as documented: ${odd}`,
    ).join('; ');
    const report =
      'Report the record and the field to the service. recon draws no conclusion about such a settlement.';
    const ask =
      'No action needed: recon can read the data. Ask the service whether its interface has a newer version.';
    if (unreadable.length > 0) return result('failure', facts, found, report);
    return warningIf(unknownFields.length > 0 || oddAnswers.length > 0, facts, found, ask);
  },
} satisfies Checks;

/** The first page of a list, and what came at the offset behind it, if it was asked for. */
function twoPages(what: string, asked: number, [first, second]: readonly ProbedPage<unknown>[]) {
  const known = new Set(first?.keys);
  const received = first?.keys.length ?? 0;
  const next = second?.keys.length ?? null;
  const repeated = second?.keys.filter((key) => known.has(key)).length ?? 0;
  const facts = { asked, received, next, repeated };
  if (received === 0) return result('ok', facts, `no ${what}s`);
  const came = `${received} of ${asked} requested ${what}s returned`;
  // A page that repeats what came before can't be told from one that hides something.
  if (repeated > 0 && repeated === next) {
    return result(
      'failure',
      facts,
      `${came}, and the next page repeats them`,
      'Ask the service about the offset: lists longer than one page cannot be read.',
    );
  }
  const isCut = received < asked && !!next;
  const isLast = received < asked && !next;
  const limit = isCut
    ? ` although there are more: the page limit is ${received}`
    : `${isLast ? ', and there are no more' : ''}: the page limit is at least ${received}`;
  return warningIf(
    isCut || repeated > 0,
    facts,
    `${came}${limit}${repeated === 0 ? '' : `; ${repeated} repeated on the next page`}`,
    repeated > 0
      ? 'Ask the service why. recon reads such lists again.'
      : 'No action needed: recon makes more requests. If reading takes too long, ask the service.',
  );
}

function wasMended(one: Exchange, exchanges: readonly Exchange[]): boolean {
  if (one.failure === undefined) return false;
  const later = exchanges.slice(exchanges.indexOf(one) + 1);
  const next = later.find(({ path, attempt }) => path === one.path && attempt === one.attempt + 1);
  return next !== undefined && next.failure === undefined;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(ms, 1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
