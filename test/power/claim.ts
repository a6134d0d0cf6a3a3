/**
 * What a program claims, read from its JSON. All names of its kinds and fields are here, and in no
 * other file of the bench: it is enough to change this one if they change.
 */
export interface Claim {
  readonly certainty: Certainty;
  /** Of each cause. */
  readonly kinds: readonly string[];
  /** Ids of the rows listed, at most so many as the report lists. */
  readonly rows: readonly string[];
  /** How many rows it concerns. */
  readonly rowCount: number;
  /** How many choices of rows fit equally well. */
  readonly choices: number;
  /** The rules of rounding that it names. */
  readonly roundings: readonly {
    readonly amount: string;
    readonly of: string;
    readonly round: string;
  }[];
  readonly says: (value: string) => boolean;
  readonly message: string;
}

export type Certainty = 'certain' | 'likely' | 'possible';

/** The names under which a program may know a kind that was planted. */
const names: Readonly<Record<string, readonly string[]>> = {
  share_withheld: ['share_withheld', 'withheld', 'reserve', 'neighbour'],
  fixed_deduction: ['fixed_deduction', 'deduction', 'withheld', 'neighbour'],
  one_off_fee: ['one_off_fee', 'one_off', 'fee_without_row'],
  page_twice: ['page_twice', 'page', 'row_counted_twice'],
  page_left_out: ['page_left_out', 'page', 'row_not_counted'],
  rate: ['rate', 'other_rate', 'type_rate'],
  refund_fees_returned: ['refund_fees_returned', 'refund_fees', 'fee_returned'],
  limited_fee: ['limited_fee', 'minimum_fee', 'maximum_fee', 'fee_limit'],
  partial_refund: ['partial_refund', 'refund_in_full'],
  pay_in_rounded: ['pay_in_rounded', 'pay_in_rounding'],
  noise: ['rounding', 'rounding_size', 'noise'],
  rounding: ['rounding', 'rounding_size'],
  // It is true, though it says little, that the header has an amount that no row has.
  amount: ['missing_rows', 'one_off_fee', 'one_off', 'amount'],
};

export function isNamed(kind: string, claimed: string): boolean {
  return (names[kind] ?? [kind]).includes(claimed);
}

/** Kinds that change a header in the same way, if they concern the same rows. */
const alike: readonly (readonly string[])[] = [
  ['row_not_counted', 'state_left_out', 'type_left_out', 'foreign_settlement_rows'],
  ['row_sign', 'type_sign', 'sign_convention'],
  ['row_counted_twice', 'duplicate_rows', 'missing_rows', 'neighbour'],
];

/** Whether the two kinds may have the same effect on a header. */
export function isAlike(kind: string, claimed: string): boolean {
  return (
    isNamed(kind, claimed) || alike.some((some) => some.includes(kind) && some.includes(claimed))
  );
}

type Json = { readonly [field: string]: unknown };

/** About one settlement: the likeliest first, and how many of the others are shown as rivals. */
export interface Claims {
  readonly claims: readonly Claim[];
  readonly rivals: number;
}

/** The claims about each settlement of a document. */
export function claimsOf(document: unknown): ReadonlyMap<string, Claims> {
  const { settlements } = document as { readonly settlements: readonly Json[] };
  return new Map(
    settlements.map(({ id, tested, certainty, alternatives }) => {
      const fits = (tested as readonly Json[]).filter((one) => one['outcome'] === 'explains');
      const claims = fits.map((one) => claimOf(one, String(one['certainty'] ?? certainty)));
      return [String(id), { claims, rivals: Number(alternatives ?? 0) }];
    }),
  );
}

function claimOf(one: Json, certainty: string): Claim {
  const causes = (one['causes'] ?? []) as readonly Json[];
  const rows = (one['rows'] as readonly Json[]).map((row) => String(row['transactionId']));
  const message = String(one['message']);
  const values = valuesIn(causes);
  const words = new Set(message.split(/[\s",;:()]+|\.(?:\s|$)/));
  return {
    certainty: certainty === 'certain' || certainty === 'likely' ? certainty : 'possible',
    kinds: kindsOf(one, causes),
    rows,
    rowCount: Number(one['rowCount'] ?? rows.length),
    choices: Number(one['candidates'] ?? 1),
    roundings: [...roundingsIn(causes), ...(causes.length > 0 ? [] : roundingsSaid(message))],
    says: (value) => values.has(value) || words.has(value),
    message,
  };
}

function kindsOf({ codes }: Json, causes: readonly Json[]): readonly string[] {
  const kinds = causes.map(({ kind, cause, code }) => String(kind ?? cause ?? code));
  return Array.isArray(codes) ? codes.map(String) : kinds;
}

/** All texts and numbers in a value. */
function valuesIn(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set([String(value)]);
  return new Set(Object.values(value).flatMap((inner) => [...valuesIn(inner)]));
}

function roundingsIn(value: unknown): Claim['roundings'] {
  if (typeof value !== 'object' || value === null) return [];
  const { amounts, of, rule } = value as Json;
  const [amount] = Array.isArray(amounts) ? amounts : [];
  const found = amount !== undefined && typeof of === 'string' && typeof rule === 'string';
  const here = found ? [{ amount: String(amount), of, round: rule }] : [];
  return [...here, ...Object.values(value).flatMap(roundingsIn)];
}

/** "The header rounds fees in total for each payment type, half up". */
function roundingsSaid(message: string): Claim['roundings'] {
  const rule = /rounds (.+?) (in total|row by row)[^,;]*, (half up|half to even|up|down)/g;
  return [...message.matchAll(rule)].map(([, amount = '', of, round = '']) => ({
    amount,
    of: of === 'in total' ? 'total' : 'row',
    round: round.replace(' to', '').replace(' ', '_'),
  }));
}

/** The rules that a document of `recon settlements` proposes. */
export function proposalsOf(document: unknown): readonly ProposedRule[] {
  const { proposedRules = [] } = document as { readonly proposedRules?: readonly Json[] };
  return proposedRules.map(({ rule }) => rule as ProposedRule);
}

/** As in the configuration file, with `rule` for the name of its table. */
export type ProposedRule = Readonly<Record<string, string>>;
