import { ReconError } from '../base/errors.ts';
import type { Charge, ChargeSource } from '../model/charge.ts';
import type { Source } from '../model/source.ts';
import type { Webhook } from '../model/webhook.ts';
import type { Entry } from '../reconcile/entry.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconciledSettlement, ReconcileSettings } from '../reconcile/reconciled.ts';
import { findSettlement } from './find-settlement.ts';
import { readSettlement } from './read-settlement.ts';

/** What the API says of what a webhook is about. */
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
  /** There is nothing to ask for. */
  | { readonly kind: 'not_recognised' };

/**
 * Reads the API again: a payload is unsigned, and so a hint (doc 6). Throws ReconError where the API
 * can't be asked: then nothing is known yet.
 */
export async function answerWebhook(
  webhook: Webhook,
  source: Source & ChargeSource,
  settings: ReconcileSettings,
): Promise<WebhookAnswer> {
  try {
    switch (webhook.kind) {
      case 'settlement':
        return await answerSettlement(webhook.settlementId, source, settings);
      case 'charge':
        return { kind: 'charge', charge: await source.charge(webhook.chargeId) };
      case 'unknown':
        return { kind: 'not_recognised' };
    }
  } catch (error) {
    const isAnswer = error instanceof ReconError && error.failure === 'not_found';
    if (isAnswer) return { kind: 'not_found', message: error.message };
    throw error;
  }
}

async function answerSettlement(
  id: string,
  source: Source,
  settings: ReconcileSettings,
): Promise<WebhookAnswer> {
  const { settlement, conflicts, findings } = await findSettlement(source, id);
  const reading = await readSettlement(source, settlement, 0, () => {});
  if ('notRead' in reading.outcome) {
    throw new ReconError('service', `The rows of settlement ${id} can't be read.`, {
      where: reading.outcome.notRead,
    });
  }
  const reconciled = reconcileSettlement({ ...reading, headerConflicts: conflicts, settings });
  return { kind: 'settlement', reconciled, findings };
}
