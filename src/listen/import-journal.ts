import { join } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { listFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { payloadIdOf, readWebhook } from '../model/webhook.ts';
import { eventName } from './event-name.ts';

/** Where events go that are still to be answered, and the names of those that were answered. */
interface Target {
  put(name: string, text: string): Promise<void>;
  putAnswered(name: string): Promise<void>;
}

/**
 * Takes over a journal of the form before this one, which had lines in a few files in place of a
 * file an event: what is still to be answered, and the ids that are known. After a crash in the
 * middle it begins anew: names don't depend on when it was done.
 */
export async function importJournal(folder: string, target: Target): Promise<void> {
  const names = (await listFolder(folder))?.map(({ name }) => name) ?? [];
  for (const name of names.filter((one) => /^\d{6}\.ids$/.test(one))) {
    const path = join(folder, name);
    for (const id of await linesOf(path)) await target.putAnswered(eventName(0, id));
    await removeWhole(path);
  }
  for (const name of names.filter((one) => /^\d{12}\.events$/.test(one))) {
    const path = join(folder, name);
    const answeredPath = path.replace(/events$/, 'answered');
    const answered = new Set(
      (await linesOf(answeredPath)).map((line) => /\{"answered":(\d+)\}$/.exec(line)?.[1]),
    );
    for (const line of await linesOf(path)) {
      if (line !== '') await importEvent(line, answered, target);
    }
    await removeWhole(path);
    await removeWhole(answeredPath);
  }
}

/** A line that can't be understood becomes an event all the same, and is set aside like any other. */
async function importEvent(
  line: string,
  answered: ReadonlySet<string | undefined>,
  target: Target,
): Promise<void> {
  const [, number, at = '', text = line] =
    /^\{"event":(\d+),"at":"([^"]*)","payload":(.*)\}$/s.exec(line) ?? [];
  const payload = parseJson(text);
  const id = isObject(payload) ? payloadIdOf(readWebhook(payload)) : '';
  const name = eventName(Date.parse(at) || 0, id, line);
  if (!answered.has(number) || number === undefined) await target.put(name, text);
  else if (id !== '') await target.putAnswered(name);
}

/** The lines of a file; none where there is none. What a crash left of a line is no line. */
async function linesOf(path: string): Promise<readonly string[]> {
  const file = await readTextFile(path);
  return file?.text.split('\n').slice(0, -1) ?? [];
}
