import { type ExportFolder, openExportFolder } from '../export/export-folder.ts';
import type { Asked } from './asked.ts';
import type { Context } from './context.ts';
import type { Messages } from './messages.ts';
import { lockOptions } from './processes.ts';
import { filtersOf } from './range.ts';
import type { Opened } from './source.ts';

/** Opens the folder of an export, which the caller closes. Throws ReconError as `openExportFolder` does. */
export async function holdExport(
  path: string,
  opened: Opened,
  { settings, judgement, names }: Asked,
  context: Context,
) {
  const { flags, clock, messages } = context;
  const { rebind = false, deep = false, keep } = flags;
  const filters = filtersOf(flags);
  const scope = { profile: settings.profile ?? null, host: opened.host, filters };
  const folder = await openExportFolder(path, {
    scope,
    rebind,
    addsTables: settings.preferences.parquet,
    ...(await lockOptions(context)),
  });
  if (folder.recovered.length > 0) messages.say('Completed what an earlier run left unfinished.');
  return {
    ...opened,
    folder,
    scope,
    filters,
    deep,
    keep,
    clock,
    names,
    settings: judgement,
    ahead: settings.preferences.concurrency,
    onProgress: messages.onProgress,
    tool: RECON_VERSION,
  };
}

/** Says under which names an export is continued. */
export function sayRenamed({ changedNames }: ExportFolder, messages: Messages): void {
  for (const name of changedNames) messages.say(`Continuing an export that was renamed: ${name}.`);
}
