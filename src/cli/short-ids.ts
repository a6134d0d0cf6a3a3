import { addDays } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { DateRange, Source } from '../model/source.ts';
import { firstOf } from '../report/common/phrase.ts';
import type { Context } from './context.ts';
import { isShortId } from './flag.ts';
import type { Inputs } from './inputs.ts';
import { describeRange } from './range.ts';

/** The service takes whole ids alone, so short ones are looked up in a list: by default, of so many days. */
const daysSearched = 92;

/** The whole ids of settlements that are named by their first characters. Throws ReconError unless each names one. */
export async function wholeIds(
  ids: readonly string[],
  source: Source,
  inputs: Pick<Inputs, 'period' | 'today' | 'filters'>,
  { messages }: Pick<Context, 'messages'>,
  given?: DateRange,
): Promise<readonly string[]> {
  const short = ids.filter(isShortId);
  if (short.length === 0) return ids;
  const { period, today, filters } = inputs;
  const range = given ?? period ?? { from: addDays(today(), 1 - daysSearched), to: today() };
  messages.say(`Looking for ${short.join(', ')} in the settlements ${describeRange(range)}`);
  const { settlements } = await source.headers({ range, filters });
  return ids.map((id) =>
    isShortId(id)
      ? wholeId(
          id,
          settlements.map((one) => one.id),
        )
      : id,
  );
}

/** The only one of some ids that begins with a text. Throws ReconError if none does, or several do. */
export function wholeId(short: string, known: readonly string[]): string {
  const beginning = short.toLowerCase();
  const [id, ...others] = new Set(known.filter((one) => one.toLowerCase().startsWith(beginning)));
  if (id === undefined) {
    const hint = 'Write the whole id: then it is found whatever its day.';
    throw new ReconError('not_found', `No settlement begins with ${short} there.`, { hint });
  }
  if (others.length === 0) return id;
  const hint = `Write more of one of these: ${firstOf([id, ...others])}.`;
  throw new ReconError('usage', `Several settlements begin with ${short}.`, { hint });
}
