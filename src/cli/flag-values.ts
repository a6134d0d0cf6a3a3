import { InvalidArgumentError } from 'commander';
import { wordMeant } from '../config/nearest.ts';
import { uuidForm } from '../model/forms.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import { rateScale } from '../money/rate.ts';
import { ignorableChecks } from '../reconcile/entry.ts';
import { type SplitName, splitNames } from '../reconcile/split.ts';

// How the texts of flags are understood. All of these throw InvalidArgumentError.

export function refuse(message: string): never {
  throw new InvalidArgumentError(message);
}

export function wordOf<Word extends string>(words: readonly Word[], text: string): Word {
  const meant = wordMeant(words, text);
  return words.find((one) => one === meant) ?? refuse(`It must be one of ${words.join(', ')}.`);
}

export function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('It must be a whole number.');
}

/** Whole numbers up to a bound. */
export function upTo(most: number, least = 0): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > most) refuse(`It must be at most ${most}.`);
    return number < least ? refuse(`It must be at least ${least}.`) : number;
  };
}

/** What can't be an id is never asked for. What stood around it where it was copied is left out. */
export function oneUuid(pasted: string): string {
  const text = pasted.replace(/^[\s\p{Cf}"'`“”„‘’«»{(<[]+|[\s\p{Cf}"'`“”‘’«»})>\],;]+$/gu, '');
  const example = '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77';
  return uuidForm.test(text) ? text : refuse(`It must be a UUID, such as ${example}.`);
}

export function decimal(text: string): string {
  return parseDecimal(text, maxScale) !== undefined
    ? text
    : refuse('It must be an amount, such as -5.00.');
}

/** Percentage points, as a rate has them. */
export function points(text: string): bigint {
  const read = parseDecimal(text, rateScale);
  return read !== undefined && !text.startsWith('-')
    ? read
    : refuse(`It must be percentage points with up to ${rateScale} decimals, such as 0.05.`);
}

export function someText(text: string): string {
  return text.trim() === '' ? refuse('It must not be empty.') : text.trim();
}

/** What `--by` takes. */
export const byWords = ['settlement', 'group', ...splitNames] as const;

/** What totals are split by. */
export function splitOf(text: string): 'settlement' | readonly SplitName[] {
  const words = text.split(',').map((word) => wordOf(byWords, word.trim()));
  const names = words.flatMap((word) => {
    if (word === 'settlement') return [];
    return word === 'group' ? 'account' : word;
  });
  if (words.length === 1) return names.length === 0 ? 'settlement' : names;
  if (names.length < words.length) refuse('settlement cannot be combined with others.');
  if (words.length > 2) refuse('Name at most two, such as month,payment.');
  if (words[0] === words[1]) refuse(`${words[0]} can be given only once.`);
  return names[0] === names[1] ? refuse('group and account mean the same.') : names;
}

/** Words as the service writes them, with commas between. */
export function exactValues(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return words.includes('') ? refuse('A value must not be empty.') : words;
}

/** Without a value, the statements are those of the settings. */
export function statementsOf(text: string): readonly string[] {
  return text === '' ? [] : [text];
}

const bytesPerUnit: Readonly<Record<string, number>> = { MB: 10 ** 6, GB: 10 ** 9 };

/** Bytes of a size such as 500MB or 4GB. */
export function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6}) ?([MG]B)$/i.exec(text) ?? [];
  const bytes = Number(number ?? 0) * (bytesPerUnit[unit.toUpperCase()] ?? 0);
  return bytes < 10 ** 8 ? refuse('It must be 100MB or more, such as 4GB.') : bytes;
}

export function noteKey(key: string, previous: readonly string[]): readonly string[] {
  if (key === '') refuse('It must not be empty.');
  return previous.includes(key) ? refuse('A key can be given only once.') : [key];
}

export function checkCodes(text: string): readonly string[] {
  return text.split(',').map((word) => wordMeant(ignorableChecks, word.trim()));
}
