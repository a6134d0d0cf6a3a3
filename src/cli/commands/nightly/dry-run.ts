import { previewNight } from '../../../nightly/plan.ts';
import { formats } from '../../../render/formats.ts';
import { previewViews } from '../../../report/dry-run/view.ts';
import { whatIsAsked } from '../../asked.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOfSeveral } from '../../exit-codes.ts';
import { printReport, resolveTarget } from '../../output.ts';
import {
  profilesAsked,
  runSideBySide,
  tellFailedProfile,
  throwIfAllFailed,
} from '../../profiles.ts';
import { withService } from '../../source.ts';
import type { nightlyCommand } from './command.ts';
import { checkFolderName, dueAsked, folderOf } from './profile-night.ts';

type NightlyContext = ContextOf<typeof nightlyCommand>;

/** `recon nightly --dry-run`: says what is due, and changes nothing. Returns the exit code. */
export async function dryRunOfNight(context: NightlyContext): Promise<number> {
  const { flags, host, messages } = context;
  const target = resolveTarget(context, { formats, piped: 'table' });
  await messages.startProgress();
  const outcomes = await runSideBySide(await profilesAsked(context), async (run) => {
    checkFolderName(run.profile);
    const asked = await whatIsAsked(run.context);
    const path = folderOf(flags.out ?? '', run.profile);
    return withService(asked.settings, ['settlements'], run.context, ({ source }) =>
      previewNight({ ...dueAsked(asked, run.context), path, source }),
    );
  });
  messages.stop();
  throwIfAllFailed(outcomes, host);
  const previews = outcomes.flatMap((one) =>
    'result' in one ? [{ profile: one.profile, preview: one.result }] : [],
  );
  await printReport(target, previewViews(previews), context);
  for (const one of outcomes) if ('error' in one) tellFailedProfile(one, host);
  return exitCodeOfSeveral(outcomes.map((one) => ('error' in one ? one.exitCode : 0)));
}
