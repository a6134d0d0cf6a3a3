import { cases, laterCases } from './month-cases.ts';
import {
  type Dialect,
  dayAfter,
  fileDays,
  type Month,
  MonthMaker,
  moment,
  type Truth,
} from './month-maker.ts';

export interface MonthOptions {
  /** How often each case occurs; twice as often those of one dialect. */
  readonly times?: number;
  /** The states of the cases to make; all by default. */
  readonly states?: readonly string[];
  /** Without rows that belong to no order. */
  readonly isPure?: boolean;
}

/** The month of a seed: the same seed gives the same month. */
export function makeMonth(seed: number, dialect: Dialect, options: MonthOptions = {}): Month {
  const { times = 11, states, isPure = false } = options;
  const maker = new MonthMaker(seed, dialect);
  for (const one of cases) {
    if (one.only !== undefined && one.only !== dialect) continue;
    if (states && !states.includes(one.state)) continue;
    for (let n = 0; n < (one.only ? times * 2 : times); n++) one.make(maker);
  }
  // The file's days do not hang on chance.
  for (const day of [fileDays.from, fileDays.to]) {
    maker
      .order({ soldAt: moment(day, '12:00') })
      .pay()
      .is('settled');
  }
  if (!isPure) maker.addStrays(times);
  return maker.month();
}

/** A month of which something is settled weeks after its range. */
export interface LaterMonth extends Month {
  /** What is right if all is read; in `orders` is what is right of the range alone. */
  readonly whole: ReadonlyMap<string, Pick<Truth, 'state' | 'or'>>;
}

/** Each of the cases that later settlements change, some times. */
export function makeLaterMonth(seed: number, dialect: Dialect, times = 3): LaterMonth {
  const maker = new MonthMaker(seed, dialect);
  const whole = new Map<string, Pick<Truth, 'state' | 'or'>>();
  for (const make of laterCases) {
    for (let n = 0; n < times; n++) {
      const day = dayAfter('2026-04-10', maker.random.int(0, 45));
      const { key, truth } = make(maker, day);
      whole.set(key, truth);
    }
  }
  return { ...maker.month(), whole };
}
