import { hash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { exportProblemCodes } from '../app/export-result.ts';
import { ReconError, RequestFailure } from '../base/errors.ts';
import { isNoText } from '../base/file-failures.ts';
import { copyFile, isThere, readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { damagedName, jsonWithDigest, layout, parseJsonWithDigest } from '../export/layout.ts';
import { codeSchema } from '../export/manifest.ts';

/** Raise it only for changes that older versions of recon cannot read: they then refuse the file. */
const version = 1;

/** Optional in the file. In the type, the key is required and its value may be undefined. */
const orUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().transform((value) => value);

const digits = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);
const figures = z.object({
  transactions: z.number(),
  gross: digits,
  fees: digits,
  tax: digits,
  payIn: orUndefined(digits),
});
const day = z.string();

const verdict = z.enum(['out_of_balance', 'pending', 'incomplete']);

/** Why something failed, as facts, never words: the same reason is not reported twice. */
const reason = z.array(z.string()).readonly();

/** A list without the codes of a newer version of recon, which have no words here. */
const known = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.union([item, z.unknown().transform(() => undefined)]))
    .transform((all) => all.filter((one) => one !== undefined))
    .readonly();

/** What is wrong with the files of a day. Empty if the kind of damage is unknown. */
const damage = known(
  z.object({
    path: z.string(),
    code: z.enum(exportProblemCodes),
    values: z
      .array(z.union([z.string(), z.number()]))
      .readonly()
      .optional(),
  }),
);

const unbalanced = z.object({
  settlement: z.object({
    id: z.string(),
    date: day,
    accountingToken: z.string(),
    currency: z.string(),
  }),
  verdict,
  /** Whether it is pending because the document does not name its status. */
  hasUnknownStatus: z.boolean(),
  /** Decimal places of all amounts here. */
  scale: z.int(),
  reported: figures,
  /** Absent if its rows were not fully read. */
  computed: orUndefined(figures),
  codes: known(codeSchema),
});

const unbalancedOfDay = z.object({
  version: z.string(),
  settlements: z.array(unbalanced).readonly(),
});

const reportedStatus = z.object({
  id: z.string(),
  day,
  verdict,
  /** Whether its difference raises an alarm, and if so, whether an acceptance has expired or changed. */
  alarm: z.enum(['none', 'difference', 'expired', 'changed']),
  /** Digest of its figures and codes. */
  mark: z.string(),
  isOverdue: z.boolean(),
});

const bankIssue = z.object({
  /** Of the settlement, or of an entry that belongs to no settlement. */
  id: z.string(),
  day,
  kind: z.enum(['missing_on_bank', 'bank_difference', 'returned_by_bank', 'unknown_on_bank']),
  /** Its amounts, and whether its acceptance no longer counts. */
  mark: z.string(),
});

/** The defaults are what is known before the first night. The keys are a format on disk. */
const stateSchema = z.object({
  schema: z.literal(version),
  /** Part of each id, so the same news years later has a new id. */
  nightsWithNews: z.int().default(0),
  /** The first day that was ever asked for. */
  since: day.nullable().default(null),
  readUpTo: day.nullable().default(null),
  /** Content digest of each reported day. */
  days: z.record(day, z.string()).default({}),
  /** Of each unbalanced settlement. */
  reportedStatuses: z.array(reportedStatus).default([]),
  bank: z
    .object({ reportedIssues: z.array(bankIssue), problems: z.array(reason) })
    .default({ reportedIssues: [], problems: [] }),
  /** Digest of what is above the agreed rates on each day. */
  overcharged: z.record(day, z.string()).default({}),
  /** The last day that each pattern was told of. The key is a digest of what it says. */
  patterns: z.record(z.string(), day).default({}),
  /** Of the sizes and times of the files of each day. */
  fingerprints: z.record(day, z.string()).default({}),
  /** What was wrong with each damaged day, until it is read again. */
  damaged: z.record(day, damage).default({}),
  /** The last day that had its turn, not the date of the sweep. */
  lastSwept: day.nullable().default(null),
  /** Older days of which the service no longer lists anything. */
  delisted: z.array(day).default([]),
  /** Why each of these days could not be read. */
  unread: z.record(day, reason).default({}),
  /** Days that were published incomplete. */
  incomplete: z.array(day).default([]),
  /** Why the last night failed. */
  failure: reason.nullable().default(null),
  /** A cache. It counts for the version of a day. */
  unbalancedByDay: z.record(day, unbalancedOfDay).default({}),
});

/** What was reported of an export, and caches. */
export type NightState = z.infer<typeof stateSchema>;

/** Why something failed, as facts. */
export type Reason = readonly string[];

/** The reason of an error: its cause, and the code of the service. */
export function reasonOf(error: ReconError): Reason {
  const code = error instanceof RequestFailure ? error.code : undefined;
  return [error.failure, ...(code === undefined ? [] : [code])];
}

/** Whether a failure was reported before with this reason. */
export function isSameReason(before: Reason | null | undefined, now: Reason): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** 16 hexadecimal digits: enough to notice a change. */
export function shortDigest(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/** The state before the first night: nothing was reported. */
export const noState = stateSchema.parse({ schema: version });

/**
 * Reads `nightly.json`. An unreadable one counts as damaged: `writeState` keeps it as `stateKeptAs`. Throws
 * ReconError `configuration` if a newer version of recon wrote it, or it is no file that can be read.
 */
export async function readState(folder: string) {
  const path = join(folder, layout.nightly);
  // A folder or a pipe cannot be kept aside as a copy; what is no text can.
  const file = await readTextFile(path, { isKept: true }).catch((error: unknown) => {
    if (isNoText(error)) return { text: '' };
    throw error;
  });
  const found = file && parseJsonWithDigest(file.text);
  if (found && Number(found['schema']) > version) {
    throw new ReconError('configuration', 'A newer version of recon wrote this file.', {
      where: path,
      hint: 'Use that version, or move the file away: all that is out of balance is then reported again.',
    });
  }
  const state = file ? stateSchema.safeParse(found).data : noState;
  if (state) return { state, stateKeptAs: undefined };
  let number = 1;
  while (await isThere(join(folder, damagedName(layout.nightly, number)))) number += 1;
  return { state: noState, stateKeptAs: damagedName(layout.nightly, number) };
}

/** Writes `nightly.json`, complete or not at all. Throws ReconError `output`. */
export async function writeState(folder: string, state: NightState, stateKeptAs?: string) {
  if (stateKeptAs !== undefined) {
    await copyFile(join(folder, layout.nightly), join(folder, stateKeptAs));
  }
  await replaceWhole(join(folder, layout.nightly), jsonWithDigest(state));
}
