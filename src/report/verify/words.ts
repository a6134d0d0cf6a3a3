import type { ExportProblem } from '../../app/export-result.ts';
import { unreadableSentence } from '../../base/file-failures.ts';

type Sentence = (...values: readonly (string | number)[]) => string;

const sentences: Readonly<Record<ExportProblem['code'], Sentence>> = {
  missing: () => 'The file is missing.',
  changed: () => 'It has changed since it was written.',
  other_size: (found, written) => `It has ${found} bytes; it was written with ${written}.`,
  other_rows: (found, expected) => `It has ${found} rows; the manifest says ${expected}.`,
  other_contents: () => 'Its contents do not match the manifest.',
  other_version: () =>
    'It has changed since it was written, or belongs to another version of the day.',
  other_day: (day) => `It is the manifest of ${day}.`,
  not_in_manifest: () => 'It is not in the manifest.',
  only_in_folder: () => 'It is in the folder but not in the manifest.',
  no_day: () => 'It does not belong to any day of the export.',
  blocked: () => "A file or link is in the place of this day's folder.",
  contradiction: (field) => `Its ${field} does not match the day's source and settings.`,
  newer_schema: (found, newest) =>
    `The manifest has schema ${found}; this version of recon reads ${newest}.`,
  not_valid: (field) => `The manifest is not valid: ${field || 'the whole file'}.`,
  unreadable: (code) => unreadableSentence(String(code)),
};

/** What is wrong with a file of an export, as a sentence that does not name the file. */
export function exportProblemSentence({ code, values = [] }: Omit<ExportProblem, 'path'>): string {
  return sentences[code](...values);
}

/** `groups.csv: The file is missing.` */
export function exportProblemText(problem: ExportProblem): string {
  return `${problem.path}: ${exportProblemSentence(problem)}`;
}
