import type { Fault } from '../../base/errors.ts';
import { groupedBy } from '../../base/lists.ts';
import { answerBlock, column, listed, section } from './blocks.ts';
import type { Records } from './columns.ts';
import { many, present } from './phrase.ts';
import type {
  Block,
  Chart,
  Section,
  SheetCell,
  SheetColumn,
  TableSheet,
  Views,
  Workbook,
} from './view.ts';
import { textBlocks } from './workbook.ts';

/** A profile of several, with its report or why there is none. */
export type ProfileResult<Report> = { readonly profile: string; readonly exitCode: number } & (
  | { readonly report: Report }
  | { readonly failure: Fault }
);

/** `3 profiles: 2 balanced, 1 not read.`, in the order of the states. */
export function countsByState(all: readonly string[], states: readonly string[]): string {
  const counts = states.map((state) => {
    const count = all.filter((one) => one === state).length;
    const inWords = count === all.length ? 'all' : count;
    return count > 0 && (all.length === 1 ? state : `${inWords} ${state}`);
  });
  return `${many(all.length, 'profile')}: ${present(...counts).join(', ')}.`;
}

/** A profile in JSON: its verdict, its exit code and, if it was not read, why. */
export function outcomeOf<Verdict>(one: ProfileResult<unknown>, verdict: Verdict) {
  const { profile, exitCode } = one;
  const error = 'failure' in one && { error: one.failure };
  return { profile, verdict, exitCode, ...error };
}

/** A profile that was not read. */
export function failedBlocks(profile: string, { message, where, hint }: Fault): readonly Block[] {
  return [
    answerBlock(`${profile}: NOT READ`, 'unsure', message),
    ...listed('Where', present(where ?? undefined)),
    ...listed('Next', present(hint ?? undefined), '>'),
  ];
}

/** A profile with the views of its report, in the words for it. */
export type ProfileViews<Report> = ProfileResult<Report> & { readonly views?: Views };

/** What stands on top of the reports of several profiles: the answer of all, and that of each. */
export function profilesSection<Report>(
  profiles: readonly ProfileViews<Report>[],
  stateOf: (one: ProfileViews<Report>) => string,
): Section {
  return section('Profiles', profiles, [
    column.text('Profile', ({ profile }) => profile),
    column.text('Verdict', stateOf),
    column.text('Result', (one) => {
      const [answer] = one.views?.view() ?? [];
      return 'failure' in one ? one.failure.message : answer?.kind === 'answer' ? answer.text : '';
    }),
  ]);
}

/** The report of one of several profiles: its answer names it, and what to do next is left to the end. */
export function partOfSeveral<Part extends Block | Chart>(
  one: ProfileViews<unknown>,
  blocksOf: (views: Views) => readonly Part[],
): readonly (Block | Part)[] {
  const { profile, views } = one;
  if ('failure' in one || !views) return 'failure' in one ? failedBlocks(profile, one.failure) : [];
  return blocksOf(views).flatMap((block, at) => {
    if (isNext(block)) return [];
    const isAnswer = at === 0 && block.kind === 'answer';
    return isAnswer ? { ...block, label: `${profile}: ${block.label}` } : block;
  });
}

/** What to do next of all, each once. */
export function nextOfSeveral(all: readonly (Views | undefined)[]): readonly Block[] {
  const lists = all.flatMap((one) => one?.view() ?? []).filter(isNext);
  const texts = lists.flatMap((one) =>
    one.kind === 'remarks' ? one.remarks.map(({ text }) => text) : [],
  );
  return listed('Next', [...new Set(texts)], '>');
}

const isNext = (block: Block | Chart) => block.kind === 'remarks' && block.title === 'Next';

type Of<Part> = Part & { readonly profile: string };

/** The records of several profiles, which have the same columns, with their profile at the end. */
export function recordsOfProfiles(parts: readonly Of<Records>[]): Records {
  const rows = parts.flatMap(({ profile, rows }) => Array.from(rows, (row) => [...row, profile]));
  return { columns: [...(parts[0]?.columns ?? []), { key: 'profile', kind: 'text' }], rows };
}

/** The sheets of several profiles as one of each name, with their profile and values, without formulas and totals. */
export function sheetsOfProfiles(
  parts: readonly { readonly profile: string | undefined; readonly sheet: TableSheet }[],
): readonly TableSheet[] {
  return [...groupedBy(parts, ({ sheet: { name } }) => name).values()].flatMap((own) => {
    const [{ profile, sheet } = {}] = own;
    if (sheet === undefined || profile === undefined) return sheet ?? [];
    const all = own.flatMap((one) => one.sheet.columns);
    // A profile may lack a column if it has no values.
    const united = [...new Map(all.map((column) => [column.title, column])).values()];
    const order = ({ isKey, isUnprinted }: SheetColumn) => (isKey ? 0 : isUnprinted ? 2 : 1);
    const columns = united.sort((one, other) => order(one) - order(other));
    const rows = own.flatMap(({ profile = '', sheet }) => {
      const places = columns.map(({ title }) =>
        sheet.columns.findIndex((one) => one.title === title),
      );
      const lines = sheet.rows.slice(0, sheet.rows.length - (sheet.totals ?? 0));
      return lines.map((row) => [profile, ...places.map((place) => plainCell(row[place] ?? ''))]);
    });
    return { name: sheet.name, columns: [{ title: 'Profile', isKey: true }, ...columns], rows };
  });
}

/** The sheets of the workbooks of several profiles, as `sheetsOfProfiles` has them. */
export function sheetsOfViews(
  all: readonly { readonly profile: string; readonly views?: Views | undefined }[],
): readonly TableSheet[] {
  return sheetsOfProfiles(
    all.flatMap(({ profile, views }) =>
      (views?.workbook?.().tables ?? []).map((sheet) => ({ profile, sheet })),
    ),
  );
}

/** What a cell shows: formulas are of the workbook that they were made for. */
function plainCell(cell: SheetCell): SheetCell {
  return typeof cell === 'object' && cell.kind === 'formula' ? cell.result : cell;
}

/** The summary of the workbook of one of several profiles, with values in place of formulas. */
export function plainSummary(one: ProfileViews<unknown>): Workbook['summary'] {
  const { profile, views } = one;
  if ('failure' in one) return textBlocks(failedBlocks(profile, one.failure));
  return (views?.workbook?.().summary ?? []).map((block, at) => {
    if (at === 0 && block.kind === 'answer') {
      return { ...block, label: `${profile}: ${block.label}` };
    }
    if (block.kind !== 'table') return block;
    const rows = block.table.rows.map((row) => row.map(plainCell));
    return { ...block, table: { ...block.table, rows } };
  });
}
