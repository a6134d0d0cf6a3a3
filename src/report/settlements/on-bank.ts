import { type BankCheck, bankDatesOf, isOffOnBank, placeOf } from '../../app/bank-check.ts';
import { bankVerdict, openMatches, type ShareFigure } from '../../app/bank-report.ts';
import { hasArrived } from '../../match/match.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { bankHeadline } from '../bank/summary.ts';
import { jsonFinding } from '../bank/view.ts';
import { bankStates, statementRemark } from '../bank/words.ts';
import { jsonAcceptance, jsonConfirmations } from '../common/acceptance.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import { grouped, many, present, signedText } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';

/** `matched 2026-03-03`, `difference -1.50`, `missing, 18 days`; empty without statements, and for pending settlements. */
export function bankText(bank: BankCheck | undefined, one: ReconciledSettlement): string {
  const place = placeOf(bank, one);
  if (!place || place.match.state === 'not_paid_yet') return '';
  const { state, ageDays } = place.match;
  const [words] = bankStates[state];
  if (hasArrived(place.match)) {
    const by = place.confirmations.map((line) => `(confirmed on ${line.on} by ${line.by})`);
    return present(words, bankDatesOf(place.match).join(', '), ...by).join(' ');
  }
  if (state === 'difference') {
    const off = grouped(signedText(place.figures.difference, place.match.scale));
    return present(words, off, place.acceptance?.state === 'accepted' && '(accepted)').join(' ');
  }
  const hasAge = (state === 'missing_on_bank' || state === 'in_transit') && ageDays !== undefined;
  return hasAge ? `${words}, ${many(ageDays, 'day')}` : words;
}

type Bank = BankCheck | undefined;

/** The received amount of a settlement, or its difference from the expected one. */
export function bankFigure(bank: Bank, one: ReconciledSettlement, figure: ShareFigure) {
  const place = placeOf(bank, one);
  return place && amountOf(place.figures[figure], place.match.scale);
}

/** Findings in the statements themselves. */
export function statementRemarks(bank: BankCheck | undefined): readonly Remark[] {
  return (bank?.report.statements.findings ?? []).map(statementRemark);
}

/** How many pay-outs are on the bank statements, unless all are. */
export function bankSentence(bank: BankCheck | undefined) {
  if (!bank) return undefined;
  const isCovered = openMatches(bank.report, 'not_covered').length === 0;
  return (!isCovered || isOffOnBank(bank)) && bankHeadline(bank.report);
}

/** Columns about the match of a settlement. */
export function onBankColumns(bank: BankCheck): readonly Column<ReconciledSettlement>[] {
  const of = (one: ReconciledSettlement) => placeOf(bank, one);
  return [
    field.text('bank_state', (one) => of(one)?.match.state),
    field.text('bank_by', (one) => of(one)?.match.by),
    field.list('bank_date', (one) => bankDatesOf(of(one)?.match)),
    field.amount('bank_received', (one) => bankFigure(bank, one, 'received')),
    field.amount('bank_difference', (one) => bankFigure(bank, one, 'difference')),
    field.integer('bank_age_days', (one) => of(one)?.match.ageDays),
    field.text('bank_accepted', (one) => of(one)?.acceptance?.state),
    field.list('bank_confirmed_by', (one) => of(one)?.confirmations.map(({ by }) => by)),
    field.list('bank_confirmed_on', (one) => of(one)?.confirmations.map(({ on }) => on)),
  ];
}

/** The same in JSON; nothing without statements. */
export function jsonOnBank(bank: BankCheck | undefined, one: ReconciledSettlement) {
  if (!bank) return {};
  const place = placeOf(bank, one);
  if (!place) return { bank: null };
  const { match, acceptance, confirmations } = place;
  const { state, by: matchedBy, reason, scale, ageDays } = match;
  const { received, difference } = place.figures;
  const accepted = jsonAcceptance(acceptance);
  const dates = bankDatesOf(match);
  const confirmed = jsonConfirmations(confirmations);
  const figures = { received, difference, scale, ageDays };
  return { bank: { state, matchedBy, reason, dates, ...figures, accepted, confirmed } };
}

/** The verdict of `recon bank` in JSON; nothing without statements. */
export function jsonBankTotal(bank: Bank) {
  if (!bank) return {};
  const { report } = bank;
  const statementFindings = report.statements.findings.map(jsonFinding);
  return {
    bank: { verdict: bankVerdict(report), message: bankHeadline(report), statementFindings },
  };
}
