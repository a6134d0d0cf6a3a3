import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { lakeTableNames } from '../lake/layout.ts';
import { unreadPendings } from '../reconcile/computed.ts';
import type { ReconciledRun } from '../reconcile/reconciled.ts';
import { verdicts } from '../report/common/words.ts';
import { controlTotal } from './control-totals.ts';
import { daySchema, daySettingsSchema } from './day-settings.ts';
import { scopeFields } from './scope.ts';
import { changedSince, parseSealed, sealedJson } from './sealed-json.ts';

const count = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const manifestFile = z.object({
  bytes: count,
  /** Of CSV the records below the header row, of the source its lines. */
  rows: count,
  /** In hexadecimal digits. */
  sha256: digest,
});

/** That of a day with tables: its other files are those of `daySchema`. */
const schemaWithTables = 4;

/** What decides whether a file is the one that was written. */
export type ManifestFile = Readonly<z.infer<typeof manifestFile>>;

const { profile, host, filters } = scopeFields;
const manifestSchema = z.object({
  /** That of the day's files: `daySchema`, one more where it has tables, or an earlier one. */
  schema: z.int().min(1).max(schemaWithTables),
  /** The version of `recon`. */
  tool: z.string(),
  profile,
  host,
  /** YYYY-MM-DD. */
  day: z.string(),
  filters,
  settings: daySettingsSchema,
  settingsDigest: digest,
  /** `incomplete` only where somebody has asked for the day all the same. */
  verdict: z.enum(verdicts),
  /** Whether all of it was read, pending settlements too. */
  complete: z.boolean(),
  /** The ids of pending settlements that were not fully read; absent where there are none. */
  unread: z.array(z.string()).readonly().exactOptional(),
  counts: z.object({
    settlements: z.object({
      balanced: count,
      out_of_balance: count,
      pending: count,
      /** Absent where the day is complete. */
      incomplete: count.exactOptional(),
    }),
    transactions: count,
  }),
  totals: z.array(controlTotal).readonly(),
  /** SHA-256 of the source's text: where it is equal, the day's data are. */
  contentSha256: digest,
  /** Every other file of the folder, by its name. */
  files: z.record(z.string(), manifestFile),
  /** Its files in the tables for SQL engines, by table; absent where there are none. */
  tables: z.partialRecord(z.enum(lakeTableNames), manifestFile).exactOptional(),
  /** When, in UTC: neither this nor the manifest's own digest makes a difference between days. */
  exportedAt: z.string(),
});

/** What a day's folder holds, how it was asked for and how it was judged: `manifest.json`. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** What a manifest says of how a day was judged. */
export function judgementOf(run: ReconciledRun) {
  const { verdict, counts, transactions } = run;
  const { balanced, out_of_balance, pending, incomplete } = counts;
  const settlements = { balanced, out_of_balance, pending, ...(!run.complete && { incomplete }) };
  const unread = unreadPendings(run.settlements);
  const isWhole = run.complete && unread.length === 0;
  const complete = { complete: isWhole, ...(unread.length > 0 && { unread }) };
  return { verdict, ...complete, counts: { settlements, transactions } };
}

/** Whether somebody had the day published although it could not be fully read. */
export function isPublishedIncomplete({ verdict }: Pick<Manifest, 'verdict'>): boolean {
  return verdict === 'incomplete';
}

/** Whether it may have been altered without a trace: the first ones bore no digest of themselves. */
export function isWithoutDigest({ schema }: Manifest): boolean {
  return schema === 1;
}

/** The manifest as it is written, with its fields always in the same order. */
export function formatManifest(manifest: Omit<Manifest, 'schema'>): string {
  const schema = manifest.tables ? schemaWithTables : daySchema;
  // Parsing puts the fields into the order of the schema.
  return sealedJson(manifestSchema.parse({ ...manifest, schema }));
}

/** Reads a manifest; `path` is named where it doesn't fit. Throws ReconError `damaged`. */
export function parseManifest(text: string, path: string): Manifest {
  const refused = (message: string, hint: string) =>
    new ReconError('damaged', message, { where: path, hint });
  const again = 'Move the folder of that day away and export the day again.';
  const found = parseSealed(text);
  if (!found) throw refused(changedSince, again);
  const { schema } = found;
  if (typeof schema === 'number' && schema > schemaWithTables) {
    throw refused(
      `The manifest has schema ${schema}; this version of recon reads 1 to ${schemaWithTables}.`,
      'Use the version of recon that wrote it, or a newer one.',
    );
  }
  const result = manifestSchema.safeParse(found);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the whole file';
  throw refused(`The manifest is not valid: ${field}.`, again);
}
