import type { LockOptions } from '../../src/base/folder-lock.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** A lock that no other process holds. */
export const lock: LockOptions = {
  owner: { host: 'desk', pid: 1, startedAt: 'then' },
  isRunning: () => false,
  clock: new FakeClock(),
};
