import { type Hint, mostHints } from '../../model/webhook.ts';
import type { ServiceIdDifference } from '../../reconcile/service-ids.ts';
import { capitalised, firstOf } from '../common/phrase.ts';
import type { EventAnswer, EventReport } from './report.ts';

type Unanswered = Exclude<EventAnswer, { readonly kind: 'settlement' | 'charge' }>;

/** What there is to say where the API says nothing of a settlement or charge. */
export function unansweredText(answer: Unanswered, hint: Hint | undefined): string {
  const subject = hint ? `${hint.kind} ${hint.id}` : '';
  switch (answer.kind) {
    case 'not_found':
      return `${capitalised(subject)}: ${answer.message}`;
    case 'not_an_id':
      return `${capitalised(subject)} was not asked for: an id is a UUID, and that is none.`;
    case 'failed':
      return `${capitalised(subject)} is given up, since it could not be read again and again: ${answer.error.message}`;
    case 'not_recognised': {
      const { fields } = answer;
      const named = fields.length === 0 ? 'no fields' : firstOf(fields, fields.length);
      return `Not recognised: no settlement and no charge in ${named}.`;
    }
  }
}

/** Why the payload of an event is to be kept for a person to look at; empty where it needn't be. */
export function reasonToSetAside(
  answers: readonly Pick<EventReport, 'hint' | 'answer'>[],
  namesMore: boolean,
): string {
  const reasons = answers.flatMap(({ hint, answer }) => {
    const { kind } = answer;
    return kind === 'settlement' || kind === 'charge' || kind === 'not_found'
      ? []
      : [unansweredText(answer, hint)];
  });
  const ofMore = `It names more than ${mostHints} settlements and charges; the first ${mostHints} are answered.`;
  return [...reasons, ...(namesMore ? [ofMore] : [])].join(' ');
}

const otherWords: Readonly<Record<ServiceIdDifference['code'], string>> = {
  service_id_of_webhook: 'the webhook says',
  service_id_of_settlement: 'the accounting token of the settlement is',
};

export function differenceText({ code, charge, other }: ServiceIdDifference): string {
  return `The service_id of the charge is ${charge}, ${otherWords[code]} ${other}.`;
}
