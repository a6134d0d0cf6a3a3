import type { FailedId } from '../../app/read-each.ts';
import { isObject } from '../../base/json.ts';
import { type Charge, isEncrypted, isPersonal, summaryAmounts } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import { chargeRule, isApproved, wasCompleted } from '../../reconcile/charges.ts';
import { jsonAmount, jsonError, jsonFacts } from '../common/json.ts';
import { againstRows, type ChargeReport } from './report.ts';
import { handlingWords, responseFields } from './words.ts';

/** The report in JSON. Others script against its keys. */
export function jsonCharges(report: ChargeReport) {
  return {
    about: aboutTheRun(report),
    lists: {
      charges: ['charge', report.charges.map((charge) => jsonCharge(charge, report))],
      failures: ['failure', report.failures.map(jsonFailure)],
    },
  } as const;
}

function aboutTheRun({ charges, failures, settled }: ChargeReport) {
  return {
    completeness: {
      complete: failures.length === 0 && (settled?.complete ?? true),
      charges: charges.length,
      failures: failures.length,
    },
    ...(settled && { settlements: { range: settled.range, count: settled.settlements } }),
  };
}

function jsonFailure({ id, error }: FailedId) {
  return { chargeId: id, ...jsonError(error) };
}

/** A charge, with its rows where they were asked for. */
export function jsonCharge(
  charge: Charge,
  { names, settled, verbose }: Pick<ChargeReport, 'names' | 'settled' | 'verbose'>,
) {
  const { id, status, order, summary, event, errorMessage, payments, responses } = charge;
  const { outcome, handling } = chargeRule(status);
  return {
    chargeId: id,
    status,
    outcome,
    approved: isApproved(status),
    hadBeenCompleted: wasCompleted(status),
    handling: { rule: handling, message: handlingWords[handling] },
    order: {
      orderId: order.id,
      reference: order.reference,
      details: order.details,
      amount: jsonMoney(order.amount),
    },
    accountingToken: order.serviceId,
    accountingName: names.get(order.serviceId) ?? '',
    summaryAmounts: {
      ...Object.fromEntries(summaryAmounts.map((key) => [key, jsonMoney(summary[key])])),
      outOfBalance: summary.outOfBalance.map(jsonMoney),
      outOfBalanceOther: summary.outOfBalanceOther,
    },
    event: { ...event, number: event.number ?? null },
    errorMessage: errorMessage === '' ? null : errorMessage,
    payments: payments.map((one) => ({ ...one, savedForLater: one.savedForLater ?? null })),
    ...(settled && { inSettlements: jsonRows(charge, settled) }),
    ...(verbose && { notForCustomers: { processingResponses: responses.map(responseFields) } }),
  };
}

function jsonRows(charge: Charge, settled: NonNullable<ChargeReport['settled']>) {
  const { own, compared } = againstRows(charge, settled);
  return {
    complete: settled.complete,
    relation: compared.relation,
    settled: jsonMoney(compared.settled),
    gross: jsonMoney(compared.rows),
    difference: jsonMoney(compared.difference),
    rowsInOtherCurrency: compared.inOtherCurrency,
    rows: own.map(({ settlement, row }) => {
      const facts = { ...row, listedIn: settlement.id, settlementDate: settlement.date };
      return jsonFacts(facts, row.amount.scale);
    }),
  };
}

function jsonMoney(money: Money | undefined) {
  return money ? { ...jsonAmount(money.minor, money.scale), currency: money.currency } : null;
}

/**
 * A charge's document without encrypted payment details, and without the people in it unless they
 * are asked for. Everything else stays as it came.
 */
export function withoutSecrets(document: unknown, withPersons: boolean): unknown {
  if (Array.isArray(document)) return document.map((item) => withoutSecrets(item, withPersons));
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document)
      .filter(([key]) => !isEncrypted(key) && (withPersons || !isPersonal(key)))
      .map(([key, value]) => [key, withoutSecrets(value, withPersons)]),
  );
}
