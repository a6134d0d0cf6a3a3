import { chargeColumns } from './charge-columns.ts';
import { chargeDocument, chargeLines } from './charge-document.ts';
import type { ChargeReport } from './charge-report.ts';
import { chargeView } from './charge-view.ts';
import { records } from './columns.ts';
import type { Views } from './views.ts';

/** The report of `recon charge`. A record is a charge. */
export function chargeViews(report: ChargeReport): Views {
  return {
    view: () => chargeView(report),
    records: () => records(chargeColumns(report), report.charges),
    document: () => chargeDocument(report),
    lines: () => chargeLines(report),
  };
}
