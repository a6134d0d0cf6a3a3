import { byText } from '../../base/texts.ts';
import { isSameUuid } from '../../base/uuid.ts';
import { found } from '../entry.ts';
import { smallestIds, smallestRows } from '../examples.ts';
import type { RowColumns } from '../row-columns.ts';
import type { Check } from '../subject.ts';

/**
 * `foreign_settlement`: rows that say they belong to another settlement. The service lists them
 * under this one, so they stay in its sums. UUIDs are compared whatever the case of their letters;
 * a row that names no settlement isn't foreign.
 */
export const foreignSettlement: Check = ({ settlement, rows }) => {
  const isForeign = (id: string) => id !== '' && !isSameUuid(id, settlement.id);
  const foreign = rows.ofKind(({ settlementId }) => isForeign(settlementId));
  return found('foreign_settlement', foreign.length, {
    settlementIds: smallestIds(new Set(foreign.map((row) => rows.kind(row).settlementId))),
    examples: examplesOf(rows, foreign),
  });
};

/** `currency`: rows in another currency than the header. They are never added to its sums. */
export const currency: Check = ({ settlement, rows, sums }) => {
  const totals = [...sums]
    .filter(([code]) => code !== settlement.currency)
    .sort(([a], [b]) => byText(a, b))
    .map(([, one]) => one);
  const others = rows.ofKind((kind) => kind.currency !== settlement.currency);
  return found('currency', others.length, { totals, examples: examplesOf(rows, others) });
};

/**
 * `scale`: rows in the header's currency with other decimal places than the header. Their amounts
 * are rescaled, exactly. Another currency may well have others.
 */
export const scale: Check = ({ settlement, rows }) => {
  const others = rows.ofKind(
    (kind) => kind.scale !== settlement.scale && kind.currency === settlement.currency,
  );
  return found('scale', others.length, {
    decimalPlaces: settlement.scale,
    others: [...new Set(others.map((row) => rows.kind(row).scale))].sort((a, b) => a - b),
    examples: examplesOf(rows, others),
  });
};

function examplesOf(rows: RowColumns, among: readonly number[]): readonly string[] {
  return smallestRows(rows, among).map((row) => rows.id(row));
}
