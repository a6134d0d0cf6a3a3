import type { WebhookAnswer } from '../../app/answer-webhook.ts';
import { faultOf, ReconError } from '../../base/errors.ts';
import type { Names } from '../../model/settlement.ts';
import { type Hint, mostHints, type Webhook } from '../../model/webhook.ts';
import {
  chargeRule,
  type ServiceIdDifference,
  serviceIdDifferences,
} from '../../reconcile/charges.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { chargeAnswer, chargeTone, jsonCharge } from '../charge/view.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { jsonEntry, jsonSettlement } from '../common/json.ts';
import { capitalised, firstOf, present, signedMoneyText } from '../common/phrase.ts';
import { effectTexts } from '../common/rule-words.ts';
import { schema, type Tone } from '../common/view.ts';
import {
  doubtsOf,
  entryClause,
  opinionsText,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { finalVerdict } from '../explain/words.ts';

/** A webhook that came in, and what the API says of one of the things that it names. */
export interface EventReport {
  /** That of its file in the journal: an event that is told twice has the same. */
  readonly name: string;
  readonly receivedAt: string;
  readonly hint: Hint | undefined;
  readonly answer: EventAnswer;
  readonly differences: readonly ServiceIdDifference[];
  /** Where its payload is kept, if not all of it can be answered, and why. */
  readonly setAside: { readonly path: string; readonly reason: string } | undefined;
  readonly names: Names;
}

type EventAnswer =
  | WebhookAnswer
  /** Nothing to ask for was found in it: the names of its first fields. */
  | { readonly kind: 'not_recognised'; readonly fields: readonly string[] }
  /** It has failed for so long that it is given up. */
  | { readonly kind: 'failed'; readonly error: ReconError };

type SettlementAnswer = Extract<EventAnswer, { readonly kind: 'settlement' }>;

interface AnsweredEvent {
  readonly event: Pick<EventReport, 'name' | 'receivedAt'> & { readonly webhook: Webhook };
  readonly answered: readonly {
    readonly hint: Hint;
    readonly answer: WebhookAnswer | ReconError;
  }[];
  /** Where its payload goes if it has to be set aside. */
  readonly asidePath: string;
  readonly names: Names;
}

/** What came of an event: a report for each thing that it names, or one that it names nothing. */
export function eventReports(told: AnsweredEvent): readonly EventReport[] {
  const { event, asidePath, names } = told;
  const { name, receivedAt, webhook } = event;
  const answers: readonly Answered[] =
    webhook.hints.length === 0
      ? [{ hint: undefined, answer: { kind: 'not_recognised', fields: webhook.fields } }]
      : told.answered.map(({ hint, answer }) => ({
          hint,
          answer: answer instanceof ReconError ? { kind: 'failed', error: answer } : answer,
        }));
  const reason = reasonToSetAside(answers, webhook.namesMore);
  const setAside = reason === '' ? undefined : { path: asidePath, reason };
  const settlements = answers.flatMap(({ answer }) =>
    answer.kind === 'settlement' ? [answer.reconciled.settlement] : [],
  );
  return answers.map(({ hint, answer }) => {
    const said = hint?.said.serviceId ?? '';
    const differences =
      answer.kind === 'charge' ? serviceIdDifferences(answer.charge, said, settlements) : [];
    return { name, receivedAt, hint, answer, differences, setAside, names };
  });
}

type Answered = Pick<EventReport, 'hint' | 'answer'>;

/** What there is to say where the API says nothing of a settlement or charge. */
function unansweredText(
  answer: Exclude<EventAnswer, { readonly kind: 'settlement' | 'charge' }>,
  hint: Hint | undefined,
): string {
  const subject = hint ? capitalised(`${hint.kind} ${hint.id}`) : '';
  switch (answer.kind) {
    case 'not_found':
      return `${subject}: ${answer.message}`;
    case 'not_an_id':
      return `${subject} was not requested: its id is not a UUID.`;
    case 'failed':
      return `${subject} was given up after repeated failures: ${answer.error.message}`;
    case 'not_recognised':
      return `Not recognised: no settlement or charge id in ${firstOf(answer.fields) || 'the payload'}.`;
  }
}

/** Why the payload of an event is to be kept for a person to look at; empty where it need not be. */
function reasonToSetAside(answers: readonly Answered[], namesMore: boolean): string {
  const reasons = answers.map(({ hint, answer }) => {
    const { kind } = answer;
    const isAnswered = kind === 'settlement' || kind === 'charge' || kind === 'not_found';
    return !isAnswered && unansweredText(answer, hint);
  });
  return present(
    ...reasons,
    namesMore &&
      `It names more than ${mostHints} settlements and charges; only the first ${mostHints} are answered.`,
  ).join(' ');
}

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
    first && `${entryClause(first)}${more}`,
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
