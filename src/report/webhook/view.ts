import type { WebhookAnswer } from '../../app/answer-webhook.ts';
import { faultOf, ReconError } from '../../base/errors.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import { type Hint, mostHints, type Webhook } from '../../model/webhook.ts';
import type { Verdict } from '../../reconcile/verdict.ts';
import { describeCharge } from '../charge/view.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { jsonEntry, jsonRecord, jsonSettlement } from '../common/json.ts';
import { capitalised, firstOf, present, signedMoneyText } from '../common/phrase.ts';
import { effectTexts } from '../common/rule-words.ts';
import { schema } from '../common/view.ts';
import {
  doubtsOf,
  entryClause,
  opinionsText,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { finalVerdict } from '../explain/words.ts';

type EventAnswer =
  | WebhookAnswer
  /** It names no settlement or charge: the names of its first fields. */
  | { readonly kind: 'not_recognised'; readonly fields: readonly string[] }
  /** It failed for too long, so it is not tried again. */
  | { readonly kind: 'failed'; readonly error: ReconError };

type SettlementAnswer = Extract<EventAnswer, { readonly kind: 'settlement' }>;

interface AnsweredEvent {
  /** `name` is that of its file in the journal: an event that is delivered twice has the same. */
  readonly event: {
    readonly name: string;
    readonly receivedAt: string;
    readonly webhook: Webhook;
  };
  readonly answered: readonly {
    readonly hint: Hint;
    readonly answer: WebhookAnswer | ReconError;
  }[];
  /** The path of its payload if it is set aside. */
  readonly asidePath: string;
  readonly names: Names;
}

interface Answered {
  readonly hint: Hint | undefined;
  readonly answer: EventAnswer;
}

/** A line for people and a JSON object for each settlement or charge that an event names, or one if it names none. */
export function eventLines({ event, answered, asidePath, names }: AnsweredEvent) {
  const { name, receivedAt, webhook } = event;
  const answers: readonly Answered[] =
    webhook.hints.length === 0
      ? [{ hint: undefined, answer: { kind: 'not_recognised', fields: webhook.fields } }]
      : answered.map(({ hint, answer }) => ({
          hint,
          answer: answer instanceof ReconError ? { kind: 'failed', error: answer } : answer,
        }));
  const reason = reasonToSetAside(answers, webhook.namesMore);
  const settlements = answers.flatMap(({ answer }) =>
    answer.kind === 'settlement' ? [answer.reconciled.settlement] : [],
  );
  const lines = answers.map((one) => {
    const { hint, answer } = one;
    const { text, tone, json } = answerOf(one, names);
    const differences = serviceIdDifferences(one, settlements);
    // The payload is unsigned: what it says of a settlement proves nothing.
    const status = hint?.kind === 'settlement' && hint.said.status;
    const line = present(
      receivedAt,
      text,
      ...differences.map(differenceText),
      status && `The webhook said ${status}.`,
      reason && `The payload is kept in ${asidePath}.`,
    ).join(' ');
    const document = {
      type: 'event',
      schema,
      event: name,
      receivedAt,
      webhook: hint
        ? { kind: hint.kind, ...jsonNamed(hint), ...hint.said }
        : { kind: 'unknown', ...('fields' in answer && { fields: answer.fields }) },
      answer: answer.kind,
      ...json,
      differences,
      setAside: reason === '' ? null : { path: asidePath, reason },
    };
    return { line, tone, document };
  });
  return { lines, reason };
}

/** The sentence for an event without an answer of the API. */
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

/** Why the payload of an event is set aside for a person; empty if it is not. */
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

function jsonNamed({ kind, id }: Hint) {
  return kind === 'settlement' ? { settlement: { id } } : { chargeId: id };
}

/** The answer of the API in a sentence or more and in JSON. The verdict of a charge is its outcome. */
function answerOf({ hint, answer }: Answered, names: Names) {
  switch (answer.kind) {
    case 'settlement': {
      const verdict = finalVerdict(answer);
      const findings = answer.findings.map((entry) => jsonEntry(entry, 0));
      const settlement = jsonRecord(jsonSettlement(answer.reconciled, names));
      const text = settlementText(answer, verdict, names);
      return { text, tone: verdictTones[verdict], json: { verdict, findings, settlement } };
    }
    case 'charge':
      return describeCharge(answer.charge, names);
    default: {
      const message = 'message' in answer && { message: answer.message };
      const error = 'error' in answer && { error: faultOf(answer.error) };
      const json = { verdict: null, ...message, ...error };
      return { text: unansweredText(answer, hint), tone: 'unsure' as const, json };
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
    payIn !== 0n &&
      `difference in net pay-out ${signedMoneyText({ minor: payIn, scale, currency })}`,
    first && `${entryClause(first)}${more}`,
    ...doubtsOf(answer.reconciled),
    ...effectTexts(answer.reconciled).map((text) => `by rule: ${text}`),
  ).map((detail) => `${capitalised(detail)}.`);
  const parts = present(acceptanceSentence(answer.reconciled), ...details);
  return `Settlement ${id}${of} is ${verdictWords[verdict]}. ${parts.join(' ')}`;
}

/** The service ids of a webhook and its settlements that differ from the charge's (doc 2.3, 2.7). A missing one is not a difference. */
function serviceIdDifferences({ hint, answer }: Answered, settlements: readonly Settlement[]) {
  if (answer.kind !== 'charge') return [];
  const { serviceId: charge } = answer.charge.order;
  const all = [
    { code: 'service_id_of_webhook', other: hint?.said.serviceId ?? '', charge } as const,
    ...settlements.map(({ accountingToken: other }) => {
      return { code: 'service_id_of_settlement', other, charge } as const;
    }),
  ];
  return all.filter(({ other }) => other && charge && other.toLowerCase() !== charge.toLowerCase());
}

const otherWords = {
  service_id_of_webhook: 'the webhook says',
  service_id_of_settlement: 'the account id of the settlement is',
};

function differenceText({
  code,
  charge,
  other,
}: ReturnType<typeof serviceIdDifferences>[number]): string {
  return `The service_id of the charge is ${charge}; ${otherWords[code]} ${other}.`;
}
