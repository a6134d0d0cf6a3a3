import type { RunPlan } from '../../app/plan-run.ts';
import type { DateRange } from '../../model/source.ts';
import { answer, facts } from '../common/blocks.ts';
import { integerColumn, records, textColumn } from '../common/columns.ts';
import { schema } from '../common/json.ts';
import { many, wholeRangeText } from '../common/phrase.ts';
import type { View } from '../common/view.ts';
import type { Views } from '../common/views.ts';

/** What a dry run tells. */
export interface PlanReport {
  readonly range: DateRange;
  readonly plan: RunPlan;
}

const planColumns = [
  textColumn<PlanReport>('from', ({ range }) => range.from),
  textColumn<PlanReport>('to', ({ range }) => range.to),
  integerColumn<PlanReport>('settlements', ({ plan }) => plan.settlements),
  integerColumn<PlanReport>('transactions', ({ plan }) => plan.transactions),
  integerColumn<PlanReport>('requests', ({ plan }) => plan.requests.total),
  integerColumn<PlanReport>('requests_headers', ({ plan }) => plan.requests.headers),
  integerColumn<PlanReport>('requests_rows', ({ plan }) => plan.requests.rows),
  integerColumn<PlanReport>('requests_proofs', ({ plan }) => plan.requests.proofs),
  integerColumn<PlanReport>('seconds', ({ plan }) => seconds(plan)),
  textColumn<PlanReport>('complete', ({ plan }) => (plan.complete ? 'yes' : 'no')),
];

/** The report of a dry run. Unlike others, it holds an estimate of time, which varies. */
export function planViews(report: PlanReport): Views {
  return {
    view: () => planView(report),
    records: () => records(planColumns, [report]),
    document: () => ({ schema, ...jsonPlan(report) }),
    lines: () => [{ type: 'plan', schema, ...jsonPlan(report) }],
  };
}

function planView({ range, plan }: PlanReport): View {
  const { settlements, transactions, requests, tempo, complete } = plan;
  const { pageMs, concurrency, perSecond } = tempo;
  const pace = [
    pageMs < 1 ? 'less than 1 ms a page' : `${Math.round(pageMs)} ms a page`,
    `${concurrency} at a time`,
    ...(perSecond === Number.POSITIVE_INFINITY
      ? []
      : [`no more than about ${perSecond.toPrecision(2)} a second`]),
  ];
  return [
    answer(
      'DRY RUN',
      'quiet',
      `Only the list of settlements was read, nothing else. A run takes ${many(requests.total, 'request')} and roughly ${duration(plan)}.`,
    ),
    facts([
      ['Range', wholeRangeText(range)],
      [
        'Settlements',
        `${settlements}${complete ? '' : ', and maybe more: the list is not certain'}`,
      ],
      ['Transactions', `${transactions} announced`],
      [
        'Requests',
        `${requests.rows} for rows, ${requests.proofs} to prove that none follow, ${requests.headers} for the list; more where the service cuts pages short`,
      ],
      ['Pace', pace.join(', ')],
    ]),
  ];
}

function jsonPlan({ range, plan }: PlanReport) {
  const { settlements, transactions, requests, complete, tempo } = plan;
  return {
    dryRun: true,
    range: { from: range.from, to: range.to },
    settlements,
    transactions,
    requests: {
      total: requests.total,
      headers: requests.headers,
      rows: requests.rows,
      proofs: requests.proofs,
    },
    estimate: {
      seconds: seconds(plan),
      millisecondsPerPage: Math.round(tempo.pageMs),
      concurrency: tempo.concurrency,
      requestsPerSecond:
        tempo.perSecond === Number.POSITIVE_INFINITY
          ? null
          : Number(tempo.perSecond.toPrecision(2)),
    },
    complete,
  };
}

/** Whole seconds, at least one: less would pretend to be exact. */
function seconds({ ms }: RunPlan): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function duration(plan: RunPlan): string {
  const total = seconds(plan);
  if (total < 90) return many(total, 'second');
  const minutes = Math.ceil(total / 60);
  return minutes < 90 ? many(minutes, 'minute') : many(Math.ceil(minutes / 60), 'hour');
}
