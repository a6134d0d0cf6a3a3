import type { Charge, ChargeEvent } from '../../model/charge.ts';
import { chargeRule } from '../../reconcile/charges.ts';
import { moneyText } from '../common/amount-text.ts';
import type { Block, Section, View } from '../common/view.ts';
import type { ChargeReport } from './report.ts';
import { amountsSection, paymentsSection, responsesSection, rowBlocks } from './sections.ts';
import { approvalText, chargeAnswer, outcomeTones, outcomeWords } from './words.ts';

/** The report for a screen, a charge after the other: what came of it, its amounts, its attempts. */
export function chargeView(report: ChargeReport): View {
  return report.charges.flatMap((charge) => chargeBlocks(charge, report));
}

function chargeBlocks(charge: Charge, { settled, verbose, names }: ChargeReport): readonly Block[] {
  const { outcome } = chargeRule(charge.status);
  return [
    {
      kind: 'answer',
      label: outcomeWords[outcome].toUpperCase(),
      tone: outcomeTones[outcome],
      text: chargeAnswer(charge),
    },
    { kind: 'facts', facts: facts(charge, names) },
    ...unlessEmpty(amountsSection(charge)),
    ...unlessEmpty(paymentsSection(charge.payments)),
    ...(settled ? rowBlocks(charge, settled) : []),
    ...(verbose ? unlessEmpty(responsesSection(charge.responses)) : []),
  ];
}

function unlessEmpty(section: Section): readonly Section[] {
  return section.rows.length === 0 ? [] : [section];
}

function facts(charge: Charge, names: ChargeReport['names']) {
  const { order, event, status, errorMessage } = charge;
  const name = names.get(order.serviceId);
  const list: readonly (readonly [label: string, value: string])[] = [
    ['Approved', approvalText(status)],
    ['Error message', errorMessage],
    ['Order', order.id],
    ['Order amount', order.amount ? moneyText(order.amount) : ''],
    ['Order reference', order.reference],
    ...order.details.map(({ key, value }) => [key, value] as const),
    ['Account', name === undefined ? order.serviceId : `${name} (${order.serviceId})`],
    ['Last event', eventText(event)],
  ];
  return list.filter(([, value]) => value !== '');
}

/** `refund (number 5, by api), which led to refunded`. */
function eventText({ number, action, source, status }: ChargeEvent): string {
  if (action === '') return '';
  const about = [
    ...(number === undefined ? [] : [`number ${number}`]),
    ...(source === '' ? [] : [`by ${source}`]),
  ];
  const parts = about.length === 0 ? action : `${action} (${about.join(', ')})`;
  return status === '' ? parts : `${parts}, which led to ${status}`;
}
