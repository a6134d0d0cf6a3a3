import { bookBatch, type FinishedBatch } from '../../src/register/booked-register.ts';
import type { RegisterStart } from '../../src/register/chained-csv.ts';
import { booked } from '../books/build-entry.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Books one more entry as the next batch, unless the register has as many as `upTo`. */
export function bookNext(
  register: string,
  output: string,
  {
    upTo = 9,
    pid = 1,
    onFinished = () => {},
    isNew = false,
    ...start
  }: Partial<RegisterStart> & {
    readonly upTo?: number;
    readonly pid?: number;
    readonly onFinished?: (batch: FinishedBatch) => void;
  } = {},
) {
  const owner = { host: 'web1', pid, startedAt: 'then' };
  const lock = { owner, isRunning: () => false, clock: new FakeClock() };
  return bookBatch(register, { isNew, ...start, lock, onFinished }, ({ batches }) => {
    const number = batches.length + 1;
    if (number > upTo) return { next: undefined };
    const entries = [booked(`settlement ${number}`, BigInt(number))];
    const batch = { number, bookedOn: '2026-04-01', about: '{}', entries };
    return { next: { batch, output, contents: `batch ${number}` } };
  });
}
