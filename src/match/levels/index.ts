import { endToEndId } from './end-to-end-id.ts';
import type { KeyLevel } from './key-level.ts';
import { paymentInformationId } from './payment-information-id.ts';
import { referenceLevels } from './reference.ts';
import { textLevels } from './text.ts';
import { textStart } from './text-start.ts';

/** The keys that prove a match, the strongest first. */
export const keyLevels: readonly KeyLevel[] = [
  endToEndId,
  paymentInformationId,
  ...referenceLevels,
  ...textLevels,
  textStart,
];
