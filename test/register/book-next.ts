import { bookBatch, type FinishedBatch } from '../../src/register/booked-register.ts';
import { booked } from '../books/build-entry.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Books one more entry as the next batch, unless the register has as many as `upTo`. */
export function bookNext(
  register: string,
  output: string,
  { isNew = false, upTo = 9, pid = 1, onFinished = (_: FinishedBatch): void => {} } = {},
) {
  const owner = { host: 'web1', pid, startedAt: 'then' };
  const lock = { owner, isRunning: () => false, clock: new FakeClock() };
  return bookBatch(register, { isNew, lock, onFinished }, ({ batches }) => {
    const number = batches.length + 1;
    if (number > upTo) return { next: undefined };
    const entries = [booked(`settlement ${number}`, BigInt(number))];
    const batch = { number, bookedOn: '2026-04-01', about: '{}', entries };
    return { next: { batch, output, contents: `batch ${number}` } };
  });
}
