import { password, selectKey, settings, text } from '@clack/prompts';
import { ReconError } from '../base/errors.ts';
import { shown } from '../render/inert.ts';
import type { Context } from './context.ts';
import { type Host, Interrupted } from './host.ts';

/** A key that answers a question, and what it does. */
interface Key<Name extends string> {
  readonly key: Name;
  readonly says: string;
}

interface TextOptions {
  /** What is there to begin with. */
  readonly initial?: string | undefined;
  /** What is wrong with an answer; empty if nothing is. */
  readonly faultIn?: (answer: string) => string;
}

/** Questions to the person at the terminal. Leaving one, as by Ctrl-C, throws Interrupted. */
export interface Prompts {
  /** Waits for one of the keys; Enter takes the first. */
  key<Name extends string>(question: string, keys: readonly Key<Name>[]): Promise<Name>;
  /** Takes a line of text, which may be empty. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** The same without showing what is typed. */
  secret(question: string, options?: Pick<TextOptions, 'faultIn'>): Promise<string>;
}

/** Whether a person can be asked: both ends of the talk are a terminal. */
export function canAsk({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true;
}

/** Asks on standard error. Throws ReconError `usage` without a terminal; the hint says what to do `instead`. */
export function promptsFor(
  { host, signal }: Pick<Context, 'host' | 'signal'>,
  what: string,
  instead: string,
): Prompts {
  const { stdin: input, stderr: output } = host;
  if (!input || !canAsk(host)) {
    throw new ReconError('usage', `${what} needs a terminal.`, { hint: instead });
  }
  // A terminal without a size has 0 columns: each letter would be on a line of its own.
  if (output.columns === 0) Object.assign(output, { columns: 80 });
  // Too easily hit to lose what was typed by it.
  settings.aliases.delete('escape');
  const answerTo = async (
    ask: (end: AbortSignal) => Promise<string | symbol | undefined>,
    byDefault?: string,
  ) => {
    // Each question has an end of its own: once it is answered, that of the run no longer concerns it.
    const end = new AbortController();
    const stop = () => end.abort();
    signal.addEventListener('abort', stop);
    try {
      const answer = (await ask(end.signal)) ?? byDefault;
      if (typeof answer === 'string') return answer.trim();
    } finally {
      signal.removeEventListener('abort', stop);
    }
    throw signal.aborted ? signal.reason : new Interrupted('SIGINT');
  };
  const typed = (question: string, faultIn: TextOptions['faultIn'] = () => '') => ({
    input,
    output,
    message: shown(question),
    validate: (answer = '') => faultIn(answer.trim()) || undefined,
  });
  return {
    async key<Name extends string>(question: string, keys: readonly Key<Name>[]): Promise<Name> {
      const options = keys.map(({ key, says }) => ({ value: `${key}`, label: shown(says) }));
      const asked = { input, output, message: shown(question), options };
      // It shows the first as chosen, and has no answer if that is taken by Enter.
      const answer = await answerTo((signal) => selectKey({ ...asked, signal }), keys[0]?.key);
      return answer as Name;
    },
    text: (question, { initial = '', faultIn } = {}) => {
      const asked = { ...typed(question, faultIn), initialValue: initial };
      return answerTo((signal) => text({ ...asked, signal }));
    },
    secret: (question, { faultIn } = {}) =>
      answerTo((signal) => password({ ...typed(question, faultIn), signal })),
  };
}
