import type { WebhookAnswer } from '../app/answer-webhook.ts';
import { chargeRule } from '../reconcile/charge-rules.ts';
import { jsonCharge } from './charge-document.ts';
import type { EventReport } from './event-report.ts';
import { verdictOfExplained } from './explain-report.ts';
import { jsonEntry, jsonSettlement, schema } from './json-settlement.ts';
import type { Names } from './settlements-report.ts';

/** An event as one JSON object: what came, what the API says, the verdict. */
export function eventDocument({ number, receivedAt, webhook, answer, names }: EventReport): object {
  return {
    type: 'event',
    schema,
    event: number,
    receivedAt,
    webhook,
    answer: answer.kind,
    ...jsonAnswer(answer, names),
  };
}

/** The verdict of a charge is its outcome. */
function jsonAnswer(answer: WebhookAnswer, names: Names): object {
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
    case 'not_recognised':
      return { verdict: null };
  }
}
