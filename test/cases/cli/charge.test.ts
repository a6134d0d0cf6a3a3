import { describe, expect, test } from 'vitest';
import { rawCharge } from '../../api/raw.ts';
import { readLines, readRecords } from '../../cli/read-report.ts';
import { afterToken, startServer } from '../../cli/server.ts';
import { uuid } from '../../support/build.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

/** Amounts in minor units; null stands for one that the service leaves out. */
interface Amounts {
  readonly current: number | null;
  readonly completed: number | null;
  readonly refunded: number | null;
  readonly original?: number | null;
  readonly canceled?: number;
}

interface Case {
  readonly status: string;
  readonly amounts: Amounts;
  /** The action of the last event; undefined where the charge has no event. */
  readonly action?: string | undefined;
}

const total = 100_00;

/** The statuses of doc 3.1 that say that the customer is not charged. */
const failures = ['not_created', 'not_validated', 'not_authorised', 'not_completed', 'cancelled'];

const inProgress = ['created', 'authorised', 'on_hold'];

const statuses = ['completed', 'settled', 'settled_out_of_balance', 'refunded'].concat(
  failures,
  inProgress,
);

/** What the document says of a charge, and what it denies. */
function remarksDue({ status, amounts, action }: Case): readonly string[] {
  const { current, completed, refunded, original = total } = amounts;
  // Doc 2.5: what the amounts are after a full refund, the only kind that is described.
  const isFull = current === 0 && completed === 0 && refunded === original;
  return [
    ...(status === 'refunded' && !isFull ? ['partial_refund'] : []),
    // Doc 3.1, 3.2: where a payment fails, the customer is not charged.
    ...(failures.includes(status) && completed !== null && completed > 0
      ? ['completed_but_not_approved']
      : []),
    // Doc 3.2: a refund leads to the status refunded.
    ...(status === 'completed' && action === 'refund' ? ['refund_event'] : []),
  ];
}

const known = ['partial_refund', 'completed_but_not_approved', 'refund_event'];

function chargeOf(
  { status, amounts, action }: Case,
  id: string,
): Readonly<Record<string, unknown>> {
  const { current, completed, refunded, original = total, canceled = 0 } = amounts;
  const named = {
    original_order_total: original,
    current_order_total: current,
    completed_amount: completed,
    refunded_amount: refunded,
    canceled_amount: canceled,
  };
  const present = Object.entries(named).map(([name, amount]) => [name, amount ?? undefined]);
  const event = { event_number: 4, action, source: 'api', status };
  return rawCharge(
    {
      charge_id: id,
      status: { status },
      event: action === undefined ? undefined : event,
      order: { order_amount: { value: total, currency: { currency_code: 'EUR' } } },
    },
    Object.fromEntries(present),
  );
}

/** `recon charge` of all these, from a service that knows them. */
async function show(
  cases: readonly Case[],
  args: readonly string[],
  change: (charge: Readonly<Record<string, unknown>>) => unknown = (charge) => charge,
): Promise<RunResult> {
  const ids = cases.map((_, at) => uuid(at + 1));
  const answer = ({ path }: { readonly path: string }) => {
    const at = ids.indexOf(path.replace('/charge/', ''));
    const asked = cases[at];
    return asked ? { body: change(chargeOf(asked, uuid(at + 1))) } : { status: 404, body: '' };
  };
  const { env } = await startServer(afterToken(answer));
  const run = await runRecon(['charge', ...ids, ...args], { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run;
}

interface Shown {
  readonly outcome: string;
  readonly approved: boolean;
  readonly handling: { readonly message: string };
  readonly remarks?: readonly { readonly code: string }[];
}

async function asJson(cases: readonly Case[]): Promise<readonly Shown[]> {
  const { stdout } = await show(cases, ['--json']);
  const { charges } = JSON.parse(stdout) as { readonly charges: readonly Shown[] };
  expect(charges).toHaveLength(cases.length);
  return charges;
}

/** The codes that these cases are about. */
function codesOf({ remarks = [] }: Shown): readonly string[] {
  return remarks.map(({ code }) => code).filter((code) => known.includes(code));
}

const fulfil = /Fulfil the order/;
const notCharged = /The customer is not charged/;

/** All combinations of amounts that a service may show, sensible or not. */
const everyAmount: readonly Amounts[] = [0, 60_00, total].flatMap((current) =>
  [0, 1, total].flatMap((completed) =>
    [0, 40_00, total, total + 1].map((refunded) => ({ current, completed, refunded })),
  ),
);

const everyAction = ['complete', 'refund', undefined];

interface Course {
  readonly asked: readonly Case[];
  readonly shown: readonly Shown[];
}

const courses = new Map<string, Promise<Course>>();

/** Charges of this status with all amounts and events; asked for once. */
function everyCase(status: string): Promise<Course> {
  const asked = everyAmount.flatMap((amounts) =>
    everyAction.map((action) => ({ status, amounts, action })),
  );
  const course = courses.get(status) ?? asJson(asked).then((shown) => ({ asked, shown }));
  courses.set(status, course);
  return course;
}

describe('the remarks of every status, with all amounts and last events', () => {
  test.each(statuses)('%s', async (status) => {
    const { asked, shown } = await everyCase(status);
    const due = asked.map((one) => ({ ...one, remarks: remarksDue(one) }));
    expect(asked.map((one, at) => ({ ...one, remarks: codesOf(shown[at] as Shown) }))).toEqual(due);
  });

  test.each(failures)(
    '%s never says that a customer with a completed amount is not charged',
    async (status) => {
      const { asked, shown } = await everyCase(status);
      for (const [at, { handling }] of shown.entries()) {
        const { completed, refunded } = (asked[at] as Case).amounts;
        if (completed !== 0) expect(handling.message).not.toMatch(notCharged);
        if (completed === 0 && refunded === 0) expect(handling.message).toMatch(notCharged);
      }
    },
  );

  test('completed never asks to fulfil an order whose last event is a refund', async () => {
    const { asked, shown } = await everyCase('completed');
    for (const [at, { handling }] of shown.entries()) {
      const { action, amounts } = asked[at] as Case;
      if (action === 'refund') expect(handling.message).not.toMatch(fulfil);
      else if (amounts.completed === total && amounts.refunded === 0) {
        expect(handling.message).toMatch(fulfil);
      }
    }
  });

  test.each(statuses)('%s keeps its outcome, and whether it is approved', async (status) => {
    const outcome = failures.includes(status)
      ? 'failure'
      : inProgress.includes(status)
        ? 'in_progress'
        : status === 'refunded'
          ? 'refunded'
          : 'success';
    const { shown } = await everyCase(status);
    for (const one of shown) {
      expect(one).toMatchObject({ outcome, approved: status === 'completed' });
    }
  });
});

/** A charge by the document, and one of the same status that contradicts it. */
const pairs = [
  {
    code: 'partial_refund',
    regular: {
      status: 'refunded',
      amounts: { current: 0, completed: 0, refunded: total },
      action: 'refund',
    },
    odd: {
      status: 'refunded',
      amounts: { current: 60_00, completed: total, refunded: 40_00 },
      action: 'refund',
    },
    denied: undefined,
  },
  ...failures.map((status) => ({
    code: 'completed_but_not_approved',
    regular: { status, amounts: { current: total, completed: 0, refunded: 0 }, action: 'complete' },
    odd: { status, amounts: { current: total, completed: total, refunded: 0 }, action: 'complete' },
    denied: notCharged,
  })),
  {
    code: 'refund_event',
    regular: {
      status: 'completed',
      amounts: { current: total, completed: total, refunded: 0 },
      action: 'complete',
    },
    odd: {
      status: 'completed',
      amounts: { current: total, completed: total, refunded: 0 },
      action: 'refund',
    },
    denied: fulfil,
  },
] as const;

/** The sentences of a report; amounts, and the event that a test changes, left out. */
function sentences(stdout: string): ReadonlySet<string> {
  const lines = stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/\s-?\d+\.\d\d$/.test(line) && !/^Last event\b/.test(line));
  return new Set(lines);
}

describe.each(pairs)('the remark $code of $odd.status', ({ regular, odd, denied }) => {
  const formats = [
    ['as a table', 'table'],
    ['as CSV', 'csv'],
    ['as lines of JSON', 'ndjson'],
  ] as const;

  test.each(formats)('%s shows no sentence that the figures contradict', async (_, format) => {
    if (denied === undefined) return;
    const { stdout: plain } = await show([regular], ['--format', format]);
    expect(plain).toMatch(denied);
    const { stdout } = await show([odd], ['--format', format]);
    expect(stdout).not.toMatch(denied);
  });

  test('is shown beside the outcome in the table', async () => {
    const { stdout: plain } = await show([regular], ['--format', 'table']);
    const { stdout } = await show([odd], ['--format', 'table']);
    const said = sentences(plain);
    const more = [...sentences(stdout)].filter((line) => !said.has(line));
    expect(more.join('\n')).toMatch(/[a-z]{3}/);
    // What stood there without the contradiction stays: the first word of the answer.
    expect(stdout.split('\n')[0]).toBe(plain.split('\n')[0]);
  });

  test('keeps the amounts, the status and the columns of CSV', async () => {
    const [record] = readRecords((await show([odd], ['--format', 'csv'])).stdout);
    const { amounts, status } = odd;
    const money = (minor: number) =>
      `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
    expect(record).toMatchObject({
      status,
      completed_amount: money(amounts.completed),
      refunded_amount: money(amounts.refunded),
      current_order_total: money(amounts.current),
      approved: status === 'completed' ? 'yes' : 'no',
    });
    expect(Object.keys(record ?? {}).slice(0, 5)).toEqual([
      'charge_id',
      'status',
      'outcome',
      'approved',
      'had_been_completed',
    ]);
  });
});

describe('missing amounts', () => {
  const parts = { current: total, completed: 0, refunded: 0 };

  test.each<[string, Case, readonly string[]]>([
    [
      'a failed charge without a completed amount',
      { status: 'not_authorised', amounts: { ...parts, completed: null } },
      [],
    ],
    [
      'a cancelled charge with a canceled amount alone',
      { status: 'cancelled', amounts: { ...parts, canceled: total } },
      [],
    ],
    [
      'a cancelled charge with a canceled and a completed amount',
      { status: 'cancelled', amounts: { ...parts, completed: total, canceled: total } },
      ['completed_but_not_approved'],
    ],
    [
      'a refund of a part, with no other amounts',
      { status: 'refunded', amounts: { current: null, completed: null, refunded: 40_00 } },
      ['partial_refund'],
    ],
    [
      'a refund of a charge of 0.00',
      { status: 'refunded', amounts: { original: 0, current: 0, completed: 0, refunded: 0 } },
      [],
    ],
  ])('%s', async (_, one, due) => {
    const [shown] = await asJson([one]);
    expect(codesOf(shown as Shown)).toEqual(due);
  });

  test('leave the sentence that a failed charge was not charged', async () => {
    const amounts = { ...parts, completed: null };
    const [shown] = await asJson([{ status: 'not_authorised', amounts }]);
    expect(shown?.handling.message).toMatch(notCharged);
  });
});

describe('amounts written as objects', () => {
  const asObjects = (charge: Readonly<Record<string, unknown>>) => {
    const amounts = charge['summary_amounts'] as Readonly<Record<string, unknown>>;
    const written = Object.entries(amounts).map(([name, value]) => [
      name,
      typeof value === 'number' ? { value, currency: { currency_code: 'EUR' } } : value,
    ]);
    return { ...charge, summary_amounts: Object.fromEntries(written) };
  };

  test.each([
    [{ current: 0, completed: 0, refunded: total }, []],
    [{ current: 60_00, completed: total, refunded: 40_00 }, ['partial_refund']],
    [{ current: 0, completed: total, refunded: total }, ['partial_refund']],
  ])('%o', async (amounts, due) => {
    const { stdout } = await show([{ status: 'refunded', amounts }], ['--json'], asObjects);
    const { charges } = JSON.parse(stdout) as { readonly charges: readonly Shown[] };
    expect(charges.map(codesOf)).toEqual([due]);
  });
});

test('the NDJSON format has the remarks', async () => {
  const { stdout } = await show(
    pairs.map(({ odd }) => odd),
    ['--format', 'ndjson'],
  );
  const lines = readLines(stdout).filter((line) => 'chargeId' in line);
  expect(lines.map((line) => codesOf(line as unknown as Shown))).toEqual(
    pairs.map(({ code }) => [code]),
  );
});

test('the charges of the sandbox have no remarks', async () => {
  const { stdout } = await runRecon([
    'charge',
    '23d6e62a-7b74-51a8-b412-3b3163ee415d',
    '03ae3d3b-5a16-58f7-a870-f1f92f673aad',
    'c7e3caa3-7d37-5cc9-9942-e207da5de848',
    '--sandbox',
    '--scenario',
    'charges',
    '--json',
  ]);
  const { charges } = JSON.parse(stdout) as { readonly charges: readonly Shown[] };
  expect(charges.map(codesOf)).toEqual([[], [], []]);
});
