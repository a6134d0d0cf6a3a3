import { keysOf } from '../../src/base/lists.ts';
import { newsKinds } from '../../src/model/night.ts';
import { reasonWords } from '../../src/report/dry-run/view.ts';
import { stateWords } from '../../src/report/export/view.ts';
import {
  about,
  closed,
  count,
  type Fields,
  flag,
  listOf,
  matching,
  named,
  object,
  oneOf,
  only,
  open,
  orNull,
  shared,
  table,
  text,
  texts,
} from './form.ts';
import {
  account,
  amount,
  failure as anyFailure,
  codes,
  day,
  days,
  document,
  fault,
  line,
  lines,
  overdueFacts,
  range,
  report,
  schema,
  sum,
  verdict,
} from './parts.ts';

const kind = shared('newsKind', oneOf(...newsKinds));
const failure = about('Why the run failed; null if it did not', orNull(anyFailure));
const ending: Fields = {
  profile: orNull(text),
  verdict,
  exitCode: count,
  publishedTo: about('The last day up to which none is missing', orNull(day)),
  lagDays: about('Days that are over and not published', orNull(count)),
};

const settlement: Fields = {
  id: text,
  date: orNull(day),
  ...account,
  currency: orNull(text),
  decimalPlaces: orNull(count),
  difference: about(
    'Pay-in, reported − computed; or on the bank, received − expected',
    orNull(amount),
  ),
  verdict,
  codes: codes,
};
const received = about('What the bank received, if no pay-out explains it', orNull(sum));
const news: Fields = {
  id: about('The same each time that it is reported', matching('^[0-9a-f]{16}$')),
  profile: orNull(text),
  kind,
  also: about('What else is new of the same settlement', listOf(kind)),
  day: orNull(day),
};
const differences = { settlements: count, absolute: listOf(sum) };
const onBank: Fields = { missing: count, differences: count, unknown: count };

/** `recon nightly`. */
export const nightly = report(
  { verdict },
  {
    profiles: [
      'profile',
      open({
        ...ending,
        folder: text,
        days: listOf(
          object({
            day,
            reason: oneOf(...keysOf(reasonWords)),
            state: oneOf(...keysOf(stateWords)),
            verdict,
          }),
        ),
        known: object({ ...differences, from: orNull(day), to: orNull(day) }),
        pending: count,
        overdue: count,
        knownUnread: days,
        incompleteDays: days,
        'stateDamaged?': only(true),
        'stateKeptAs?': text,
        'aheadTo?': day,
        'bank?': object({
          ...onBank,
          from: orNull(day),
          to: orNull(day),
          isRead: flag,
          matched: count,
          accepted: count,
          undecided: count,
          known: count,
          knownProblems: texts,
        }),
        error: orNull(fault),
      }),
    ],
    news: [
      'news',
      open({
        ...news,
        settlement: orNull(object(settlement)),
        received,
        overdue: orNull(overdueFacts),
        details: texts,
      }),
    ],
  },
);

/** What `notify_url` gets. */
export const notification = object({
  schema,
  event: only('recon.nightly'),
  text: about('The message, as Slack shows it', text),
  verdict,
  profiles: listOf(
    object({
      ...ending,
      news: about('How many of each kind', table(count, kind)),
      known: object(differences),
      pending: count,
      overdue: count,
      'stateDamaged?': only(true),
      'bank?': object(onBank),
      failure,
    }),
  ),
  news: listOf(
    object({
      ...news,
      settlement: orNull(
        object({ ...settlement, id: about('Null unless it is a UUID', orNull(text)) }),
      ),
      received,
    }),
  ),
  more: about('How many news are left out', count),
});

const time = matching('^\\d{4}-\\d{2}-\\d{2}T.*Z$');

/** `status.json`. */
export const status = object({
  schema: only(1),
  finishedAt: time,
  exitCode: count,
  lastSuccess: orNull(time),
  profiles: listOf(
    object({
      ...ending,
      lastSuccess: orNull(time),
      news: count,
      known: count,
      pending: count,
      overdue: count,
      'bank?': object({ coveredTo: orNull(day), ...onBank }),
      failure,
    }),
  ),
});

/** `recon nightly --dry-run`. */
export const nightlyDryRun = report(
  {
    dryRun: only(true),
    folders: texts,
    waiting: about('Pending settlements of other days, requested by their ids', count),
    swept: listOf(object({ profile: orNull(text), from: day, to: day })),
    requests: count,
    seconds: count,
  },
  {
    days: [
      'day',
      open({
        profile: orNull(text),
        day,
        reason: oneOf(...keysOf(reasonWords)),
        settlements: count,
        transactions: count,
        requests: count,
      }),
    ],
  },
);

const plan = named(
  'plan',
  open({
    dryRun: only(true),
    range,
    settlements: count,
    transactions: count,
    requests: object({ total: count, headers: count, rows: count, proofs: count }),
    estimate: object({
      seconds: count,
      millisecondsPerPage: count,
      concurrency: count,
      requestsPerSecond: orNull({ type: 'number' }),
    }),
    complete: flag,
  }),
);

/** `recon settlements --dry-run` and `recon transactions --dry-run`. */
export const dryRun = document(closed(plan, { schema }), lines(line('plan', plan)));
