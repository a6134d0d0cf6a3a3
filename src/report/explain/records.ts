import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { FailedId } from '../../app/read-settlements.ts';
import { faultOf } from '../../base/errors.ts';
import type { Cause, NamedSettlement } from '../../explain/cause.ts';
import type { ChargesSeen } from '../../explain/charge-evidence.ts';
import type { CauseOutcome, Explained, Explanation } from '../../explain/explained.ts';
import type { Delta } from '../../explain/tally.ts';
import { formatMinor } from '../../money/money.ts';
import { rowsRead } from '../../reconcile/computed.ts';
import type { Identity } from '../../reconcile/identity.ts';
import type { ScopedTariff } from '../../reconcile/pricing.ts';
import {
  amountOf,
  type Column,
  field,
  measureKey,
  type Records,
  records,
} from '../common/columns.ts';
import {
  jsonEntry,
  jsonFacts,
  jsonFigures,
  jsonRecord,
  jsonSettings,
  jsonSettlement,
} from '../common/json.ts';
import { capitalised, grouped, type Unit } from '../common/phrase.ts';
import { measures } from '../common/words.ts';
import { causeNames, tenthsOf } from './cause-words.ts';
import { jsonPattern, patternTerm } from './pattern-words.ts';
import { percentOf } from './rate-words.ts';
import { chargeSentence, waterfall } from './sections.ts';
import {
  type ExplainReport,
  explanationSentence,
  explanationText,
  finalVerdict,
  formOf,
  obstacleText,
} from './words.ts';

interface HypothesisRecord {
  readonly one: SettlementExplanation;
  readonly hypothesis: CauseOutcome;
}

/** A row a hypothesis of each settlement. New columns go to the end. */
export function hypothesisRecords(report: ExplainReport): Records {
  const causesOf = ({ hypothesis }: HypothesisRecord) => explanationOf(hypothesis)?.causes;
  const columns: readonly Column<HypothesisRecord>[] = [
    field.text('settlement_id', ({ one }) => one.reconciled.settlement.id),
    field.text('currency', ({ one }) => one.reconciled.settlement.currency),
    field.integer('decimal_places', ({ one }) => one.explained.scale),
    field.text('verdict', ({ one }) => finalVerdict(one)),
    field.list('codes', ({ hypothesis }) => hypothesis.codes),
    field.text('outcome', ({ hypothesis }) => hypothesis.outcome),
    ...deltaColumns('explained', report),
    ...deltaColumns('residual', report),
    field.integer('rows', (one) => causesOf(one)?.reduce((sum, { rows }) => sum + rows.count, 0)),
    field.list('transaction_ids', (one) =>
      (causesOf(one) ?? []).flatMap(({ rows }) => rows.examples.map((row) => row.transactionId)),
    ),
    field.integer('candidates', ({ hypothesis }) => explanationOf(hypothesis)?.candidates),
    field.text('message', ({ one, hypothesis }) => hypothesisText(hypothesis, formOf(one))),
  ];
  const rows = report.settlements.flatMap((one) =>
    one.explained.hypotheses.map((hypothesis) => ({ one, hypothesis })),
  );
  return records(columns, rows);
}

function deltaColumns(name: 'explained' | 'residual', { settings }: ExplainReport) {
  const deltaOf = ({ hypothesis }: HypothesisRecord) => explanationOf(hypothesis)?.[name];
  return [
    field.integer<HypothesisRecord>(`${name}_transactions`, (row) => deltaOf(row)?.count),
    ...measures.map((measure) =>
      field.amount<HypothesisRecord>(`${name}_${measureKey(measure)}`, (row) => {
        const isKnown = measure !== 'payIn' || settings.identity !== 'off';
        return amountOf(isKnown ? deltaOf(row)?.[measure] : undefined, row.one.explained.scale);
      }),
    ),
  ];
}

/** A hypothesis that explains something; undefined if it was ruled out or not searched. */
function explanationOf(hypothesis: CauseOutcome): Explanation | undefined {
  return 'explained' in hypothesis ? hypothesis : undefined;
}

/** The outcome of a hypothesis, in a sentence or more. */
function hypothesisText(one: CauseOutcome, form: Unit): string {
  if ('explained' in one) return explanationText(one, form);
  const became =
    one.outcome === 'ruled_out'
      ? `ruled out; none of ${grouped(one.tried)} tried fits`
      : `not searched; ${obstacleText(one.obstacle)}`;
  return `${capitalised(causeNames[one.codes[0]])}: ${became}.`;
}

/** The report in JSON. Others script against its keys. */
export function jsonExplanations(report: ExplainReport) {
  const { settings, verdict, settlements, failures, range } = report;
  const read = range?.run.settlements ?? settlements.map(({ reconciled }) => reconciled);
  const transactions = read.map(rowsRead);
  return {
    about: {
      range: range && { from: range.from, to: range.to },
      settings: jsonSettings(settings),
      verdict,
      completeness: {
        complete: verdict !== 'incomplete',
        settlements: read.length,
        transactions: transactions.reduce((sum, count) => sum + count, 0),
      },
      patterns: (range?.run.patterns ?? []).map((one) =>
        jsonPattern(one, report.names, settings.identity),
      ),
    },
    lists: {
      findings: ['finding', (range?.run.findings ?? []).map((entry) => jsonEntry(entry, 0))],
      settlements: ['settlement', settlements.map((one) => jsonExplained(one, report))],
      failures: ['failure', failures.map(jsonFailure)],
    },
  } as const;
}

function jsonFailure({ id, error }: FailedId) {
  return { settlement: { id }, error: faultOf(error) };
}

function jsonExplained(one: SettlementExplanation, { names, settings }: ExplainReport) {
  const { reconciled, findings, explained, around, charges } = one;
  const { settlement } = reconciled;
  const { identity } = settings;
  return {
    ...jsonSettlement(reconciled, names, explanationSentence(explained, settlement.currency)),
    verdict: finalVerdict(one),
    findings: findings.map((entry) => jsonEntry(entry, 0)),
    arithmetic: waterfall(reconciled, identity),
    tested: explained.hypotheses.map((hypothesis) => ({
      ...jsonHypothesis(hypothesis, explained.scale, identity),
      message: hypothesisText(hypothesis, formOf(one)),
    })),
    certainty: explained.certainty,
    mayBeChance: explained.mayBeChance,
    alternatives: explained.rivals.length,
    neighbours: around.neighbours,
    residual: jsonDelta(explained.residual, explained.scale, identity),
    daysNotSearched: around.missingDays,
    charges: charges && jsonCharges(charges, explained.scale),
    neighbourDays: around.days,
    neighboursWithRows: around.rowsRead,
  };
}

function jsonCharges({ named, weighed, unread }: ChargesSeen, scale: number) {
  return {
    named,
    read: weighed.length,
    notRead: unread.map(({ id, notRead }) => ({ chargeId: id, reason: notRead })),
    charges: weighed.map((one) => ({
      chargeId: one.chargeId,
      status: one.status,
      transactionIds: one.transactionIds,
      findings: one.findings.map((finding) => jsonFacts(finding, scale)),
      message: one.findings.length === 0 ? null : chargeSentence(one),
    })),
  };
}

function jsonHypothesis(one: CauseOutcome, scale: number, identity: Identity) {
  const found = explanationOf(one);
  const causes = found?.causes ?? [];
  return {
    codes: one.codes,
    causes: found ? causeFacts(found, scale) : [],
    outcome: one.outcome,
    explained: jsonDelta(found?.explained, scale, identity),
    residual: jsonDelta(found?.residual, scale, identity),
    rows: causes.flatMap(({ rows }) => rows.examples.map((row) => jsonFacts(row, scale))),
    rowCount: causes.reduce((sum, { rows }) => sum + rows.count, 0),
    assumesAmounts: found?.assumesAmounts ?? false,
    candidates: found?.candidates ?? 0,
    tried: 'tried' in one ? one.tried : 0,
  };
}

/** A difference that was explained or remains, at the scale of the search. */
function jsonDelta(delta: Delta | undefined, scale: number, identity: Identity) {
  if (delta === undefined) return undefined;
  const payIn = identity === 'off' ? undefined : delta.payIn;
  const figures = jsonFigures({ ...delta, transactions: delta.count, payIn });
  return figures && jsonRecord(figures, scale);
}

/** The certainty of the best explanation and the facts of its causes, for JSON; undefined without one. */
export function bestFacts({ best, certainty, scale }: Explained) {
  return best && { certainty, causes: causeFacts(best, scale) };
}

/** The facts of each cause as fields: `rule`, `state`, `type`, `neighbour`, `rates`, `amounts` and others. */
function causeFacts({ causes }: Explanation, scale: number): readonly object[] {
  return causes.map(({ cause }) => ({
    code: cause.code,
    ...(jsonFacts(factsOf(cause), scale) as object),
  }));
}

function factsOf({ code, facts }: Cause): object {
  if (code === 'neighbour') {
    const { settlementId: id, date, others, ...rest } = facts;
    return { ...rest, neighbour: { id, date }, ...(others && { others: others.map(neighbour) }) };
  }
  if (code === 'withheld') {
    const { thousandths, others, base } = facts;
    const rate = thousandths === undefined ? {} : { rate: percentOf(thousandths, 1) };
    return { base, ...rate, others: others.map(neighbour) };
  }
  if (code === 'rounding') {
    if (facts.of === 'unknown') return { amounts: facts.amounts, roundedRows: facts.rows };
    const { amount, base, tariffs, rowsRule, rule, of } = facts;
    return { amounts: [amount], rule, of, rowsRule, base, rates: tariffs.map(rateOf) };
  }
  if (code === 'pattern') {
    const { terms, settlements, tested, scale } = facts;
    return { terms: terms.map((term) => patternTerm(term, scale)), settlements, tested };
  }
  return facts;
}

function neighbour({ settlementId: id, date }: NamedSettlement) {
  return { id, date };
}

function rateOf({ fixed, rate, scope }: ScopedTariff) {
  return {
    fixed: formatMinor(tenthsOf(fixed), 1),
    percent: percentOf(rate, 4),
    ...scope,
  };
}
