import type { Entry, Weight } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { missedByService, onlyByService } from './opinions.ts';
import type { Block, Remark } from './view.ts';
import { sentence } from './wording.ts';
import { opinionWords } from './words.ts';

const marks: Readonly<Record<Weight, Pick<Remark, 'mark' | 'tone'>>> = {
  discrepancy: { mark: '!', tone: 'bad' },
  incomplete: { mark: '?', tone: 'unsure' },
  notice: { mark: '-', tone: 'quiet' },
  ignored: { mark: '-', tone: 'quiet' },
};

/** What was found, as a line of its own. */
export function remark(entry: Entry): Remark {
  return { ...marks[entry.weight], text: sentence(entry) };
}

/** All that is to be said of a settlement: opinions where they differ first, its explanation last. */
export function settlementRemarks(one: ReconciledSettlement, explanation = ''): readonly Remark[] {
  const entries = [...one.discrepancies, ...one.notices];
  const differ = missedByService(one) || onlyByService(one);
  const said = differ ? entries.filter(({ code }) => code !== 'reported_by_service') : entries;
  const opinions =
    `the service says ${opinionWords[one.serviceSays]}, ` +
    `the sums say ${opinionWords[one.sumsSay]}`;
  return [
    ...(differ ? [{ ...marks.discrepancy, text: opinions }] : []),
    ...said.map(remark),
    ...(explanation === '' ? [] : [{ mark: '=', tone: 'plain' as const, text: explanation }]),
  ];
}

/** Remarks under a title; nothing where there are none. */
export function remarks(title: string, list: readonly Remark[]): readonly Block[] {
  return list.length === 0 ? [] : [{ kind: 'remarks', title, remarks: list }];
}

/** Texts as remarks that raise no alarm. */
export function plain(mark: string, texts: readonly string[]): readonly Remark[] {
  return texts.map((text) => ({ mark, tone: 'plain', text }));
}
