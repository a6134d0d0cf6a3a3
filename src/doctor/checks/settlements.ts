import { writtenZone } from '../../base/calendar.ts';
import { identityFits } from '../../reconcile/identity.ts';
import { unusualScales } from '../../reconcile/unusual-scales.ts';
import { finding } from '../check.ts';
import { type Examination, seenSettlements } from '../examination.ts';

/** Whether a page of one settlement comes: the least that recon needs, and what other checks look at. */
export function judgeSettlements({ answers, query }: Examination) {
  const { first } = answers;
  if (!first) return undefined;
  const received = first.keys.length;
  const facts = { ...query.range, asked: 1, received };
  return finding(received === 1 ? 'ok' : 'warning', facts);
}

/** Whether all records can be read, and whether the answers are what the document shows. */
export function judgeRecords(evidence: Examination) {
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
  if (unreadable.size > 0) return finding('failure', facts);
  const isOdd = unknownFields.length > 0 || facts.oddAnswers.length > 0;
  return finding(isOdd ? 'warning' : 'ok', facts);
}

/** The zone in which settlement dates are written; which one is meant is not documented (doc 4.3). */
export function judgeDates(evidence: Examination) {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { from, to } = evidence.query.range;
  const counts = new Map<string, number>();
  for (const { timestamp } of settlements) {
    const zone = writtenZone(timestamp);
    counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  const zones = [...counts]
    .map(([zone, count]) => ({ zone, settlements: count }))
    .sort((one, other) => other.settlements - one.settlements || (one.zone < other.zone ? -1 : 1));
  const outside = settlements.filter(({ date }) => date < from || to < date).length;
  const level = zones.length > 1 || outside > 0 ? 'warning' : 'ok';
  return finding(level, { settlements: settlements.length, zones, outside });
}

/** Whether amounts have the decimal places of their currency, by the headers alone. */
export function judgeScales(evidence: Examination) {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { expectedScales, profile = null } = evidence.setup;
  const unusual = unusualScales(settlements, expectedScales);
  const level = unusual.length > 0 ? 'warning' : 'ok';
  return finding(level, { settlements: settlements.length, unusual, profile });
}

/** On how many settlements each identity holds, by their headers alone. */
export function judgeIdentity(evidence: Examination) {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { setup } = evidence;
  const { identity: chosen, profile = null } = setup;
  const { fits, better } = identityFits(settlements, setup);
  const fit = fits.find(({ identity }) => identity === chosen);
  const level = better.length > 0 || fit?.settlements === 0 ? 'warning' : 'ok';
  return finding(level, { chosen, profile, settlements: settlements.length, fits, better });
}
