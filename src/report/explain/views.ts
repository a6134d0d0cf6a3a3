import { records } from '../common/columns.ts';
import type { Views } from '../settlements/views.ts';
import { hypothesisColumns, hypothesisRecords } from './columns.ts';
import { explainDocument, explainLines } from './document.ts';
import { explainLetter } from './letter.ts';
import type { ExplainReport } from './report.ts';
import { explainView } from './view.ts';

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
