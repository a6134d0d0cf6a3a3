import type { Section, View } from '../common/view.ts';
import {
  dateCell,
  type SheetCell,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
  type Workbook,
} from '../common/workbook.ts';
import { newsWords } from './kinds.ts';
import type { ToldNews } from './report.ts';

/** The workbook of `recon nightly`: what `view` says in words, the profiles, and a row a piece of news. */
export function nightlyWorkbook(
  view: View,
  profiles: Section,
  news: readonly ToldNews[],
): Workbook {
  const several = profiles.rows.length > 1;
  const columns: readonly TableColumn<ToldNews>[] = [
    ...(several ? [{ title: 'Profile', cell: ({ profile = '' }) => profile, isKey: true }] : []),
    { title: 'Day', cell: ({ day = '' }) => dateCell(day), isKey: true },
    { title: 'What', cell: ({ kind, also }) => [kind, ...also].map(newsWords).join(', ') },
    { title: 'Settlement', cell: ({ settlement }) => settlement?.id ?? '' },
    { title: 'Details', cell: ({ details }) => details.join('; '), isProse: true },
    { title: 'Currency', cell: ({ settlement }) => settlement?.currency ?? '' },
    { title: 'Pay-in difference', cell: (one) => (isOfBank(one) ? '' : differenceCell(one)) },
    { title: 'Findings', cell: ({ settlement }) => (settlement?.codes ?? []).join(' | ') },
    { title: 'Accounting token', cell: ({ settlement }) => settlement?.accountingToken ?? '' },
    ...(news.some(isOfBank) ? [bankDifference] : []),
  ];
  return {
    title: 'Nightly run',
    summary: textBlocks(view),
    tables: [tableSheet('News', news, columns), sectionSheet('Profiles', profiles)],
  };
}

const bankDifference: TableColumn<ToldNews> = {
  title: 'Bank difference',
  cell: (one) => (isOfBank(one) ? differenceCell(one) : ''),
};

/** Whether its difference is one on the bank. */
function isOfBank({ kind }: ToldNews): boolean {
  return kind === 'bank_difference' || kind === 'returned_by_bank' || kind === 'on_bank';
}

function differenceCell({ settlement }: ToldNews): SheetCell {
  const { minor, scale } = settlement?.difference ?? {};
  if (minor === undefined || scale === undefined) return '';
  return { kind: 'difference', minor, scale };
}
