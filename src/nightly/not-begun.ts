import { faultOf, type ReconError } from '../base/errors.ts';
import type { ProfileNight } from '../report/nightly/report.ts';
import { newsId } from './news.ts';

/**
 * A night that could not begin, on a day YYYY-MM-DD. Nobody can write down that it was told, so that it
 * is news each day; but where another run holds the folder, that one tells what is new.
 */
export function nightNotBegun(
  error: ReconError,
  of: Pick<ProfileNight, 'profile' | 'folder' | 'exitCode'>,
  today: string,
): ProfileNight {
  const { message, failure } = error;
  const id = newsId([of.profile, message, today]);
  const failed = { id, kind: 'failed' as const, also: [], day: undefined, settlement: undefined };
  return {
    ...of,
    verdict: 'incomplete',
    days: [],
    publishedTo: undefined,
    lagDays: undefined,
    news: failure === 'locked' ? [] : [{ ...failed, details: [message] }],
    known: { settlements: 0, absolute: [], from: undefined, to: undefined },
    pending: 0,
    overdue: 0,
    accepted: 0,
    knownUnread: [],
    publishable: undefined,
    incompleteDays: [],
    failure: faultOf(error),
  };
}
