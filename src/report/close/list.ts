import { type CloseRecord, closesInForce, isForced } from '../../model/close.ts';
import { answerBlock, column, facts, plain, sectionIfAny } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonObject, jsonViews } from '../common/json.ts';
import { many } from '../common/phrase.ts';
import type { Views } from '../common/view.ts';
import { recordsSheet, textBlocks } from '../common/workbook.ts';
import { forcedSentence, jsonPoints } from './words.ts';

/** The closes of a register, in the order in which they were recorded. */
export interface CloseList {
  readonly register: string;
  readonly closes: readonly CloseRecord[];
}

/** The report of `recon close --list`. A record is a close, or the reopening of one. */
export function closeListViews({ register, closes }: CloseList): Views {
  const reopened = new Set(closes.flatMap(({ reopens }) => reopens ?? []));
  const stateOf = ({ number, reopens, forced }: CloseRecord) => {
    if (reopens !== undefined) return `reopens ${reopens}`;
    if (reopened.has(number)) return 'reopened';
    return isForced({ forced }) ? 'forced' : 'closed';
  };
  const columns: readonly Column<CloseRecord>[] = [
    field.integer('number', ({ number }) => number),
    field.text('profile', ({ profile }) => profile),
    field.day('from', ({ from }) => from),
    field.day('to', ({ to }) => to),
    field.text('state', stateOf),
    field.text('at', ({ at }) => at),
    field.text('by', ({ by }) => by),
    field.text('note', ({ note }) => note),
    field.list('points', ({ forced }) => forced.map(({ code }) => code)),
    field.integer('reopens', ({ reopens }) => reopens),
  ];
  const { integer, text, day } = column;
  const lines = [
    integer<CloseRecord>('Close', ({ number }) => number),
    text<CloseRecord>('Profile', ({ profile }) => profile, { priority: 2 }),
    day<CloseRecord>('From', ({ from }) => from),
    day<CloseRecord>('To', ({ to }) => to),
    text<CloseRecord>('State', stateOf, { unbroken: 10 }),
    day<CloseRecord>('On', ({ at }) => at.slice(0, 10)),
    text<CloseRecord>('By', ({ by }) => by, { unbroken: 10 }),
  ];
  const remarks = ({ note, ...one }: CloseRecord) =>
    [forcedSentence(one), note].flatMap((text) => (text ? plain(text) : []));
  const view = () => [
    answerBlock('CLOSES', 'plain', closeListText(closes)),
    facts([['Register', register]]),
    ...sectionIfAny('Closes', closes, lines, { remarks }),
  ];
  const all = () => records(columns, closes);
  return {
    view,
    records: all,
    workbook: () => ({
      title: 'Closes',
      summary: textBlocks(view()),
      tables: [recordsSheet('Closes', all())],
    }),
    ...jsonViews(() => {
      const cellsOf = jsonObject(columns);
      const items = closes.map((one) => {
        return { ...cellsOf(one), forced: isForced(one), points: jsonPoints(one) };
      });
      return { about: { register }, lists: { closes: ['close', items] } };
    }),
  };
}

/** `3 records, 1 close in effect.` */
export function closeListText(closes: readonly CloseRecord[]): string {
  const profiles = [...new Set(closes.map(({ profile }) => profile))];
  const inForce = profiles.flatMap((profile) => closesInForce(closes, profile)).length;
  return `${many(closes.length, 'record')}, ${many(inForce, 'close')} in force.`;
}
