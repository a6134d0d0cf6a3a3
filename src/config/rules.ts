import * as z from 'zod';
import {
  areAlternatives,
  type Rule,
  type Rules,
  signedAmounts,
  taxesInFees,
} from '../reconcile/rules.ts';
import type { Given } from './origin.ts';
import { parseTable, nonEmpty as word } from './schema.ts';

function oneOf<const Word extends string>(...words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`);
}

const notCounted = z
  .strictObject(
    {
      state: word.optional(),
      type: word.optional(),
      count: oneOf('follows', 'stays').default('follows'),
    },
    'must be a table such as { state = "declined" }',
  )
  .refine(({ state, type }) => state ?? type, 'must name a state, a type or both');

const oppositeSign = z
  .strictObject(
    { type: word.optional(), amount: oneOf(...signedAmounts).optional() },
    'must be a table such as { type = "refund" }',
  )
  .refine(({ type, amount }) => type ?? amount, 'must name a type, an amount or both');

const roundedAmount = z.strictObject(
  {
    amount: oneOf('fees', 'tax'),
    of: oneOf('row', 'total'),
    round: oneOf('half_up', 'half_even'),
  },
  'must be a table such as { amount = "fees", of = "total", round = "half_up" }',
);

/** A list of which no two entries can both be in force; an empty one says nothing. */
function listOf<Entry extends z.ZodType<object>>(
  entry: Entry,
  ruleOf: (one: z.infer<Entry>) => Rule,
  isAlso: string,
) {
  return z
    .array(entry, 'must be a list of tables in [ ]')
    .superRefine((entries, context) => {
      for (const [index, one] of entries.entries()) {
        const isSame = (other: typeof one) => areAlternatives(ruleOf(one), ruleOf(other));
        const isRepeated = entries.slice(0, index).some(isSame);
        const message = `${isAlso} an earlier entry`;
        if (isRepeated) context.addIssue({ code: 'custom', path: [index], message });
      }
    })
    .transform((entries): readonly z.infer<Entry>[] | undefined =>
      entries.length === 0 ? undefined : entries,
    )
    .optional();
}

/** The table `rules` of a profile. An entry that repeats or contradicts another one is refused. */
export const rulesSchema = z.strictObject(
  {
    not_counted: listOf(
      notCounted,
      (one) => ({ rule: 'not_counted', ...one }),
      'covers the same rows as',
    ),
    signs: listOf(
      oppositeSign,
      (one) => ({ rule: 'signs', ...one }),
      'changes the sign of the same amounts as',
    ),
    rounding: listOf(
      roundedAmount,
      (one) => ({ rule: 'rounding', ...one }),
      'rounds the same amount as',
    ),
    tax_in_fees: oneOf(...taxesInFees).optional(),
  },
  'must be a table, [profiles.NAME.rules]',
) satisfies z.ZodType<Rules>;

/** What the table may hold, or an entry of one of its lists. */
export function ruleKeys(list?: PropertyKey): readonly string[] {
  if (list === 'not_counted') return Object.keys(notCounted.shape);
  if (list === 'signs') return Object.keys(oppositeSign.shape);
  return Object.keys(list === 'rounding' ? roundedAmount.shape : rulesSchema.shape);
}

/** Understands rules, of a JSON object of the same shape as the table. */
export function parseRules(given: Given): Rules {
  return parseTable(rulesSchema, given, '{"not_counted": [{"state": "declined"}]}', ruleKeys);
}
