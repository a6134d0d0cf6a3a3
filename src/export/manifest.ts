import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import type { SettlementFilters } from '../model/source.ts';
import { type Code, weights } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import type { ControlTotal } from './control-totals.ts';
import { changedSince } from './damaged.ts';
import { parseSealed, sealedJson } from './sealed-json.ts';
import { type DaySettings, daySchema } from './settings-digest.ts';

/** What a day's folder holds, how it was asked for and how it was judged: `manifest.json`. */
export interface Manifest {
  /** That of the day's files: `daySchema`, or an earlier one. */
  readonly schema: number;
  /** The version of `recon`. */
  readonly tool: string;
  /** Null where no profile was used. */
  readonly profile: string | null;
  /** The service's host; of the sandbox `sandbox:SCENARIO`. */
  readonly host: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly filters: SettlementFilters;
  readonly settings: DaySettings;
  readonly settingsDigest: string;
  /** An incomplete day is not exported. */
  readonly verdict: Exclude<Verdict, 'incomplete'>;
  readonly complete: true;
  readonly counts: {
    readonly settlements: Readonly<Record<Exclude<Verdict, 'incomplete'>, number>>;
    readonly transactions: number;
  };
  readonly totals: readonly ControlTotal[];
  /** SHA-256 of the source's text: where it is equal, the day's data are. */
  readonly contentSha256: string;
  /** Every other file of the folder, by its name. */
  readonly files: Readonly<Record<string, ManifestFile>>;
  /** When, in UTC: neither this nor the manifest's own digest makes a difference between days. */
  readonly exportedAt: string;
}

/** What decides whether a file is the one that was written. */
export interface ManifestFile {
  readonly bytes: number;
  /** Of CSV the records below the header row, of the source its lines. */
  readonly rows: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

const count = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const code = z.custom<Code>((value) => typeof value === 'string' && Object.hasOwn(weights, value));

const manifestSchema = z.object({
  schema: z.int().min(1).max(daySchema),
  tool: z.string(),
  profile: z.string().nullable(),
  host: z.string(),
  day: z.string(),
  filters: z.strictObject({
    mid: z.string().exactOptional(),
    cid: z.number().exactOptional(),
    chid: z.number().exactOptional(),
  }),
  settings: z.object({
    identity: z.enum(identities),
    tolerance: z.string().regex(/^\d{1,18}$/),
    ignored: z.array(code),
    expectedScales: z.record(z.string(), count).default({}),
    names: z.record(z.string(), z.string()),
  }),
  settingsDigest: digest,
  verdict: z.enum(['balanced', 'out_of_balance', 'pending']),
  complete: z.literal(true),
  counts: z.object({
    settlements: z.object({ balanced: count, out_of_balance: count, pending: count }),
    transactions: count,
  }),
  totals: z.array(
    z.object({
      accountingToken: z.string(),
      currency: z.string(),
      decimalPlaces: count,
      settlements: count,
      payIn: z.string(),
      transactions: count,
      amount: z.string(),
      fees: z.string(),
      tax: z.string(),
    }),
  ),
  contentSha256: digest,
  files: z.record(z.string(), z.object({ bytes: count, rows: count, sha256: digest })),
  exportedAt: z.string(),
});

/** Whether it may have been altered without a trace: the first ones bore no digest of themselves. */
export function isWithoutDigest({ schema }: Manifest): boolean {
  return schema === 1;
}

/** The manifest as it is written, with its fields always in the same order. */
export function formatManifest(manifest: Manifest): string {
  // Parsing puts the fields into the order of the schema.
  return sealedJson(manifestSchema.parse(manifest));
}

/** Reads a manifest; `path` is named where it doesn't fit. Throws ReconError `damaged`. */
export function parseManifest(text: string, path: string): Manifest {
  const refused = (message: string, hint: string) =>
    new ReconError('damaged', message, { where: path, hint });
  const again = 'Move the folder of that day away, and export the day again.';
  const found = parseSealed(text);
  if (!found) throw refused(changedSince, again);
  const { schema } = found;
  if (typeof schema === 'number' && schema > daySchema) {
    throw refused(
      `The manifest has schema ${schema}; this recon knows 1 to ${daySchema}.`,
      'Use the recon that wrote it, or a newer one.',
    );
  }
  const result = manifestSchema.safeParse(found);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the whole of it';
  throw refused(`The manifest can't be understood: ${field} doesn't fit.`, again);
}
