import { faultOf } from '../../base/errors.ts';
import type { Hint } from '../../model/webhook.ts';
import { chargeRule, type ServiceIdDifference } from '../../reconcile/charges.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { jsonCharge } from '../charge/view.ts';
import { chargeAnswer, chargeTone } from '../charge/words.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { jsonEntry, jsonSettlement } from '../common/json.ts';
import { capitalised, present, signedMoneyText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import { effectTexts } from '../common/rule-words.ts';
import { schema, type Tone } from '../common/view.ts';
import { doubtsOf, opinionsText, sentence, verdictTones, verdictWords } from '../common/words.ts';
import { finalVerdict } from '../explain/summary.ts';
import { type EventReport, type SettlementAnswer, unansweredText } from './report.ts';

/** An event in a line for people: when and what came, what the API says, the verdict. */
export function eventLine(report: EventReport): { readonly text: string; readonly tone: Tone } {
  const { receivedAt, hint, differences, setAside } = report;
  const { text, tone } = tell(report);
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

/** An event as one JSON object: what came, what the API says, the verdict. */
export function eventDocument(report: EventReport): object {
  const { name, receivedAt, hint, answer, differences, setAside } = report;
  return {
    type: 'event',
    schema,
    event: name,
    receivedAt,
    webhook: hint
      ? { kind: hint.kind, ...jsonNamed(hint), ...hint.said }
      : { kind: 'unknown', ...('fields' in answer && { fields: answer.fields }) },
    answer: answer.kind,
    ...tell(report).json,
    differences,
    setAside: setAside ?? null,
  };
}

function jsonNamed({ kind, id }: Hint) {
  return kind === 'settlement' ? { settlement: { id } } : { chargeId: id };
}

/** What the API says, in a sentence or more and in JSON. The verdict of a charge is its outcome. */
function tell({ hint, answer, names }: EventReport): { text: string; tone: Tone; json: object } {
  switch (answer.kind) {
    case 'settlement': {
      const verdict = finalVerdict(answer);
      const findings = answer.findings.map((entry) => jsonEntry(entry, 0));
      const settlement = jsonSettlement(answer.reconciled, names);
      const text = settlementText(answer, verdict, names);
      return { text, tone: verdictTones[verdict], json: { verdict, findings, settlement } };
    }
    case 'charge': {
      const { outcome } = chargeRule(answer.charge.status);
      const charge = jsonCharge(answer.charge, { names, settled: undefined, verbose: false });
      const json = { verdict: outcome, charge };
      return { text: chargeAnswer(answer.charge), tone: chargeTone(answer.charge), json };
    }
    default: {
      const message = 'message' in answer && { message: answer.message };
      const error = 'error' in answer && { error: faultOf(answer.error) };
      const json = { verdict: null, ...message, ...error };
      return { text: unansweredText(answer, hint), tone: 'unsure', json };
    }
  }
}

function settlementText(answer: SettlementAnswer, verdict: Verdict, names: Names): string {
  const { settlement, difference, discrepancies, scale } = answer.reconciled;
  const { id, currency, accountingToken } = settlement;
  const name = names.get(accountingToken);
  const of = name === undefined ? '' : ` of ${name}`;
  const payIn = difference?.payIn ?? 0n;
  const [first, ...others] = [...discrepancies, ...answer.findings];
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const details = present(
    opinionsText(answer.reconciled),
    payIn !== 0n && `pay-in difference ${signedMoneyText({ minor: payIn, scale, currency })}`,
    first && `${sentence(first)}${more}`,
    ...doubtsOf(answer.reconciled),
    ...effectTexts(answer.reconciled).map((text) => `by rule: ${text}`),
  ).map((detail) => `${capitalised(detail)}.`);
  const parts = present(acceptanceSentence(answer.reconciled), ...details);
  return `Settlement ${id}${of} is ${verdictWords[verdict]}. ${parts.join(' ')}`;
}

const otherWords: Readonly<Record<ServiceIdDifference['code'], string>> = {
  service_id_of_webhook: 'the webhook says',
  service_id_of_settlement: 'the accounting token of the settlement is',
};

function differenceText({ code, charge, other }: ServiceIdDifference): string {
  return `The service_id of the charge is ${charge}; ${otherWords[code]} ${other}.`;
}
