import type { Random } from '../../support/random.ts';
import type { Trouble } from './machine.ts';

/** What is special about a night. */
export interface Night {
  readonly name: string;
  /** Whether it ends as if nothing had been. */
  readonly isCalm: boolean;
  readonly trouble?: Trouble;
  /** Milliseconds by which the clock is ahead of the time. */
  readonly clockAhead?: number;
  /** What was told is forgotten before it begins. */
  readonly forgets?: boolean;
  /** It doesn't run at all. */
  readonly isMissed?: boolean;
  /** So many nights are like this one, where it isn't the only one. */
  readonly nights?: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** What the service does now and then, and what nobody should notice. */
const weather: readonly (readonly string[])[] = [
  ['page-max=1'],
  ['page-max=3-1@headers'],
  ['http-429=every:7'],
  ['wrapper-429=on:5', 'retry-after=2'],
  ['reset=on:4'],
  ['truncated=on:6'],
  ['http-503=first:2'],
  ['repeat=once@rows'],
  ['skip=once@rows'],
  ['html=on:3@headers'],
];

type Draw = (random: Random, actions: number) => Omit<Night, 'name'>;

/** Each kind of night, and how many of a thousand nights it has. */
const kinds: Readonly<Record<string, readonly [weight: number, draw: Draw]>> = {
  calm: [480, () => ({ isCalm: true })],
  'bad weather': [100, (random) => calm({ faults: random.pick(weather) })],
  missed: [30, (random) => ({ isCalm: false, isMissed: true, nights: random.int(1, 10) })],
  'service down': [20, () => wild({ downAt: 0 })],
  'service down for days': [
    10,
    (random) => ({ ...wild({ downAt: 0 }), nights: random.int(2, 10) }),
  ],
  'service down from some request on': [35, (random) => wild({ downAt: random.int(1, 60) })],
  'token refused': [
    15,
    (random) => ({ ...wild({ faults: ['http-401@token'] }), nights: random.int(1, 5) }),
  ],
  'access denied': [5, () => wild({ faults: ['scope-missing'] })],
  'some rows fail': [25, (random) => wild({ faults: [`http-500=every:${random.int(2, 6)}@rows`] })],
  'rows fail': [10, () => wild({ faults: ['wrapper-1020@rows'] })],
  'clock an hour back': [15, () => ({ isCalm: true, clockAhead: -hour })],
  'clock a day back': [15, () => ({ isCalm: true, clockAhead: -day })],
  'clock ahead': [15, (random) => ({ isCalm: true, clockAhead: random.pick([1, 3, 30]) * day })],
  'clock set while it runs': [
    15,
    (random) => wild({ clockStep: random.pick([-day, -hour, hour, day]) }),
  ],
  'disk full': [40, (random, actions) => wild({ fullAt: random.int(0, actions) })],
  'killed at a file': [
    70,
    (random, actions) => wild({ killedAt: { action: random.int(0, actions) } }),
  ],
  'killed at a request': [25, (random) => wild({ killedAt: { request: random.int(1, 60) } })],
  'killed after the report': [15, () => wild({ killedAt: { after: 'output' } })],
  'killed after the notification': [15, () => wild({ killedAt: { after: 'notification' } })],
  terminated: [20, (random) => wild({ terminatedAt: random.int(1, 60) })],
  twice: [20, (random) => ({ ...calm({ twinAt: random.int(1, 30) }) })],
  forgotten: [5, () => ({ isCalm: true, forgets: true })],
  'notification refused': [
    15,
    (random) => wild({ notification: random.pick(['refused', 'not found']) }),
  ],
  'output closed': [10, () => wild({ output: 'closed' })],
  'output full': [10, () => wild({ output: 'full' })],
};

function calm(trouble: Trouble): Omit<Night, 'name'> {
  return { isCalm: true, trouble };
}

function wild(trouble: Trouble): Omit<Night, 'name'> {
  return { isCalm: false, trouble };
}

/** Draws a night; `actions`: how many changes of files an ordinary one makes. */
export function drawNight(random: Random, actions: number): Night {
  let left = random.int(
    1,
    Object.values(kinds).reduce((sum, [weight]) => sum + weight, 0),
  );
  for (const [name, [weight, draw]] of Object.entries(kinds)) {
    left -= weight;
    if (left <= 0) return { name, ...draw(random, actions) };
  }
  throw new RangeError('the weights do not add up');
}
