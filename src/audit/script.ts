import type { AuditSettings } from '../report/audit/report.ts';
import type { SqlDialectName } from './dialects.ts';
import { fillQuery, partsOfIds, readQuery, sqlValues } from './queries.ts';
import { queryName, questionsBy } from './questions.ts';

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
