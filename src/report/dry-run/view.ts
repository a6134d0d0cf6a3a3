import type { RunPlan } from '../../app/plan-run.ts';
import type { DateRange } from '../../model/source.ts';
import { answerBlock, facts } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { grouped, many, present, wholeRangeText } from '../common/phrase.ts';
import { schema, type Views } from '../common/view.ts';

/** What a dry run tells. */
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
          `${grouped(requests.rows)} for rows, ${grouped(requests.proofs)} to confirm that no more follow, ${grouped(requests.headers)} for the list of settlements; more if the service returns shorter pages`,
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
  const { settlements, transactions, complete, tempo } = plan;
  const { total, ...parts } = plan.requests;
  const { pageMs, concurrency, perSecond } = tempo;
  return {
    dryRun: true,
    range,
    settlements,
    transactions,
    requests: { total, ...parts },
    estimate: {
      seconds: wholeSeconds(plan.ms),
      millisecondsPerPage: Math.round(pageMs),
      concurrency,
      requestsPerSecond: Number.isFinite(perSecond) ? Number(perSecond.toPrecision(2)) : null,
    },
    complete,
  };
}

/** Whole seconds of milliseconds, at least one: less would pretend to be exact. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** `4 seconds`, `12 minutes`, `3 hours`. */
export function durationText(ms: number): string {
  const total = wholeSeconds(ms);
  if (total < 90) return many(total, 'second');
  const minutes = Math.ceil(total / 60);
  return minutes < 90 ? many(minutes, 'minute') : many(Math.ceil(minutes / 60), 'hour');
}
