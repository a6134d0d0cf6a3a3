import { answerHint, type WebhookAnswer } from '../../../app/answer-webhook.ts';
import { ReconError } from '../../../base/errors.ts';
import { takeLock } from '../../../base/folder-lock.ts';
import { makeFolder } from '../../../base/folders.ts';
import {
  defaultPath,
  type ListenFlags,
  readListenSettings,
} from '../../../config/listen-settings.ts';
import type { Settings } from '../../../config/settings.ts';
import { type AnswererOptions, EventAnswerer } from '../../../listen/event-answerer.ts';
import { Journal, type JournalEvent } from '../../../listen/journal.ts';
import { webhookKeeper } from '../../../listen/keep-webhook.ts';
import { healthPath, startWebhookServer } from '../../../listen/webhook-server.ts';
import { inert } from '../../../render/inert.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { renderLine } from '../../../render/style.ts';
import { many } from '../../../report/common/phrase.ts';
import { eventDocument, eventLine } from '../../../report/webhook/event.ts';
import { type EventReport, eventReports } from '../../../report/webhook/report.ts';
import { scenarioOf } from '../../asked.ts';
import { cannotListen } from '../../cannot-listen.ts';
import { type Context, say } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type MessageFlags, Messages } from '../../messages.ts';
import { type Write, withOutput } from '../../output.ts';
import { runningProcesses, thisProcess } from '../../processes.ts';
import { homeOf, judgement, type RunSettingFlags, readSettings } from '../../settings.ts';
import { openLiveService, type ServiceFlags } from '../../source.ts';
import { resolveTarget, type TargetFlags } from '../../target.ts';

export interface ListenCommandFlags
  extends ListenFlags,
    RunSettingFlags,
    ServiceFlags,
    Pick<TargetFlags, 'format' | 'color'>,
    MessageFlags {
  readonly port?: number;
  readonly host?: string;
  readonly keepEvents?: number;
}

/** Days that events are kept after they were answered, unless told otherwise. */
const keptDays = 30;

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** `recon listen`: receives webhooks and answers them until it is told to stop, which is its end: 0. */
export async function listen(flags: ListenCommandFlags, context: Context): Promise<number> {
  const { host, clock } = context;
  if (flags.port === undefined) {
    throw new ReconError('usage', 'No port given.', {
      hint: 'Add --port, for example --port 8090; 0 picks a free port.',
    });
  }
  if (flags.path === healthPath) {
    const message = `${healthPath} is reserved for the health check.`;
    const hint = 'Choose another --path.';
    throw new ReconError('usage', message, { where: '--path', hint });
  }
  const settings = await readSettings(flags, host);
  const owner = flags.sandbox ? 'sandbox' : (settings.profile ?? 'default');
  const listening = await readListenSettings(flags, host.env, homeOf(host), owner);
  const { path, journal: folder, warnings } = listening;
  const messages = new Messages(flags, context);
  for (const warning of warnings) messages.say(warning);
  await makeFolder(folder, 0o700);
  const release = await takeLock(folder, {
    owner: await thisProcess(host),
    isRunning: runningProcesses(host),
    clock,
  });
  try {
    const journal = await Journal.open({
      folder,
      now: () => clock.now(),
      keepDays: flags.keepEvents ?? keptDays,
      onTrouble: (trouble) => say(host, `journal: ${described(trouble)}`),
    });
    await receive({ ...flags, port: flags.port, path }, journal, settings, messages, context);
    const left = many((await journal.unanswered()).length, 'event');
    messages.say(`Stopped. Left for the next start: ${left}.`);
    return exitCodes.ok;
  } finally {
    await release();
  }
}

/** Takes what comes in, and answers it, until the run is interrupted. */
async function receive(
  flags: ListenCommandFlags & { readonly port: number; readonly path: string },
  journal: Journal,
  settings: Settings,
  messages: Messages,
  context: Context,
): Promise<void> {
  const { host: address = '127.0.0.1', path, port } = flags;
  const { host, clock, random, signal } = context;
  const { concurrency } = settings.preferences;
  const asked = judgement(settings);
  const waiting = (await journal.unanswered()).length;
  const tellBy = await teller(flags, journal, settings, context);
  // A time for the whole run would end the reading, and leave the listening as it is.
  const endless = { ...settings, preferences: { ...settings.preferences, timeout: undefined } };
  const service = await openLiveService(flags, endless, { ...context, messages }, [
    'settlements',
    'charges',
  ]);
  try {
    await withOutput(undefined, host.stdout, async (print) => {
      const answerer = new EventAnswerer<WebhookAnswer>({
        journal,
        read: (hint) => answerHint(hint, service.source, asked),
        tell: tellBy(print),
        onFailure: (event, failure) => say(host, failureText(event, failure)),
        ahead: concurrency,
        clock,
        random,
        signal,
      });
      const server = await startWebhookServer({
        host: address,
        port,
        path,
        keep: webhookKeeper(journal, (event) => answerer.add(event)),
        isWritable: () => journal.isWritable(),
      }).catch((error: unknown) => {
        throw cannotListen('recon', { port, host: address }, error);
      });
      const shown = path === defaultPath ? path : ', on the path given';
      const url = `http://${address.includes(':') ? `[${address}]` : address}:${server.port}`;
      messages.say(`Listening at ${url}${shown}. Press Ctrl-C to stop.`);
      if (waiting > 0)
        messages.say(`Still to be answered from the last run: ${many(waiting, 'event')}.`);
      if (!loopback.test(address) && path === defaultPath) {
        say(
          host,
          'Other machines can reach this address, and webhooks are unsigned. Use a secret --path.',
        );
      }
      try {
        await answerer.work();
      } finally {
        await server.stop();
      }
    });
  } finally {
    await service.close();
  }
}

/**
 * Writes what came of an event: a line for people on a terminal, else JSON. Resolves with the reason
 * to set the event aside, if there is one, which is said on standard error too.
 */
async function teller(
  flags: ListenCommandFlags,
  journal: Journal,
  { preferences }: Settings,
  { host }: Context,
): Promise<(print: Write) => AnswererOptions<WebhookAnswer>['tell']> {
  const offer = { formats: ['table', 'ndjson'] as const, piped: 'ndjson' as const };
  const { format, options } = resolveTarget(flags, host, offer);
  const ofSandbox = flags.sandbox ? (await scenarioOf(flags)).names : {};
  const names = new Map([...Object.entries(ofSandbox), ...preferences.names]);
  const lineOf = (report: EventReport) => {
    if (format === 'ndjson') return ndjsonLine(eventDocument(report));
    const { text, tone } = eventLine(report);
    return renderLine(text, tone, options.screen.colour);
  };
  return (print) => async (event, answered) => {
    const asidePath = journal.asidePath(event.name);
    const reports = eventReports({ event, answered, asidePath, names });
    for (const report of reports) await print(lineOf(report));
    const reason = reports[0]?.setAside?.reason;
    if (reason === undefined) return undefined;
    const hint = `It is kept in ${asidePath}. To try it again, move it to ${journal.retryFolder}.`;
    say(host, `event ${event.name} is set aside: ${reason} ${hint}`);
    return inert(reason);
  };
}

function failureText({ name }: JournalEvent, failure: ReconError): string {
  return `event ${name} is not answered yet and will be tried again: ${described(failure)}`;
}

function described({ message, where, hint }: ReconError): string {
  return [message, where && `At: ${where}.`, hint].filter(Boolean).join(' ');
}
