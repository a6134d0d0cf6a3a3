import { chargeRule } from '../../reconcile/charges.ts';
import { jsonCharge } from '../charge/document.ts';
import { jsonEntry, jsonError, jsonSettlement } from '../common/json.ts';
import { schema } from '../common/view.ts';
import { verdictOfExplained } from '../explain/report.ts';
import type { EventReport } from './report.ts';

/** An event as one JSON object: what came, what the API says, the verdict. */
export function eventDocument(report: EventReport): object {
  const { name, receivedAt, answer, differences, setAside } = report;
  return {
    type: 'event',
    schema,
    event: name,
    receivedAt,
    webhook: jsonWebhook(report),
    answer: answer.kind,
    ...jsonAnswer(report),
    differences,
    setAside: setAside ?? null,
  };
}

function jsonWebhook({ hint, answer }: EventReport): object {
  if (hint) return { kind: hint.kind, [`${hint.kind}Id`]: hint.id, ...hint.said };
  return { kind: 'unknown', ...('fields' in answer && { fields: answer.fields }) };
}

/** The verdict of a charge is its outcome. */
function jsonAnswer({ answer, names }: EventReport): object {
  switch (answer.kind) {
    case 'settlement': {
      return {
        verdict: verdictOfExplained(answer),
        findings: answer.findings.map((entry) => jsonEntry(entry, 0)),
        settlement: jsonSettlement(answer.reconciled, names),
      };
    }
    case 'charge': {
      const { charge } = answer;
      const asked = { names, settled: undefined, verbose: false };
      return { verdict: chargeRule(charge.status).outcome, charge: jsonCharge(charge, asked) };
    }
    case 'not_found':
      return { verdict: null, message: answer.message };
    case 'failed':
      return { verdict: null, error: jsonError(answer.error) };
    case 'not_an_id':
    case 'not_recognised':
      return { verdict: null };
  }
}
