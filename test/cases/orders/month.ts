import { cases } from './month-cases.ts';
import { type Dialect, fileDays, type Month, MonthMaker, moment } from './month-maker.ts';

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
