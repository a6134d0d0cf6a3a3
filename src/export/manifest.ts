import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { SettlementFilters } from '../model/source.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import type { ControlTotal } from './control-totals.ts';
import type { DaySettings } from './settings-digest.ts';

/** What a day's folder holds, how it was asked for and how it was judged: `manifest.json`. */
export interface Manifest {
  readonly schema: 1;
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
  /** When, in UTC; the one field that doesn't count. */
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

const manifestSchema = z.object({
  schema: z.literal(1),
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
    identity: z.string(),
    tolerance: z.string().regex(/^\d{1,18}$/),
    ignored: z.array(z.string()),
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

/** The manifest as it is written, with its fields always in the same order. */
export function formatManifest(manifest: Manifest): string {
  // Parsing puts the fields into the order of the schema.
  return `${JSON.stringify(manifestSchema.parse(manifest), null, 2)}\n`;
}

/** Reads a manifest; `path` is named where it doesn't fit. Throws ReconError `damaged`. */
export function parseManifest(text: string, path: string): Manifest {
  const value = parseJson(text);
  if (isObject(value) && typeof value['schema'] === 'number' && value['schema'] > 1) {
    throw new ReconError(
      'damaged',
      `The manifest has schema ${value['schema']}; this recon knows 1.`,
      {
        where: path,
        hint: 'Use the recon that wrote it, or a newer one.',
      },
    );
  }
  const result = manifestSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the whole of it';
  throw new ReconError('damaged', `The manifest can't be understood: ${field} doesn't fit.`, {
    where: path,
    hint: 'Move the folder of that day away, and export the day again.',
  });
}
