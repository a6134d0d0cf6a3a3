import {
  type Audit,
  type AuditFinding,
  type AuditSettings,
  mostFoundRows,
} from '../report/audit/report.ts';
import { coverageOf, feeRateOf, foundCount, foundRow, totalOf } from './decode.ts';
import type { SqlDialectName } from './dialects.ts';
import type { AnswerRow, Engine } from './engine.ts';
import {
  fillQuery,
  partsOfIds,
  type Question,
  queryName,
  questionsBy,
  readQuery,
  type SqlValues,
  sqlValues,
} from './questions.ts';

/** Asks an engine all questions about the lakes that it has the views of. */
export async function audit(engine: Engine, settings: AuditSettings): Promise<Audit> {
  const { asked, others } = questionsBy(settings);
  const ids = engine.idsAtOnce === undefined ? noIds : await idsIn(engine, settings);
  const searches = asked.map((question) => ({
    question,
    parts: question.holds ? partsOfIds(partsNeeded(ids[question.holds], engine)) : [{}],
  }));
  const [coverage = [], totals = [], feeRates = [], ...answers] = await engine.ask(
    await Promise.all([
      ...['coverage', 'totals', 'fee-rates'].map((name) => queryOf(name, settings)),
      ...searches.flatMap(({ question, parts }) =>
        parts.map((part) => queryOf(queryName(question), settings, part)),
      ),
    ]),
  );
  const findings = searches.map(({ question, parts }) =>
    findingOf(question, answers.splice(0, parts.length)),
  );
  return {
    coverage: coverage.map(coverageOf),
    totals: totals.map(totalOf),
    feeRates: feeRates.map(feeRateOf),
    findings: findings.filter(({ count }) => count > 0),
    notChecked: others.map(({ code }) => code),
  };
}

async function queryOf(name: string, settings: AuditSettings, part: SqlValues = {}) {
  return fillQuery(await readQuery(name), { ...sqlValues(settings), ...part });
}

const noIds = { transactions: 0, refunds: 0 };

/** How many ids the questions hold at once, if they are not asked in parts. */
async function idsIn(engine: Engine, settings: AuditSettings): Promise<typeof noIds> {
  const names = ['coverage', ...(settings.refundTypes.length > 0 ? ['refund-count'] : [])];
  const queries = await Promise.all(names.map((name) => queryOf(name, settings)));
  const [coverage = [], refunds = []] = await engine.ask(queries);
  const transactions = coverage.map(coverageOf).reduce((sum, one) => sum + one.transactions, 0);
  return { transactions, refunds: foundCount(refunds) };
}

/** What was found in all parts of the ids. Rows are kept of the first ones only. */
function findingOf(
  { code, weight }: Question,
  answers: readonly (readonly AnswerRow[])[],
): AuditFinding {
  const count = answers.map(foundCount).reduce((sum, one) => sum + one, 0);
  return { code, weight, count, rows: answers.flat().slice(0, mostFoundRows).map(foundRow) };
}

function partsNeeded(ids: number, { idsAtOnce = Number.POSITIVE_INFINITY }: Engine) {
  return Math.min(256, Math.max(1, Math.ceil(ids / idsAtOnce)));
}

/** The whole audit as a script for an engine: the views, then each query. */
export async function auditScript(
  dialect: SqlDialectName,
  views: readonly string[],
  settings: AuditSettings,
): Promise<string> {
  const [wholeRange = {}] = partsOfIds(1);
  const values = { ...sqlValues(settings), ...wholeRange };
  const queries = await Promise.all(
    ['coverage', ...questionsBy(settings).asked.map(queryName), 'totals', 'fee-rates'].map(
      async (name) => {
        const query = fillQuery(await readQuery(name), values);
        return `-- ${name}\n${query};\n`;
      },
    ),
  );
  const head = dialect === 'trino' ? ['-- This SQL has not been run on Trino.\n'] : [];
  return [...head, ...views.map((view) => `${view};\n`), '', ...queries].join('\n');
}
