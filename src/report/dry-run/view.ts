import type { NightPreview } from '../../app/night-result.ts';
import type { RunPlan } from '../../app/plan-run.ts';
import type { DayReason } from '../../model/night.ts';
import type { DateRange } from '../../model/source.ts';
import { answerBlock, column, facts, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { grouped, many, present, rangeText, wholeRangeText } from '../common/phrase.ts';
import { schema, type Views } from '../common/view.ts';

interface PlanReport {
  readonly range: DateRange;
  readonly plan: RunPlan;
}

const planColumns: readonly Column<PlanReport>[] = [
  field.text('from', ({ range }) => range.from),
  field.text('to', ({ range }) => range.to),
  field.integer('settlements', ({ plan }) => plan.settlements),
  field.integer('transactions', ({ plan }) => plan.transactions),
  field.integer('requests', ({ plan }) => plan.requests.total),
  field.integer('requests_headers', ({ plan }) => plan.requests.headers),
  field.integer('requests_rows', ({ plan }) => plan.requests.rows),
  field.integer('requests_proofs', ({ plan }) => plan.requests.proofs),
  field.integer('seconds', ({ plan }) => wholeSeconds(plan.ms)),
  field.text('complete', ({ plan }) => (plan.complete ? 'yes' : 'no')),
];

/** The report of a dry run. Unlike others, it holds an estimate of time, which varies. */
export function planViews(report: PlanReport): Views {
  const { range, plan } = report;
  const { settlements, transactions, requests, tempo, complete } = plan;
  const { pageMs, concurrency, perSecond } = tempo;
  const isLimited = Number.isFinite(perSecond);
  const pace = present(
    pageMs < 1 ? 'under 1 ms per page' : `${Math.round(pageMs)} ms per page`,
    `${concurrency} in parallel`,
    isLimited && `at most about ${perSecond.toPrecision(2)} per second`,
  );
  return {
    view: () => [
      answerBlock(
        'DRY RUN',
        'quiet',
        `Only the list of settlements was read. A run would take ${many(requests.total, 'request')} and about ${durationText(plan.ms)}${isLimited ? '' : ', if no rate limit slows it down'}.`,
      ),
      facts([
        ['Range', wholeRangeText(range)],
        [
          'Settlements',
          `${grouped(settlements)}${complete ? '' : ' or more; the list may be incomplete'}`,
        ],
        ['Transactions', `${grouped(transactions)} reported`],
        [
          'Requests',
          `${grouped(requests.rows)} for transactions, ${grouped(requests.proofs)} to confirm that no more follow, ${grouped(requests.headers)} for the list of settlements; more if the service returns shorter pages`,
        ],
        ['Pace', pace.join(', ')],
      ]),
    ],
    records: () => records(planColumns, [report]),
    document: () => ({ schema, ...jsonPlan(report) }),
    lines: () => [{ type: 'plan', schema, ...jsonPlan(report) }],
  };
}

function jsonPlan({ range, plan }: PlanReport) {
  const { settlements, transactions, requests, complete, tempo } = plan;
  const { pageMs, concurrency, perSecond } = tempo;
  return {
    dryRun: true,
    range,
    settlements,
    transactions,
    requests,
    estimate: {
      seconds: wholeSeconds(plan.ms),
      millisecondsPerPage: Math.round(pageMs),
      concurrency,
      requestsPerSecond: Number.isFinite(perSecond) ? Number(perSecond.toPrecision(2)) : null,
    },
    complete,
  };
}

interface OfProfile {
  /** Absent unless several profiles are requested. */
  readonly profile: string | undefined;
  readonly preview: NightPreview;
}

type Row = NightPreview['days'][number] & Pick<OfProfile, 'profile'>;

/** The report of `recon nightly --dry-run`: a record is a day. It holds an estimate of time, which varies. */
export function previewViews(previews: readonly OfProfile[]): Views {
  const rows: readonly Row[] = previews.flatMap(({ profile, preview }) =>
    preview.days.map((day) => ({ ...day, profile })),
  );
  const [requests, waiting] = [total('requests', previews), total('waiting', previews)];
  const ms = Math.max(0, ...previews.map(({ preview }) => preview.ms));
  const folders = previews.map(({ preview }) => preview.folder);
  const swept = previews.flatMap(({ profile = null, preview }) =>
    preview.swept.map((range) => ({ profile, ...range })),
  );
  const sweptTexts = swept.map(({ profile, ...range }) =>
    present(profile ?? '', `settlements of ${rangeText(range)}`).join(': '),
  );
  return {
    view: () => [
      answerBlock(
        'DRY RUN',
        'quiet',
        `Nothing was written. A run would read ${many(rows.length, 'day')} with ${many(requests, 'request')}, in about ${durationText(ms)}.`,
      ),
      facts([
        ['Folder', folders.join(', ')],
        [
          'Pending',
          waiting === 0
            ? undefined
            : `${many(waiting, 'settlement')} of other days, requested by id`,
        ],
        ['Older days', sweptTexts.length === 0 ? undefined : sweptTexts.join(', ')],
      ]),
      section('Days', rows, [
        ...(previews.length > 1
          ? [column.text<Row>('Profile', ({ profile = '' }) => profile)]
          : []),
        column.day('Day', ({ day }) => day),
        column.text('Why', ({ reason }) => reasonWords[reason]),
        column.integer('Settlements', ({ settlements }) => settlements, { priority: 2 }),
        column.integer('Transactions', ({ transactions }) => transactions, { priority: 3 }),
        column.integer('Requests', (day) => day.requests, { priority: 2 }),
      ]),
    ],
    records: () => records(previewColumns, rows),
    ...jsonViews(() => ({
      about: { dryRun: true, folders, waiting, swept, requests, seconds: wholeSeconds(ms) },
      lists: {
        days: ['day', rows.map(({ profile = null, ...day }) => ({ profile, ...day }))],
      },
    })),
  };
}

export const reasonWords = {
  new: 'new',
  missing: 'missing',
  unread: 'not read last time',
  pending_unread: 'a pending settlement was not fully read',
  incomplete: 'published incomplete',
  damaged: 'files were altered',
  changed: 'totals have changed',
  recent: 'may have changed',
  pending: 'had a pending settlement',
  moved: 'a settlement has moved',
} as const satisfies Readonly<Record<DayReason, string>>;

const previewColumns: readonly Column<Row>[] = [
  field.text('profile', ({ profile = '' }) => profile),
  field.text('day', ({ day }) => day),
  field.text('reason', ({ reason }) => reason),
  field.integer('settlements', ({ settlements }) => settlements),
  field.integer('transactions', ({ transactions }) => transactions),
  field.integer('requests', ({ requests }) => requests),
];

function total(of: 'requests' | 'waiting', previews: readonly OfProfile[]): number {
  return previews.reduce((sum, { preview }) => sum + preview[of], 0);
}

/** `4 seconds`, `12 minutes`, `3 hours`. */
function durationText(ms: number): string {
  const total = wholeSeconds(ms);
  if (total < 90) return many(total, 'second');
  const minutes = Math.ceil(total / 60);
  return minutes < 90 ? many(minutes, 'minute') : many(Math.ceil(minutes / 60), 'hour');
}

/** Whole seconds, at least one: an estimate is not more exact. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
