import { uuidForm } from '../../model/forms.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import { present } from './phrase.ts';

/** An id of the service goes into a command only in its own form: a shell can't misread that. */
export function canBeCopied(id: string): boolean {
  return uuidForm.test(id);
}

const unreadable: readonly Code[] = ['unreadable_record', 'unreadable_header'];

/** Reading again helps where reading failed, never where a record can't be understood. */
export function forIncomplete(entries: readonly Entry[], readAgain: readonly string[]) {
  const codes = entries.filter(({ weight }) => weight === 'incomplete').map(({ code }) => code);
  return present(
    ...(codes.some((code) => !unreadable.includes(code)) ? readAgain : []),
    codes.some((code) => unreadable.includes(code)) &&
      'Report the record and the field to the provider. Reading again will not help.',
  );
}

/** A command to copy. */
export function command(...words: readonly (string | undefined)[]): string {
  return present(...words).join(' ');
}
