import type { Check } from '../check.ts';
import { type Evidence, seenSettlements } from '../evidence.ts';

/** Whether all records can be read, and whether the answers are what the document shows. */
export function judgeRecords(evidence: Evidence): Check<'records'> | undefined {
  const { answers, sightings } = evidence;
  if (!answers.first) return undefined;
  const { settlements, nextSettlements, rows, nextRows } = answers;
  const pages = [settlements, nextSettlements, rows, nextRows];
  const unreadable = new Map(
    pages
      .flatMap((page) => page?.unreadable ?? [])
      .map((one) => [`${one.record} ${one.field}`, one] as const),
  );
  const unknownFields = [...sightings.unknownFields].map(([record, fields]) => ({
    record,
    fields,
  }));
  const transactions = new Set([rows, nextRows].flatMap((page) => page?.keys ?? [])).size;
  const facts = {
    settlements: seenSettlements(evidence).length,
    transactions,
    unreadable: [...unreadable.values()],
    unknownFields,
    oddAnswers: sightings.oddAnswers,
  };
  if (unreadable.size > 0) return { check: 'records', level: 'failure', facts };
  const isOdd = unknownFields.length > 0 || facts.oddAnswers.length > 0;
  return { check: 'records', level: isOdd ? 'warning' : 'ok', facts };
}
