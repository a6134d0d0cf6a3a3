import type { ChargeRows } from '../../app/find-charge-rows.ts';
import { faultOf } from '../../base/errors.ts';
import { type Charge, summaryAmounts } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import { chargeRule, isApproved, remarksOnCharge, wasCompleted } from '../../reconcile/charges.ts';
import { jsonAccount, jsonFacts } from '../common/json.ts';
import type { ChargeReport } from './view.ts';
import { againstRows, handlingText } from './words.ts';

/** The report in JSON. Others script against its keys. */
export function jsonCharges(report: ChargeReport) {
  const { charges, failures, settled } = report;
  return {
    about: {
      completeness: {
        complete: failures.length === 0 && (settled?.complete ?? true),
        charges: charges.length,
        failures: failures.length,
      },
      ...(settled && { settlements: { range: settled.range, count: settled.settlements } }),
    },
    lists: {
      charges: ['charge', charges.map((charge) => jsonCharge(charge, report))],
      failures: ['failure', failures.map(({ id, error }) => ({ chargeId: id, ...faultOf(error) }))],
    },
  } as const;
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
    handling: { rule: handling, message: handlingText(charge) },
    remarks: remarksOnCharge(charge).map((code) => ({ code })),
    order: {
      orderId: order.id,
      reference: order.reference,
      details: order.details,
      amount: jsonMoney(order.amount),
    },
    ...jsonAccount(order.serviceId, names),
    summaryAmounts: {
      ...Object.fromEntries(summaryAmounts.map((key) => [key, jsonMoney(summary[key])])),
      outOfBalance: summary.outOfBalance.map(jsonMoney),
      outOfBalanceOther: summary.outOfBalanceOther,
    },
    event: { ...event, number: event.number ?? null },
    errorMessage: errorMessage || null,
    payments: payments.map((one) => ({ ...one, savedForLater: one.savedForLater ?? null })),
    ...(settled && { inSettlements: jsonRows(charge, settled) }),
    ...(verbose && {
      notForCustomers: {
        // A processor's answer, in the order of doc 2.2.
        processingResponses: responses.map((one) => ({
          psp_id: one.pspId,
          type: one.type,
          status_code: one.statusCode,
          authorization_id: one.authorizationId,
          acquirer_response_code: one.acquirerResponseCode,
          network_unique_id: one.networkUniqueId,
          psp_error: one.error,
        })),
      },
    }),
  };
}

function jsonRows(charge: Charge, settled: ChargeRows) {
  const { own, compared } = againstRows(charge, settled);
  return {
    complete: settled.complete,
    relation: compared.relation,
    settled: jsonMoney(compared.settled),
    gross: jsonMoney(compared.rows),
    difference: jsonMoney(compared.difference),
    rowsInOtherCurrency: compared.inOtherCurrency,
    rows: own.map(({ settlement: { id, date }, row }) =>
      jsonFacts({ ...row, listedIn: id, settlementDate: date }, row.amount.scale),
    ),
  };
}

/** An amount with its own decimal places, or null where there is none. */
function jsonMoney(money: Money | undefined) {
  return jsonFacts(money ?? null, 0);
}
