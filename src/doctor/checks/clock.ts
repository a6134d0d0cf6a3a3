import type { Exchange } from '../../model/probe.ts';
import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** Tokens of V1 carry the time (doc 5.1); otherwise it is only about which day it is. */
const tolerable = { signing: 1, otherwise: 60 };

/** This machine's clock against the Date of the answer that came fastest. */
export function judgeClock({ setup, sightings }: Evidence): Check<'clock'> | undefined {
  const { exchanges } = sightings;
  if (exchanges.every(({ status }) => status === undefined)) return undefined;
  const [fastest] = exchanges
    .flatMap(({ date, ...rest }) => (date === undefined ? [] : [{ ...rest, date }]))
    .sort((one, other) => one.ms - other.ms);
  if (!fastest) return { check: 'clock', level: 'not_checked', lacks: 'date_header' };
  const aheadSeconds = aheadOf(fastest);
  const signs = Object.values(setup.schemes).includes('v1');
  const isOff = Math.abs(aheadSeconds) > (signs ? tolerable.signing : tolerable.otherwise);
  return { check: 'clock', level: isOff ? 'warning' : 'ok', facts: { aheadSeconds, signs } };
}

/**
 * By how much this clock is ahead, in seconds. The Date is cut off to whole seconds and was written
 * at some moment between the request and the answer: within that, nothing can be told.
 */
function aheadOf({ startedAt, ms, date }: Exchange & { readonly date: number }): number {
  const least = startedAt - (date + 1000);
  const most = startedAt + ms - date;
  return least <= 0 && 0 <= most ? 0 : Math.round((least + most) / 2000);
}
