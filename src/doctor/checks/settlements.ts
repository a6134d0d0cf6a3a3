import { isDayIn, writtenZone } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import { explainDifference } from '../../explain/explain.ts';
import { quick } from '../../explain/limits.ts';
import { Proposals } from '../../explain/proposals.ts';
import { batchOf } from '../../model/row-batch.ts';
import { identityFits } from '../../reconcile/identity.ts';
import { reconcileSettlement } from '../../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../../reconcile/row-columns.ts';
import { unusualScales } from '../../reconcile/unusual-scales.ts';
import { finding, notChecked, warningIf } from '../check.ts';
import { type Examination, seenSettlements } from '../examination.ts';

/** Whether a page of one settlement comes: the least that recon needs, and what other checks look at. */
export function judgeSettlements({ answers, query }: Examination) {
  const { first } = answers;
  if (!first) return undefined;
  const received = first.keys.length;
  return warningIf(received !== 1, { ...query.range, asked: 1, received });
}

/** Whether all records can be read, and whether the answers are what the document shows. */
export function judgeRecords({ answers, sightings }: Examination) {
  if (!answers.first) return undefined;
  const { settlements, nextSettlements, rows, nextRows } = answers;
  const pages = [settlements, nextSettlements, rows, nextRows];
  const faults = pages.flatMap((page) => page?.unreadable ?? []);
  const unreadable = new Map(faults.map((one) => [`${one.record} ${one.field}`, one]));
  const { oddAnswers } = sightings;
  const unknownFields = [...sightings.unknownFields].map(([record, fields]) => ({
    record,
    fields,
  }));
  const facts = {
    settlements: seenSettlements(answers).length,
    transactions: new Set([rows, nextRows].flatMap((page) => page?.keys ?? [])).size,
    unreadable: [...unreadable.values()],
    unknownFields,
    oddAnswers,
  };
  if (unreadable.size > 0) return finding('failure', facts);
  return warningIf(unknownFields.length > 0 || oddAnswers.length > 0, facts);
}

/** The zone in which settlement dates are written; which one is meant is not documented (doc 4.3). */
export function judgeDates({ answers, query }: Examination) {
  const settlements = seenSettlements(answers);
  if (settlements.length === 0) return undefined;
  const zones = [...groupedBy(settlements, ({ timestamp }) => writtenZone(timestamp))]
    .map(([zone, all]) => ({ zone, settlements: all.length }))
    .sort((one, other) => other.settlements - one.settlements || (one.zone < other.zone ? -1 : 1));
  const outside = settlements.filter(({ date }) => !isDayIn(query.range, date)).length;
  const isOdd = zones.length > 1 || outside > 0;
  return warningIf(isOdd, { settlements: settlements.length, zones, outside });
}

/** Whether amounts have the decimal places of their currency, by the headers alone. */
export function judgeScales({ answers, setup }: Examination) {
  const settlements = seenSettlements(answers);
  if (settlements.length === 0) return undefined;
  const { expectedScales, profile = null } = setup;
  const unusual = unusualScales(settlements, expectedScales);
  return warningIf(unusual.length > 0, { settlements: settlements.length, unusual, profile });
}

/** Whether every name that is set is that of an accounting token that occurs. */
export function judgeNames({ answers, setup }: Examination) {
  const settlements = seenSettlements(answers);
  if (settlements.length === 0) return undefined;
  const tokens = new Set(settlements.map(({ accountingToken }) => accountingToken));
  const names = [...setup.names].map(([token, name]) => ({ token, name }));
  const unseen = names.filter(({ token }) => !tokens.has(token));
  return warningIf(unseen.length > 0, {
    settlements: settlements.length,
    names: names.length,
    unseen,
  });
}

/** On how many settlements each identity holds, by their headers alone. */
export function judgeIdentity({ answers, setup }: Examination) {
  const settlements = seenSettlements(answers);
  if (settlements.length === 0) return undefined;
  const { identity: chosen, profile = null } = setup;
  const { fits, better } = identityFits(settlements, setup);
  const fit = fits.find(({ identity }) => identity === chosen);
  const isOdd = better.length > 0 || fit?.settlements === 0;
  return warningIf(isOdd, { chosen, profile, settlements: settlements.length, fits, better });
}

/** Whether rules would make settlements balance that do not, by the rows of a few of them. */
export function judgeRules({ answers, setup }: Examination) {
  const { samples } = answers;
  if (!samples || seenSettlements(answers).length === 0) return undefined;
  if (samples.length === 0) return notChecked('short_settlement');
  const proposals = new Proposals(setup);
  let balanced = 0;
  for (const { settlement, rows: listed } of samples) {
    const rows = new RowColumns();
    rows.add(batchOf(listed));
    const outcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };
    const settled = reconcileSettlement({ settlement, rows, outcome, settings: setup });
    const isOff = settled.verdict === 'out_of_balance';
    const how = { ...setup, effort: quick };
    proposals.add(
      settled,
      rows,
      isOff ? explainDifference(settled, rows, { outcome }, how) : undefined,
    );
    if (settled.verdict === 'balanced') balanced += 1;
  }
  const { rules, profile = null } = setup;
  const facts = {
    settlements: samples.length,
    balanced,
    rules,
    profile,
    proposed: proposals.found(),
  };
  return warningIf(facts.proposed.length > 0, facts);
}
