import { join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { isNoText } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { exportProblemSentence } from '../report/verify/words.ts';
import { jsonWithDigest, layout, parseJsonWithDigest } from './layout.ts';

const scopeSchemaNumber = 1;

/** The fields of a scope, also in the manifest of each day. */
export const scopeFields = {
  profile: z.string().nullable(),
  /** The service's host; of the sandbox `sandbox:SCENARIO`. */
  host: z.string(),
  filters: z.strictObject({
    mid: z.string().exactOptional(),
    cid: z.number().exactOptional(),
    chid: z.number().exactOptional(),
  }),
};

const scopeSchema = z.object({ schema: z.literal(scopeSchemaNumber), ...scopeFields });

/** Whose data all days of an export contain. */
export type ExportScope = Readonly<Omit<z.infer<typeof scopeSchema>, 'schema'>>;

/** The scope of an export. ReconErrors: as `readScope`, and `usage` if there is none. */
export async function requireScope(folder: string): Promise<ExportScope> {
  const scope = await readScope(folder);
  if (scope) return scope;
  const hint = 'Name the folder that was given to recon export --out.';
  throw new ReconError('usage', 'No export in this folder.', { where: folder, hint });
}

/** The scope of an export, if there is one. ReconErrors: `damaged` if altered, `usage` if invalid. */
export async function readScope(folder: string): Promise<ExportScope | undefined> {
  const path = join(folder, layout.scope);
  const hint = 'Restore the file, or export into another folder.';
  const altered = new ReconError('damaged', exportProblemSentence({ code: 'changed' }), {
    where: path,
    hint,
  });
  const file = await readTextFile(path).catch((error) => {
    throw isNoText(error) ? altered : error;
  });
  if (!file) return undefined;
  const found = parseJsonWithDigest(file.text);
  if (!found) throw altered;
  const result = scopeSchema.safeParse(found);
  if (!result.success) {
    const hint = 'Use the version of recon that wrote it, or export into another folder.';
    throw new ReconError('usage', 'This file does not describe an export.', { where: path, hint });
  }
  const { schema, ...scope } = result.data;
  return scope;
}

/** Writes the scope of an export if it is missing or differs. The folder is then an export. */
export async function writeScope(folder: string, scope: ExportScope): Promise<void> {
  const { profile, host, filters } = scope;
  const path = join(folder, layout.scope);
  const before = (await readTextFile(path))?.text;
  // Fields of a newer version of recon are kept.
  const { sha256: _, ...kept } = (before && parseJsonWithDigest(before)) || {};
  const text = jsonWithDigest({ ...kept, schema: scopeSchemaNumber, profile, host, filters });
  if (text !== before) await replaceWhole(path, text);
}
