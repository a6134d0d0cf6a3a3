import type { Fault } from '../../base/errors.ts';
import { answerBlock, listed } from './blocks.ts';
import type { Records } from './columns.ts';
import { many, present } from './phrase.ts';
import type { Block, Section, TableSheet } from './view.ts';
import { sectionSheet } from './workbook.ts';

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

/** A profile that was not read. */
export function failedBlocks(profile: string, { message, where, hint }: Fault): readonly Block[] {
  return [
    answerBlock(`${profile}: NOT READ`, 'unsure', message),
    ...listed('Where', present(where ?? undefined)),
    ...listed('Next', present(hint ?? undefined), '>'),
  ];
}

type Of<Part> = Part & { readonly profile: string };

/** The records of several profiles, which have the same columns, with their profile at the end. */
export function recordsOfProfiles(parts: readonly Of<Records>[]): Records {
  const rows = parts.flatMap(({ profile, rows }) => Array.from(rows, (row) => [...row, profile]));
  return { columns: [...(parts[0]?.columns ?? []), { key: 'profile', kind: 'text' }], rows };
}

/** The tables of several profiles as one sheet, with their profile and without totals. */
export function sheetOfProfiles(
  name: string,
  tables: readonly { readonly profile: string | undefined; readonly section: Section }[],
): readonly TableSheet[] {
  const sheets = tables.map(
    ({ profile, section }) => [profile, sectionSheet(name, section)] as const,
  );
  const [[profile, first] = []] = sheets;
  if (first === undefined || profile === undefined) return first ? [first] : [];
  const all = sheets.flatMap(([, { columns }]) => columns);
  // A profile may lack a column if it has no values.
  const columns = [...new Map(all.map((column) => [column.title, column])).values()];
  const rows = sheets.flatMap(([profile = '', sheet]) => {
    const places = columns.map(({ title }) =>
      sheet.columns.findIndex((one) => one.title === title),
    );
    const lines = sheet.rows.slice(0, sheet.rows.length - (sheet.totals ?? 0));
    return lines.map((row) => [profile, ...places.map((place) => row[place] ?? '')]);
  });
  return [{ name, columns: [{ title: 'Profile', isKey: true }, ...columns], rows }];
}
