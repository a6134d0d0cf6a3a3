import { join } from 'node:path';
import * as z from 'zod';
import { copyFile, isThere, readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { codeSchema } from '../export/day-settings.ts';
import { layout } from '../export/layout.ts';
import { parseSealed, sealedJson } from '../export/sealed-json.ts';

/** Raised when an older version could not read it: then it is kept aside, and all is new once. */
const version = 2;

const digits = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);
const figures = z.object({
  transactions: z.number(),
  gross: digits,
  fees: digits,
  tax: digits,
  payIn: digits.optional().transform((payIn) => payIn),
});
const day = z.string();

const verdict = z.enum(['out_of_balance', 'pending', 'incomplete']);

const standing = z.object({
  settlement: z.object({
    id: z.string(),
    date: day,
    accountingToken: z.string(),
    currency: z.string(),
  }),
  verdict,
  /** Whether it is pending because the document doesn't name its status. */
  hasUnknownStatus: z.boolean(),
  /** Decimal places of all amounts here. */
  scale: z.int(),
  reported: figures,
  /** Absent where its rows were not read whole. */
  computed: figures.optional().transform((computed) => computed),
  codes: z.array(codeSchema).readonly(),
  /** What was found, and the explanation: sentences. */
  found: z.array(z.string()).readonly(),
});

const judgedDay = z.object({ version: z.string(), standing: z.array(standing).readonly() });

const stand = z.object({
  id: z.string(),
  day,
  verdict,
  /** Whether its difference raises an alarm, and how far people had accepted it. */
  alarm: z.enum(['none', 'difference', 'expired', 'changed']),
  mark: z.string(),
  isOverdue: z.boolean(),
});

const bankStand = z.object({
  /** Of the settlement, or of an entry that belongs to none. */
  id: z.string(),
  day,
  kind: z.enum(['missing_on_bank', 'bank_difference', 'returned_by_bank', 'unknown_on_bank']),
  /** Equal where nothing has changed that a person would look at. */
  mark: z.string(),
});

/** The defaults are what is known before the first night. */
const stateSchema = z.object({
  schema: z.literal(version),
  /** How often something was told: two pieces of news that read alike years apart have other ids. */
  tellings: z.int().default(0),
  /** The first day that was ever asked for. */
  since: day.nullable().default(null),
  /** The last day that was over on the last night that read all it had planned. */
  reached: day.nullable().default(null),
  /** Of each day that was told of the SHA-256 of its source's text. */
  days: z.record(day, z.string()).default({}),
  /** How each settlement that is not balanced stood when it was told of. */
  stands: z.array(stand).default([]),
  /** What was told of the bank: what was not as it should be, and what was wrong with the statements. */
  bank: z
    .object({ stands: z.array(bankStand), problems: z.array(z.string()) })
    .default({ stands: [], problems: [] }),
  /** Of each day in place its look: equal where no file has another size or time. */
  looks: z.record(day, z.string()).default({}),
  /** Days whose files were not those that were written, and what was wrong, until they are read again. */
  damaged: z.record(day, z.string()).default({}),
  /** The last day that was swept. */
  swept: day.nullable().default(null),
  /** Old days of which the service lists nothing any more. */
  delisted: z.array(day).default([]),
  /** Days that could not be read, and why. */
  unread: z.record(day, z.string()).default({}),
  /** Days that were published though they could not be read whole. */
  incomplete: z.array(day).default([]),
  /** Why the last night failed. */
  failure: z.string().nullable().default(null),
  /** What was found in days that are not balanced, by the version of the day: it need not be found again. */
  judged: z.record(day, judgedDay).default({}),
});

/** What was told of an export, and what saves finding things again. */
export type NightState = z.infer<typeof stateSchema>;

/** How a settlement that is not balanced stands. */
export type Stand = Readonly<z.infer<typeof stand>>;

/** A settlement of an exported day that is not balanced, as the day's own settings judge it. */
export type StandingSettlement = Readonly<z.infer<typeof standing>>;

/** What was found in a version of a day. */
export type JudgedDay = Readonly<z.infer<typeof judgedDay>>;

/** How a pay-out or an entry stands on the bank that is not as it should be. */
export type BankStand = Readonly<z.infer<typeof bankStand>>;

/** What is known before the first night: nothing was told. */
export const noState = stateSchema.parse({ schema: version });

/**
 * What was told of the export in a folder. `stateAside`: where that was written down and can't be read, the
 * name under which it is to be kept.
 */
export async function readState(folder: string) {
  const path = join(folder, layout.nightly);
  const file = await readTextFile(path).catch(() => ({ text: '' }));
  const state = file ? stateSchema.safeParse(parseSealed(file.text)).data : noState;
  if (state) return { state, stateAside: undefined };
  const nameOf = (n: number) => `${layout.nightly}.damaged${n > 1 ? `.${n}` : ''}`;
  let number = 1;
  while (await isThere(join(folder, nameOf(number)))) number += 1;
  return { state: noState, stateAside: nameOf(number) };
}

/** Writes it down, whole or not at all, and keeps what can't be read. Throws ReconError `output`. */
export async function writeState(
  folder: string,
  state: NightState,
  stateAside?: string,
): Promise<void> {
  if (stateAside !== undefined) {
    await copyFile(join(folder, layout.nightly), join(folder, stateAside));
  }
  const plain = JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  await replaceWhole(join(folder, layout.nightly), sealedJson(JSON.parse(plain)));
}
