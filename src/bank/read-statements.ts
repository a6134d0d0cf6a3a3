import { ReconError } from '../base/errors.ts';
import type { BankStatements } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { fileReader } from './read-file.ts';
import { unite } from './unite.ts';
import type { StatementSink, Unreadable, WrittenStatement } from './written.ts';

/** A file, or what stands for one. */
export interface StatementFile {
  readonly name: string;
  /** How many bytes it has, where that is known before they are read. */
  readonly size?: number;
  /** Its bytes, each block valid until the next is asked for. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
  /** Whether it is only left out where it is no statement. */
  readonly mayBeOther?: boolean;
}

/** Statements, and the names of the files that were left out since they are none. */
export interface ReadStatements extends BankStatements {
  readonly leftOut: readonly string[];
}

/** What files may have together. */
const mostBytes = 2 ** 30;

/**
 * Reads statements of any kind: camt.052, .053 and .054, MT940 and MT942, CSV by a mapping, and archives of
 * them. What can't be read is among the findings. ReconError `usage` for a file that is none of these.
 */
export async function readStatements(
  files: readonly StatementFile[],
  mapping: BankCsv | undefined,
): Promise<ReadStatements> {
  const written: WrittenStatement[] = [];
  const unreadable: Unreadable[] = [];
  const leftOut: string[] = [];
  let bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const [large] = [...files].sort((one, other) => (other.size ?? 0) - (one.size ?? 0));
  if (large && bytes > mostBytes) throw tooLarge(large.name);
  for (const { name, size, blocks, mayBeOther = false } of files) {
    const sink: StatementSink = {
      statement: (statement) => written.push(statement),
      unreadable: (fault) => unreadable.push(fault),
      other: (file) => {
        // In an archive there may be anything.
        if (!mayBeOther && file === name) throw noStatement(name, mapping);
        leftOut.push(file);
      },
    };
    const reader = fileReader(name, sink, mapping);
    try {
      for await (const block of blocks()) {
        if (size === undefined) bytes += block.length;
        if (bytes > mostBytes) throw tooLarge(name);
        reader.push(block);
      }
      reader.end();
    } catch (error) {
      // A text is longer than Node can hold, which is half a gigabyte.
      const isTooLong = error instanceof RangeError && error.message === 'Invalid string length';
      if (!isTooLong) throw error;
      const hint = 'Request it from the bank again, in several files.';
      const what = { where: name, hint, reason: error };
      throw new ReconError('usage', 'A text in the bank statement is too long.', what);
    }
  }
  return { ...unite(written, unreadable), leftOut };
}

function tooLarge(where: string): ReconError {
  return new ReconError('usage', 'The bank statements have more than 1 GiB.', {
    where,
    hint: 'Read those of fewer months or accounts at once.',
  });
}

function noStatement(where: string, mapping: BankCsv | undefined): ReconError {
  const kinds = 'Files can be camt.052, camt.053, camt.054, MT940, MT942, or a zip of them.';
  const csv = mapping
    ? `A CSV file must have the columns that bank_csv names, such as ${mapping.date}.`
    : 'To read CSV files, set bank_csv in the profile.';
  return new ReconError('usage', 'Not a bank statement that recon can read.', {
    where,
    hint: `${kinds} ${csv}`,
  });
}
