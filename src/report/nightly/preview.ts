import type { DateRange } from '../../model/source.ts';
import { answerBlock, column, facts, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { grouped, many, present, rangeText } from '../common/phrase.ts';
import type { Views } from '../common/view.ts';
import { durationText, wholeSeconds } from '../dry-run/view.ts';
import { reasonWords } from './kinds.ts';
import type { PlannedDay } from './report.ts';

/** What a night would do for a profile. */
export interface NightPreview {
  readonly folder: string;
  readonly days: readonly PreviewedDay[];
  /** Older days whose settlements are listed again and compared with what is stored. */
  readonly swept: readonly DateRange[];
  /** Pending settlements of other days, which are asked for by their ids. */
  readonly waiting: number;
  readonly requests: number;
  /** Roughly, in milliseconds. */
  readonly ms: number;
}

interface PreviewedDay extends PlannedDay {
  readonly settlements: number;
  /** As the headers announce them. */
  readonly transactions: number;
  /** Without those for other days that these may lead to. */
  readonly requests: number;
}

interface OfProfile {
  /** Absent where no several profiles are asked for. */
  readonly profile: string | undefined;
  readonly preview: NightPreview;
}

type Row = PreviewedDay & Pick<OfProfile, 'profile'>;

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
    present(profile ?? '', `headers of ${rangeText(range)}`).join(': '),
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
          ? [column<Row>(1, 'Profile', 'text', ({ profile = '' }) => profile)]
          : []),
        column(1, 'Day', 'text', ({ day }) => day),
        column(1, 'Why', 'text', ({ reason }) => reasonWords[reason]),
        column(2, 'Settlements', 'integer', ({ settlements }) => grouped(settlements)),
        column(3, 'Transactions', 'integer', ({ transactions }) => grouped(transactions)),
        column(2, 'Requests', 'integer', (day) => grouped(day.requests)),
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
