import { addDays } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { Basis, OpeningAmount } from '../books/roll-forward.ts';
import { type CloseRecord, closesInForce } from '../model/close.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import type { Asked } from './asked.ts';

/** The closes in force of the profile, in order; none where no register is set or there is none yet. */
export async function closesAsked({
  settings: { preferences, profile = '' },
}: Pick<Asked, 'settings'>): Promise<readonly CloseRecord[]> {
  const { closes: path } = preferences;
  if (path === undefined) return [];
  const { readCloses } = await import('../register/closes-register.ts');
  const own = ((await readCloses(path)) ?? []).filter((one) => one.profile === profile);
  return [...closesInForce(own)].sort((one, other) => (one.to < other.to ? -1 : 1));
}

/** What a roll-forward of a range starts from. */
export interface KnownBasis extends Basis {
  /** Whether the opening is taken as 0, because nothing says what it is. */
  readonly takesZero: boolean;
}

/**
 * What is known of the time before a range: the closes that end before it, else `books_from`, of the
 * sandbox its first day. ReconError `usage` where the books begin later.
 */
export function basisOf(
  closes: readonly CloseRecord[],
  from: string,
  { settings, period, exported }: Pick<Asked, 'settings' | 'period' | 'exported'>,
): KnownBasis {
  const before = closes.filter(({ to }) => to < from);
  const last = before.at(-1);
  if (last) return { through: last.to, opening: [], closes: before, takesZero: false };
  const { books_from: books } = settings.preferences;
  // The data of the sandbox begin with nothing in transit.
  const ofSandbox = exported ? undefined : period?.from;
  const day = books?.day ?? ofSandbox ?? from;
  if (day > from) {
    throw new ReconError('usage', `The books begin on ${day}, after ${from}.`, {
      where: 'books_from',
      hint: 'Use a later range, or change books_from in the profile.',
    });
  }
  const takesZero = books === undefined && ofSandbox === undefined;
  return {
    through: addDays(day, -1),
    opening: amountsIn(books?.opening ?? {}),
    closes: [],
    takesZero,
  };
}

/** Amounts of `books_from`, each with the decimal places that it is written with. */
function amountsIn(
  opening: Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly OpeningAmount[] {
  return Object.entries(opening).flatMap(([accountingToken, amounts]) =>
    Object.entries(amounts).map(([currency, text]) => {
      const scale = Math.min(maxScale, /\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
      return { accountingToken, currency, scale, minor: parseDecimal(text, scale) ?? 0n };
    }),
  );
}
