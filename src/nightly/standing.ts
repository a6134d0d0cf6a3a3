import { createHash } from 'node:crypto';
import { judgeAgain } from '../export/export-source.ts';
import type { Manifest } from '../export/manifest.ts';
import { formatMinor } from '../money/money.ts';
import { codesOf } from '../reconcile/acceptance.ts';
import { verdictReason } from '../reconcile/verdict.ts';
import { sentence } from '../report/common/words.ts';
import { explanationSentence } from '../report/explain/words.ts';
import type { StandingSettlement } from './state.ts';

/**
 * The settlements of a day that are not balanced, found again in its folder. Throws ReconError
 * `damaged` where its files are not those that were written.
 */
export async function standingIn(
  folder: string,
  manifest: Manifest,
): Promise<readonly StandingSettlement[]> {
  if (manifest.verdict === 'balanced') return [];
  const standing: StandingSettlement[] = [];
  const judged = judgeAgain(folder, manifest, { explains: true, areChecked: false });
  for await (const { reconciled, explained } of judged) {
    const { settlement, scale, reported, computed, discrepancies } = reconciled;
    const { id, date, accountingToken, currency } = settlement;
    if (reconciled.verdict === 'balanced') continue;
    const explanation = explained && explanationSentence(explained, currency);
    standing.push({
      settlement: { id, date, accountingToken, currency },
      verdict: reconciled.verdict,
      hasUnknownStatus: verdictReason(reconciled) === 'unknown_status',
      scale,
      reported,
      computed,
      codes: codesOf(reconciled),
      found: [...discrepancies.map(sentence), ...(explanation ? [explanation] : [])],
    });
  }
  return standing;
}

/** Equal where nothing has changed that a person would look at: verdict, currency, figures, codes. */
export function markOf({
  verdict,
  settlement,
  scale,
  reported,
  computed,
  codes,
}: StandingSettlement): string {
  const texts = [reported, computed].map(
    (figures) =>
      figures && [
        figures.transactions,
        ...[figures.gross, figures.fees, figures.tax, figures.payIn].map(
          (minor) => minor !== undefined && formatMinor(minor, scale),
        ),
      ],
  );
  const facts = [verdict, settlement.currency, texts, codes];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}
