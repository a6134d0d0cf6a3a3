import { amounts } from './amounts.ts';
import type { Check } from './check.ts';
import { conflictingSettlement, conflictingTransaction } from './conflicts.ts';
import { count } from './count.ts';
import { currency } from './currency.ts';
import { duplicateTransaction } from './duplicates.ts';
import { foreignSettlement } from './foreign-settlement.ts';
import { identity } from './identity.ts';
import { outsideRange } from './outside-range.ts';
import { notRead, unreadableRecord, unsteadyRead } from './reading.ts';
import { reportedByService } from './reported-by-service.ts';
import { scale } from './scale.ts';
import { unknownValue } from './unknown-value.ts';
import { unusualScale } from './unusual-scale.ts';
import { withinTolerance } from './within-tolerance.ts';

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
