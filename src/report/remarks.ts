import type { Entry, Weight } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';
import { missedByService, onlyByService } from './opinions.ts';
import type { Remark } from './view.ts';
import { sentence } from './wording.ts';
import { opinionWords } from './words.ts';

const marks: Readonly<Record<Weight, Pick<Remark, 'mark' | 'tone'>>> = {
  discrepancy: { mark: '!', tone: 'bad' },
  incomplete: { mark: '?', tone: 'unsure' },
  notice: { mark: '-', tone: 'quiet' },
};

/** What was found, as a line of its own. */
export function remark(entry: Entry): Remark {
  return { ...marks[entry.weight], text: sentence(entry) };
}

/** All that is to be said of a settlement, the opinions first where they differ. */
export function settlementRemarks(one: ReconciledSettlement): readonly Remark[] {
  const entries = [...one.discrepancies, ...one.notices];
  if (!missedByService(one) && !onlyByService(one)) return entries.map(remark);
  const opinions =
    `the service says ${opinionWords[one.serviceSays]}, ` +
    `the sums say ${opinionWords[one.sumsSay]}`;
  const others = entries.filter(({ code }) => code !== 'reported_by_service');
  return [{ ...marks.discrepancy, text: opinions }, ...others.map(remark)];
}
