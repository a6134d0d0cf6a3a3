import type { Row } from '../../src/model/row.ts';
import type { Draft } from './account.ts';
import type { Effect } from './contracts.ts';
import { type Exact, type Round, rounded } from './rates.ts';

/** A term of a pattern, as docs/explain.md describes the JSON. */
export interface Term {
  readonly figure: 'count' | 'gross' | 'fees' | 'tax' | 'pay_in';
  readonly form: 'times' | 'rate' | 'rate_by_row' | 'step';
  readonly measure: string;
  readonly of: 'rows' | 'header' | 'in_full' | 'in_part';
  readonly trait?: 'type' | 'state' | 'paymentType';
  readonly value?: string;
  readonly amount?: string;
  readonly factor?: number;
  readonly percent?: string;
  readonly rounding?: Round;
}

export interface Pattern {
  readonly accountingToken: string | null;
  readonly currency: string;
  readonly settlements: number;
  readonly tested: number;
  readonly decimalPlaces: number;
  readonly terms: readonly Term[];
  readonly alternatives: readonly (readonly Term[])[];
  readonly message: string;
}

/** The patterns in a document of `recon settlements`. */
export function patternsOf(document: unknown): readonly Pattern[] {
  const { patterns = [] } = document as { readonly patterns?: readonly Pattern[] };
  return patterns;
}

/** By how much the terms make a header differ from the sums of its rows; undefined if the bench cannot read one. */
function effectOf(
  terms: readonly Term[],
  draft: Draft,
  scale: number,
): (Effect & { readonly count: bigint }) | undefined {
  const effect = { gross: 0n, fees: 0n, tax: 0n, extra: 0n, count: 0n };
  for (const term of terms) {
    const value = termValue(term, draft, scale);
    if (value === undefined) return undefined;
    effect[term.figure === 'pay_in' ? 'extra' : term.figure] += value;
  }
  return effect;
}

function termValue(term: Term, draft: Draft, scale: number): bigint | undefined {
  const { form, amount, factor = 1, percent, rounding = 'half_up' } = term;
  if (form === 'step') {
    const step = minor(amount ?? '', scale);
    const { gross, fees, tax } = draft.header;
    const payIn = gross - fees - tax;
    return rounded({ over: payIn, under: step }, rounding) * step - payIn;
  }
  const rate = (base: Exact): Exact => {
    const [whole = '', decimals = ''] = (percent ?? '').split('.');
    const per = BigInt(whole + decimals);
    return { over: base.over * per, under: base.under * 100n * 10n ** BigInt(decimals.length) };
  };
  const parts = partsOf(term, draft);
  if (parts === undefined) return undefined;
  if (form === 'rate_by_row') {
    return parts.reduce((sum, part) => sum + rounded(rate(part), rounding), 0n);
  }
  // Of a part of a purchase, each is rounded by itself.
  const sum = parts.reduce((sum, part) => sum + rounded(part, 'half_up'), 0n);
  if (form === 'rate') return rounded(rate({ over: sum, under: 1n }), rounding);
  return amount === undefined ? sum * BigInt(factor) : sum * minor(amount, scale);
}

function partsOf(term: Term, { header, rows }: Draft): readonly Exact[] | undefined {
  const { measure, of, trait, value } = term;
  const whole = (over: bigint): Exact => ({ over, under: 1n });
  if (measure === 'settlements') return [whole(1n)];
  const own = rows.filter((row) => trait === undefined || row[trait] === value);
  if (measure === 'rows') return [whole(BigInt(own.length))];
  if (measure === 'charges') return [whole(BigInt(new Set(own.map((row) => row.chargeId)).size))];
  const amountOf = (one: { gross: bigint; fees: bigint; tax: bigint }) => {
    if (measure === 'gross') return one.gross;
    if (measure === 'fees') return one.fees;
    if (measure === 'tax') return one.tax;
    if (measure === 'fees_and_tax') return one.fees + one.tax;
    return one.gross - one.fees - one.tax;
  };
  const ofRow = (row: Row) => amountOf({ gross: row.amount, fees: row.fees, tax: row.tax });
  if (of === 'header') return [whole(amountOf(header))];
  if (of === 'rows') return own.map((row) => whole(ofRow(row)));
  return rows.flatMap((refund) => {
    if (refund.type !== 'refund') return [];
    const purchase = rows.find(
      (one) => one.chargeId === refund.chargeId && one.type === 'purchase',
    );
    if (!purchase) return [];
    const part = of === 'in_full' ? whole(1n) : { over: -refund.amount, under: purchase.amount };
    return [{ over: ofRow(purchase) * part.over, under: part.under }];
  });
}

function minor(decimal: string, scale: number): bigint {
  const [whole = '', decimals = ''] = decimal.split('.');
  return BigInt(whole + decimals.padEnd(scale, '0'));
}

/** Whether the terms say of these settlements what the contract says. */
export function saysSame(
  terms: readonly Term[],
  drafts: readonly Draft[],
  effectOn: (draft: Draft) => Effect,
  scale: number,
): boolean {
  return drafts.every((draft) => {
    const [own, planted] = [effectOf(terms, draft, scale), effectOn(draft)];
    return (
      own !== undefined &&
      own.count === 0n &&
      (['gross', 'fees', 'tax', 'extra'] as const).every((one) => own[one] === planted[one])
    );
  });
}
