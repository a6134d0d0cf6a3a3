import {
  type Audit,
  type AuditFinding,
  type AuditSettings,
  type FoundRow,
  mostFoundRows,
} from '../report/audit/report.ts';
import { coverageOf, feeRateOf, foundCount, foundRow, totalOf } from './decode.ts';
import type { AnswerRow, Engine } from './engine.ts';
import { fillQuery, partsOfIds, readQuery, sqlValues } from './queries.ts';
import { type Question, queryName, questionsBy } from './questions.ts';

/** Asks an engine all questions about the lakes that it has the views of. */
export async function audit(engine: Engine, settings: AuditSettings): Promise<Audit> {
  const values = sqlValues(settings);
  const ask = async (name: string, part = {}): Promise<readonly AnswerRow[]> =>
    engine.ask(fillQuery(await readQuery(name), { ...values, ...part }));

  const coverage = (await ask('coverage')).map(coverageOf);
  const { asked, others } = questionsBy(settings);
  const idsOf = {
    transactions: coverage.reduce((sum, one) => sum + one.transactions, 0),
    refunds: asked.some(({ needsTypes }) => needsTypes) ? foundCount(await ask('refund-count')) : 0,
  };
  const findings: AuditFinding[] = [];
  for (const question of asked) {
    const parts = question.holds ? partsOfIds(partsNeeded(idsOf[question.holds], engine)) : [{}];
    const finding = await search(question, parts, (part) => ask(queryName(question), part));
    if (finding.count > 0) findings.push(finding);
  }
  return {
    coverage,
    totals: (await ask('totals')).map(totalOf),
    feeRates: (await ask('fee-rates')).map(feeRateOf),
    findings,
    notChecked: others.map(({ code }) => code),
  };
}

/** Asks a question for each part of the ids, one after the other. Rows are kept of the first ones only. */
async function search<Part>(
  { code, weight }: Question,
  parts: readonly Part[],
  ask: (part: Part) => Promise<readonly AnswerRow[]>,
): Promise<AuditFinding> {
  let count = 0;
  const rows: FoundRow[] = [];
  for (const part of parts) {
    const answers = await ask(part);
    count += foundCount(answers);
    rows.push(...answers.slice(0, mostFoundRows - rows.length).map(foundRow));
  }
  return { code, weight, count, rows };
}

function partsNeeded(ids: number, { idsAtOnce = Number.POSITIVE_INFINITY }: Engine) {
  return Math.min(256, Math.max(1, Math.ceil(ids / idsAtOnce)));
}
