import type { WebhookAnswer } from '../../app/answer-webhook.ts';
import { chargeRule } from '../../reconcile/charges.ts';
import { chargeAnswer, outcomeTones } from '../charge/words.ts';
import { capitalised, signedText } from '../common/phrase.ts';
import type { Tone } from '../common/view.ts';
import {
  opinionsText,
  scaleDoubts,
  sentence,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { verdictOfExplained } from '../explain/report.ts';
import { differenceText, type EventReport, unansweredText } from './report.ts';

type SettlementAnswer = Extract<WebhookAnswer, { readonly kind: 'settlement' }>;

/** An event in a line for people: when and what came, what the API says, the verdict. */
export function eventLine(report: EventReport): { readonly text: string; readonly tone: Tone } {
  const { text, tone } = answerOf(report);
  const { receivedAt, differences, setAside } = report;
  const further = [
    ...differences.map(differenceText),
    ...saidOf(report),
    ...(setAside ? [`The payload is kept in ${setAside.path}.`] : []),
  ];
  return { text: [receivedAt, text, ...further].join(' '), tone };
}

function answerOf({ hint, answer, names }: EventReport): { text: string; tone: Tone } {
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
    default:
      return { text: unansweredText(answer, hint), tone: 'unsure' };
  }
}

function settlementText(answer: SettlementAnswer, name: string | undefined): string {
  const { settlement, difference, discrepancies, scale } = answer.reconciled;
  const of = name === undefined ? '' : ` of ${name}`;
  const payIn = !difference?.payIn
    ? []
    : [`pay-in difference ${signedText(difference.payIn, scale)} ${settlement.currency}`];
  const [first, ...others] = [...discrepancies, ...answer.findings];
  const found = first
    ? [`${sentence(first)}${others.length > 0 ? `, and ${others.length} more` : ''}`]
    : [];
  const details = [
    opinionsText(answer.reconciled),
    ...payIn,
    ...found,
    ...scaleDoubts(answer.reconciled),
  ].map((detail) => `${capitalised(detail)}.`);
  return `Settlement ${settlement.id}${of} is ${verdictWords[verdictOfExplained(answer)]}. ${details.join(' ')}`;
}

/** What the payload said of a settlement, which proves nothing. */
function saidOf({ hint }: EventReport): readonly string[] {
  const status = hint?.kind === 'settlement' ? hint.said.status : '';
  return status === '' ? [] : [`The webhook said ${status}.`];
}
