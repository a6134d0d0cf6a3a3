import type { WebhookAnswer } from '../app/answer-webhook.ts';
import type { Webhook } from '../model/webhook.ts';
import { chargeRule } from '../reconcile/charge-rules.ts';
import { signedText } from './amount-text.ts';
import { chargeAnswer, outcomeTones } from './charge-words.ts';
import type { EventReport } from './event-report.ts';
import { verdictOfExplained } from './explain-report.ts';
import { capitalised, firstOf } from './phrase.ts';
import { scaleDoubts } from './scale-words.ts';
import type { Tone } from './view.ts';
import { sentence } from './wording.ts';
import { opinionWords, verdictTones, verdictWords } from './words.ts';

type SettlementAnswer = Extract<WebhookAnswer, { readonly kind: 'settlement' }>;

/** An event in a line for people: when and what came, what the API says, the verdict. */
export function eventLine(event: EventReport): { readonly text: string; readonly tone: Tone } {
  const { text, tone } = answerOf(event);
  return { text: `${event.receivedAt} #${event.number} ${text}${hintOf(event.webhook)}`, tone };
}

function answerOf({ webhook, answer, names }: EventReport): { text: string; tone: Tone } {
  switch (answer.kind) {
    case 'settlement': {
      const name = names.get(answer.reconciled.settlement.accountingToken);
      return { text: settlementText(answer, name), tone: verdictTones[verdictOfExplained(answer)] };
    }
    case 'charge':
      return {
        text: chargeAnswer(answer.charge),
        tone: outcomeTones[chargeRule(answer.charge.status).outcome],
      };
    case 'not_found':
      return { text: `${capitalised(subjectOf(webhook))}: ${answer.message}`, tone: 'unsure' };
    case 'not_recognised': {
      const fields = webhook.kind === 'unknown' ? webhook.fields : [];
      const named = fields.length === 0 ? 'no fields' : firstOf(fields, fields.length);
      return { text: `Not recognised: no settlement and no charge in ${named}.`, tone: 'unsure' };
    }
  }
}

function settlementText(answer: SettlementAnswer, name: string | undefined): string {
  const { settlement, serviceSays, sumsSay, difference, discrepancies, scale } = answer.reconciled;
  const of = name === undefined ? '' : ` of ${name}`;
  const opinions = `the service says ${opinionWords[serviceSays]}, the sums say ${opinionWords[sumsSay]}`;
  const payIn = !difference?.payIn
    ? []
    : [`pay-in difference ${signedText(difference.payIn, scale)} ${settlement.currency}`];
  const [first, ...others] = [...discrepancies, ...answer.findings];
  const found = first
    ? [`${sentence(first)}${others.length > 0 ? `, and ${others.length} more` : ''}`]
    : [];
  const details = [opinions, ...payIn, ...found, ...scaleDoubts(answer.reconciled)].map(
    (detail) => `${capitalised(detail)}.`,
  );
  return `Settlement ${settlement.id}${of} is ${verdictWords[verdictOfExplained(answer)]}. ${details.join(' ')}`;
}

function subjectOf(webhook: Webhook): string {
  return 'chargeId' in webhook
    ? `charge ${webhook.chargeId}`
    : `settlement ${'settlementId' in webhook ? webhook.settlementId : ''}`;
}

/** What the payload said, which proves nothing. */
function hintOf(webhook: Webhook): string {
  return webhook.kind === 'settlement' && webhook.status !== ''
    ? ` The webhook said ${webhook.status}.`
    : '';
}
