import { records } from './columns.ts';
import { hypothesisColumns, hypothesisRecords } from './explain-columns.ts';
import { explainDocument, explainLines } from './explain-document.ts';
import { explainLetter } from './explain-letter.ts';
import type { ExplainReport } from './explain-report.ts';
import { explainView } from './explain-view.ts';
import type { Views } from './views.ts';

/** The report of `recon explain`. A record is a hypothesis; the letter is a case for the provider. */
export function explainViews(report: ExplainReport): Views {
  return {
    view: () => explainView(report),
    letter: () => explainLetter(report),
    records: () => records(hypothesisColumns(report), hypothesisRecords(report)),
    document: () => explainDocument(report),
    lines: () => explainLines(report),
  };
}
