import type { Check } from '../subject.ts';
import { amounts, count, identity, withinTolerance } from './figures.ts';
import { outsideRange, reportedByService, unusualScale } from './header.ts';
import { notRead, unreadableRecord, unsteadyRead } from './reading.ts';
import { conflictingSettlement, conflictingTransaction, duplicateTransaction } from './repeats.ts';
import { currency, foreignSettlement, scale } from './rows.ts';
import { unknownValue } from './unknown-value.ts';

/** All checks of a settlement, in the order of their entries. */
export const checks: readonly Check[] = [
  amounts,
  count,
  identity,
  reportedByService,
  currency,
  conflictingTransaction,
  conflictingSettlement,
  foreignSettlement,
  withinTolerance,
  duplicateTransaction,
  scale,
  unusualScale,
  unknownValue,
  outsideRange,
  unreadableRecord,
  unsteadyRead,
  notRead,
];
