import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';

/** The service says settled, and the sums don't agree. */
export function missedByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'balanced' && sumsSay === 'out_of_balance';
}

/** The service says out of balance, and its own figures don't show it. */
export function onlyByService({ serviceSays, sumsSay }: ReconciledSettlement): boolean {
  return serviceSays === 'out_of_balance' && sumsSay === 'balanced';
}
