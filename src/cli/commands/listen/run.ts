import { answerHint } from '../../../app/answer-webhook.ts';
import { ReconError } from '../../../base/errors.ts';
import { takeLock } from '../../../base/folder-lock.ts';
import { makeFolder } from '../../../base/folders.ts';
import { defaultPath, readListenSettings } from '../../../config/settings.ts';
import { EventAnswerer } from '../../../listen/event-answerer.ts';
import { Journal } from '../../../listen/journal.ts';
import { healthPath, startWebhookServer } from '../../../listen/webhook-server.ts';
import { inert } from '../../../render/inert.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { renderLine } from '../../../render/table.ts';
import { many } from '../../../report/common/phrase.ts';
import { eventLines } from '../../../report/webhook/view.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { cannotListen } from '../../failure.ts';
import { type Inputs, resolveInputs } from '../../inputs.ts';
import { resolveTarget, withOutput } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { readAgeingAndAccepted } from '../../registers.ts';
import { homeOf } from '../../settings.ts';
import { withService } from '../../source.ts';
import type { listenCommand } from './command.ts';

type ListenContext = ContextOf<typeof listenCommand>;

const keptDays = 30;

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** `recon listen`: receives webhooks and answers them until it is stopped. */
export async function listen(context: ListenContext): Promise<number> {
  const { flags, host, clock, messages } = context;
  const { port } = flags;
  if (port === undefined) {
    throw new ReconError('usage', 'No port given.', {
      hint: 'Add --port, for example --port 8090; 0 picks a free port.',
    });
  }
  if (flags.path === healthPath) {
    const message = `${healthPath} is reserved for the health check.`;
    const hint = 'Choose another --path.';
    throw new ReconError('usage', message, { where: '--path', hint });
  }
  const asked = await resolveInputs(context);
  const owner = flags.sandbox ? 'sandbox' : (asked.settings.profile ?? 'default');
  const warn = (sentence: string) => messages.say(sentence);
  const { env } = host;
  const listening = await readListenSettings(flags, env, homeOf(host), owner, warn);
  const { path, journal: folder } = listening;
  await makeFolder(folder, 0o700);
  const release = await takeLock(folder, await lockOptions(context));
  try {
    const journal = await Journal.open({
      folder,
      now: () => clock.now(),
      keepDays: flags.keepEvents ?? keptDays,
      onTrouble: (trouble) => messages.warn(`journal: ${described(trouble)}`),
    });
    await receive({ port, path }, journal, asked, context);
    const left = many((await journal.unanswered()).length, 'event');
    messages.say(`Stopped. Left for the next start: ${left}.`);
    return exitCodes.ok;
  } finally {
    await release();
  }
}

async function receive(
  { port, path }: { readonly port: number; readonly path: string },
  journal: Journal,
  asked: Inputs,
  context: ListenContext,
): Promise<void> {
  const { flags, clock, random, signal, messages } = context;
  const { settings } = asked;
  // Warns once of malformed lines in the register.
  await readAgeingAndAccepted(asked, context);
  const target = resolveTarget(context, { formats: ['table', 'ndjson'], piped: 'ndjson' });
  const isLines = target.format === 'ndjson';
  const { colour } = target.options.screen;
  const quietly = { flags, messages: { say: () => {}, warn: () => {} } };
  const { host: address = '127.0.0.1' } = flags;
  const waiting = (await journal.unanswered()).length;
  // A time limit would end only the reading.
  const endless = { ...settings, preferences: { ...settings.preferences, timeout: undefined } };
  await withService(endless, ['settlements', 'charges'], context, ({ source }) =>
    withOutput({ path: undefined }, context, async (write) => {
      const answerer = new EventAnswerer({
        journal,
        // Re-read for each event: it may have changed.
        read: async (hint) =>
          answerHint(hint, source, asked.judgement, await readAgeingAndAccepted(asked, quietly)),
        /** Returns the reason if the event is set aside. */
        tell: async (event, answered) => {
          const asidePath = journal.asidePath(event.name);
          const { lines, reason } = eventLines({ event, answered, asidePath, names: asked.names });
          for (const { line, tone, document } of lines) {
            await write(isLines ? ndjsonLine(document) : renderLine(line, tone, colour));
          }
          if (reason === '') return undefined;
          const hint = `It is kept in ${asidePath}. To try it again, move it to ${journal.retryFolder}.`;
          messages.warn(`event ${event.name} is set aside: ${reason} ${hint}`);
          return inert(reason);
        },
        onFailure: ({ name }, failure) => {
          const why = described(failure);
          messages.warn(`event ${name} is not answered yet and will be tried again: ${why}`);
        },
        ahead: settings.preferences.concurrency,
        clock,
        random,
        signal,
      });
      const server = await startWebhookServer({
        host: address,
        port,
        path,
        keep: (text) => journal.keep(text, (name) => answerer.add(name)),
        isWritable: () => journal.isWritable(),
      }).catch((error: unknown) => {
        throw cannotListen('recon', { port, host: address }, error);
      });
      announce(address, server.port, path === defaultPath, context);
      if (waiting > 0) {
        messages.say(`Still to be answered from the last run: ${many(waiting, 'event')}.`);
      }
      try {
        await answerer.work();
      } finally {
        await server.stop();
      }
    }),
  );
}

function announce(
  address: string,
  port: number,
  isDefaultPath: boolean,
  { messages }: ListenContext,
): void {
  const shown = isDefaultPath ? defaultPath : ', on the path given';
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  messages.say(`Listening at ${url}${shown}. Press Ctrl-C to stop.`);
  if (loopback.test(address) || !isDefaultPath) return;
  messages.warn(
    'Other machines can reach this address, and webhooks are unsigned. Use a secret --path.',
  );
}

function described({ message, where, hint }: ReconError): string {
  return [message, where && `At: ${where}.`, hint].filter(Boolean).join(' ');
}
