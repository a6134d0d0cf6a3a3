import { ReconError } from '../base/errors.ts';
import type { Charge, ChargeSource } from '../model/charge.ts';
import type { Source } from '../model/source.ts';
import { type Hint, isId } from '../model/webhook.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement, ReconcileSettings } from '../reconcile/reconciled.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { judgeSettlement } from './find-settlement.ts';

/** What the API says of a settlement or charge that a webhook names. */
export type WebhookAnswer =
  | {
      readonly kind: 'settlement';
      readonly reconciled: ReconciledSettlement;
      /** What leaves its header open. */
      readonly findings: readonly Entry[];
    }
  /** Its status decides whether the payment is approved (doc 3.3). */
  | { readonly kind: 'charge'; readonly charge: Charge }
  /** The API knows no such settlement or charge, or refuses it. */
  | { readonly kind: 'not_found'; readonly message: string }
  /** It can't be one: it was not asked for. */
  | { readonly kind: 'not_an_id' };

/**
 * Reads the API again: a payload is unsigned, and so a hint (doc 6). Throws ReconError where the API
 * can't be asked: then nothing is known yet.
 */
export async function answerHint(
  hint: Hint,
  source: Source & ChargeSource,
  settings: ReconcileSettings,
  whenReported?: WhenReported,
): Promise<WebhookAnswer> {
  if (!isId(hint)) return { kind: 'not_an_id' };
  try {
    const { kind, id } = hint;
    if (kind === 'charge') return { kind, charge: await source.charge(id) };
    const judged = await judgeSettlement(source, id, settings, whenReported);
    const { outcome, reconciled, findings } = judged;
    if (!('notRead' in outcome)) return { kind, reconciled, findings };
    throw new ReconError('service', `The rows of settlement ${id} cannot be read.`, {
      where: outcome.notRead,
    });
  } catch (error) {
    const isAnswer = error instanceof ReconError && error.failure === 'not_found';
    if (isAnswer) return { kind: 'not_found', message: error.message };
    throw error;
  }
}
