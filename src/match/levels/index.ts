import { endToEndId } from './end-to-end-id.ts';
import type { KeyLevel } from './key-level.ts';
import { paymentInformationId } from './payment-information-id.ts';
import { references } from './reference.ts';
import { texts } from './text.ts';
import { textStart } from './text-start.ts';

/** The keys that prove a match, the strongest first. */
export const keyLevels: readonly KeyLevel[] = [
  endToEndId,
  paymentInformationId,
  ...references,
  ...texts,
  textStart,
];
