import { records } from '../common/columns.ts';
import type { Views } from '../settlements/views.ts';
import { chargeColumns } from './columns.ts';
import { chargesDocument, chargesLines } from './document.ts';
import type { ChargeReport } from './report.ts';
import { chargeView } from './view.ts';

/** The report of `recon charge`. A record is a charge. */
export function chargeViews(report: ChargeReport): Views {
  return {
    view: () => chargeView(report),
    records: () => records(chargeColumns(report), report.charges),
    document: () => chargesDocument(report),
    lines: () => chargesLines(report),
  };
}
