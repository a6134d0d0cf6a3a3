import type { WebhookAnswer } from '../../app/answer-webhook.ts';
import { ReconError } from '../../base/errors.ts';
import { type Hint, mostHints, type Webhook } from '../../model/webhook.ts';
import { type ServiceIdDifference, serviceIdDifferences } from '../../reconcile/charges.ts';
import { capitalised, firstOf, present } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';

/** A webhook that came in, and what the API says of one of the things that it names. */
export interface EventReport {
  /** That of its file in the journal: an event that is told twice has the same. */
  readonly name: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** Undefined where it names nothing. */
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

export type SettlementAnswer = Extract<EventAnswer, { readonly kind: 'settlement' }>;

interface ToldEvent {
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
export function eventReports(told: ToldEvent): readonly EventReport[] {
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
export function unansweredText(
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

/** Why the payload of an event is to be kept for a person to look at; empty where it needn't be. */
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
