import type { ServiceIdDifference } from '../../reconcile/charges.ts';
import { chargeRule } from '../../reconcile/charges.ts';
import { jsonCharge } from '../charge/document.ts';
import { chargeAnswer, outcomeTones } from '../charge/words.ts';
import { jsonEntry, jsonError, jsonSettlement } from '../common/json.ts';
import { capitalised, present, signedText } from '../common/phrase.ts';
import { schema, type Tone } from '../common/view.ts';
import {
  opinionsText,
  scaleDoubts,
  sentence,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { verdictOfExplained } from '../explain/report.ts';
import { type EventReport, type SettlementAnswer, unansweredText } from './report.ts';

/** An event in a line for people: when and what came, what the API says, the verdict. */
export function eventLine(report: EventReport): { readonly text: string; readonly tone: Tone } {
  const { receivedAt, hint, differences, setAside } = report;
  const { text, tone } = answerLine(report);
  // What the payload said of a settlement proves nothing.
  const status = hint?.kind === 'settlement' && hint.said.status;
  const parts = present(
    receivedAt,
    text,
    ...differences.map(differenceText),
    status && `The webhook said ${status}.`,
    setAside && `The payload is kept in ${setAside.path}.`,
  );
  return { text: parts.join(' '), tone };
}

function answerLine({ hint, answer, names }: EventReport): { text: string; tone: Tone } {
  switch (answer.kind) {
    case 'settlement': {
      const name = names.get(answer.reconciled.settlement.accountingToken);
      return { text: settlementText(answer, name), tone: verdictTones[verdictOfExplained(answer)] };
    }
    case 'charge': {
      const { outcome } = chargeRule(answer.charge.status);
      return { text: chargeAnswer(answer.charge), tone: outcomeTones[outcome] };
    }
    default:
      return { text: unansweredText(answer, hint), tone: 'unsure' };
  }
}

function settlementText(answer: SettlementAnswer, name = ''): string {
  const { settlement, difference, discrepancies, scale } = answer.reconciled;
  const { id, currency } = settlement;
  const payIn = difference?.payIn;
  const [first, ...others] = [...discrepancies, ...answer.findings];
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const details = present(
    opinionsText(answer.reconciled),
    !!payIn && `pay-in difference ${signedText(payIn, scale)} ${currency}`,
    first && `${sentence(first)}${more}`,
    ...scaleDoubts(answer.reconciled),
  ).map((detail) => `${capitalised(detail)}.`);
  const verdict = verdictWords[verdictOfExplained(answer)];
  return `Settlement ${id}${name && ` of ${name}`} is ${verdict}. ${details.join(' ')}`;
}

const otherWords: Readonly<Record<ServiceIdDifference['code'], string>> = {
  service_id_of_webhook: 'the webhook says',
  service_id_of_settlement: 'the accounting token of the settlement is',
};

function differenceText({ code, charge, other }: ServiceIdDifference): string {
  return `The service_id of the charge is ${charge}; ${otherWords[code]} ${other}.`;
}

/** An event as one JSON object: what came, what the API says, the verdict. */
export function eventDocument(report: EventReport): object {
  const { name, receivedAt, hint, answer, differences, setAside } = report;
  return {
    type: 'event',
    schema,
    event: name,
    receivedAt,
    webhook: hint
      ? { kind: hint.kind, [`${hint.kind}Id`]: hint.id, ...hint.said }
      : { kind: 'unknown', ...('fields' in answer && { fields: answer.fields }) },
    answer: answer.kind,
    ...jsonAnswer(report),
    differences,
    setAside: setAside ?? null,
  };
}

/** The verdict of a charge is its outcome. */
function jsonAnswer({ answer, names }: EventReport): object {
  switch (answer.kind) {
    case 'settlement':
      return {
        verdict: verdictOfExplained(answer),
        findings: answer.findings.map((entry) => jsonEntry(entry, 0)),
        settlement: jsonSettlement(answer.reconciled, names),
      };
    case 'charge': {
      const { charge } = answer;
      const asked = { names, settled: undefined, verbose: false };
      return { verdict: chargeRule(charge.status).outcome, charge: jsonCharge(charge, asked) };
    }
    case 'not_found':
      return { verdict: null, message: answer.message };
    case 'failed':
      return { verdict: null, error: jsonError(answer.error) };
    default:
      return { verdict: null };
  }
}
