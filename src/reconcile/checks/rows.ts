import { byText } from '../../base/texts.ts';
import { isSameUuid } from '../../base/uuid.ts';
import { entry } from '../entry.ts';
import { smallestIds } from '../examples.ts';
import type { Check } from '../subject.ts';

/**
 * `foreign_settlement`: rows that say they belong to another settlement. The service lists them
 * under this one, so they stay in its sums. UUIDs are compared whatever the case of their letters;
 * a row that names no settlement isn't foreign.
 */
export const foreignSettlement: Check = ({ settlement, rows }) => {
  const isForeign = (id: string) => id !== '' && !isSameUuid(id, settlement.id);
  const found = rows.ofKind(({ settlementId }) => isForeign(settlementId));
  if (found.length === 0) return [];
  return [
    entry('foreign_settlement', found.length, {
      settlementIds: smallestIds(new Set(found.map((row) => rows.kind(row).settlementId))),
      examples: smallestIds(found.map((row) => rows.id(row))),
    }),
  ];
};

/** `currency`: rows in another currency than the header. They are never added to its sums. */
export const currency: Check = ({ settlement, rows, sums }) => {
  const others = [...sums]
    .filter(([code]) => code !== settlement.currency)
    .sort(([a], [b]) => byText(a, b))
    .map(([, totals]) => totals);
  if (others.length === 0) return [];
  const found = rows.ofKind((kind) => kind.currency !== settlement.currency);
  const examples = smallestIds(found.map((row) => rows.id(row)));
  return [entry('currency', found.length, { totals: others, examples })];
};

/**
 * `scale`: rows in the header's currency with other decimal places than the header. Their amounts
 * are rescaled, exactly. Another currency may well have others.
 */
export const scale: Check = ({ settlement, rows }) => {
  const found = rows.ofKind(
    (kind) => kind.scale !== settlement.scale && kind.currency === settlement.currency,
  );
  if (found.length === 0) return [];
  const others = new Set(found.map((row) => rows.kind(row).scale));
  return [
    entry('scale', found.length, {
      decimalPlaces: settlement.scale,
      others: [...others].sort((a, b) => a - b),
      examples: smallestIds(found.map((row) => rows.id(row))),
    }),
  ];
};
