import { ReconError } from '../base/errors.ts';
import { reasonText } from '../base/failure-reason.ts';
import type { Charge, ChargeSource } from '../model/charge.ts';
import type { Source } from '../model/source.ts';
import { type Hint, isId } from '../model/webhook.ts';
import type { AgeingAndAccepted } from '../reconcile/as-reported.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { judgeSettlement } from './find-settlement.ts';

/** What the API says of a settlement or charge that a webhook names. */
export type WebhookAnswer =
  | {
      readonly kind: 'settlement';
      readonly reconciled: ReconciledSettlement;
      /** Why its header is uncertain. */
      readonly findings: readonly Entry[];
    }
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'not_found'; readonly message: string }
  | { readonly kind: 'not_an_id' };

/** Reads the API again, because a payload is unsigned (doc 6). Throws ReconError if the API cannot be read. */
export async function answerHint(
  hint: Hint,
  source: Source & ChargeSource,
  settings: ReconcileSettings,
  ageingAndAccepted?: AgeingAndAccepted,
): Promise<WebhookAnswer> {
  if (!isId(hint)) return { kind: 'not_an_id' };
  try {
    const { kind, id } = hint;
    if (kind === 'charge') return { kind, charge: await source.charge(id) };
    const judged = await judgeSettlement(source, id, settings, ageingAndAccepted);
    const { outcome, reconciled, findings } = judged;
    if (!('notRead' in outcome)) return { kind, reconciled, findings };
    throw new ReconError('service', `The transactions of settlement ${id} cannot be read.`, {
      where: reasonText(outcome.notRead),
    });
  } catch (error) {
    const isAnswer = error instanceof ReconError && error.failure === 'not_found';
    if (isAnswer) return { kind: 'not_found', message: error.message };
    throw error;
  }
}
