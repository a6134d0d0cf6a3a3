import { mostSettlements, type UnsteadyReason } from '../../model/source.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Identity } from '../../reconcile/identity.ts';
import type { ServiceSays, SumsSay, Verdict } from '../../reconcile/reconciled.ts';
import type { Tone } from './view.ts';

export const verdictWords: Readonly<Record<Verdict, string>> = {
  balanced: 'balanced',
  out_of_balance: 'out of balance',
  pending: 'pending',
  incomplete: 'incomplete',
};

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  balanced: 'good',
  out_of_balance: 'bad',
  pending: 'plain',
  incomplete: 'unsure',
};

export const opinionWords: Readonly<Record<ServiceSays | SumsSay, string>> = {
  ...verdictWords,
  unknown: 'nothing known',
};

export const measureWords: Readonly<Record<Measure, string>> = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  payIn: 'pay-in',
};

export const unsteadyWords: Readonly<Record<UnsteadyReason, string>> = {
  walks_disagree: 'reading it again gave other records',
  no_progress: 'page after page repeats what came before',
  too_long: 'far more is listed than was announced',
};

/** The same of the list of settlements, which announces no number. */
export const unsteadyListWords: Readonly<Record<UnsteadyReason, string>> = {
  ...unsteadyWords,
  too_long:
    `more than ${mostSettlements.toLocaleString('en-US')} are listed, which is the most that a run ` +
    'reads; ask for a shorter range',
};

/** `gross - fees - tax`. */
export function identityWords(identity: Identity): string {
  return identity.replace(/[-+]/g, ' $& ');
}
