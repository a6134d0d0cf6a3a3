import * as z from 'zod';
import { monthsSchema } from '../../src/audit/find-lakes.ts';
import { keysOf } from '../../src/base/lists.ts';
import { codeSchema, manifestSchema } from '../../src/export/manifest.ts';
import { stateWords } from '../../src/report/export/view.ts';
import {
  about,
  closed,
  count,
  either,
  type Fields,
  flag,
  listOf,
  matching,
  named,
  object,
  oneOf,
  open,
  orNull,
  type Schema,
  shared,
  text,
  texts,
} from './form.ts';
import {
  amount,
  byVerdict,
  changedFields,
  code,
  codes,
  day,
  days,
  document,
  figures,
  line,
  lines,
  range,
  ranges,
  report,
  schema,
  settlementRef,
  sums,
  verdict,
  why,
} from './parts.ts';

const transactions = object({ added: count, removed: count, changed: count });
const restatement = object({
  settlement: settlementRef,
  change: oneOf('added', 'removed', 'changed'),
  fields: changedFields,
  transactions,
});

/** `recon export`. */
export const exported = report(
  {
    folder: text,
    range: orNull(range),
    profile: orNull(text),
    verdict,
    renamed: texts,
    outside: about(
      'What is left to do outside the range',
      object({
        missing: ranges,
        pending: ranges,
        damaged: ranges,
        incomplete: ranges,
      }),
    ),
  },
  {
    days: [
      'day',
      open({
        day,
        state: oneOf(...keysOf(stateWords)),
        verdict,
        settlements: byVerdict,
        transactions: count,
        unread: about('The ids of pending settlements that were not fully read', texts),
        unknownStatuses: count,
        unusualScales: count,
        restatements: listOf(restatement),
        problems: texts,
        'isDelisted?': flag,
      }),
    ],
  },
);

const checked = named(
  'checked',
  open({
    folder: text,
    profile: orNull(text),
    host: text,
    range: orNull(range),
    sound: about('How many days are there and as written', count),
    missing: days,
    catalogues: texts,
    publishedIncomplete: days,
    unread: listOf(object({ day, settlementIds: texts })),
    isLocked: flag,
    isSound: flag,
  }),
);
const found = open({
  finding: oneOf(
    ...['missing', 'problem', 'unfinished', 'catalogue', 'published_incomplete', 'unread'],
  ),
  path: text,
  message: text,
});

/** `recon export --verify`. */
export const verified = document(
  closed(checked, {
    schema,
    problems: listOf(object({ path: text, message: text })),
    unfinished: texts,
  }),
  lines(line('finding', found), line('summary', checked)),
);

const accepted: Fields = { settlement: settlementRef, currency: text, decimalPlaces: count };
const ending: Fields = { ...why, booksAccount: orNull(text) };
const payIn: Fields = {
  ...accepted,
  reported: figures,
  computed: figures,
  payInDifference: amount,
  codes: codes,
  ...ending,
};
const onBank: Fields = {
  ...accepted,
  bankExpected: amount,
  bankReceived: amount,
  bankDifference: amount,
  ...ending,
};

const decided: Fields = {
  ...onBank,
  decision: oneOf('settled_with', 'written_off', 'confirmed'),
  settledWith: orNull(object({ id: text, date: day, payIn: amount })),
  confirmed: orNull(
    object({
      ...{ entryIds: listOf(text), places: listOf(text), bookingDate: day, others: listOf(text) },
    }),
  ),
};

const ofEntry: Fields = {
  bankEntry: object({ id: text, date: day, account: text }),
  currency: text,
  decimalPlaces: count,
  bankExpected: amount,
  bankReceived: amount,
  bankDifference: amount,
  ...ending,
};
const ofOrder: Fields = {
  order: object({ reference: text, date: orNull(day), account: orNull(text) }),
  currency: text,
  decimalPlaces: count,
  orderDifference: amount,
  ...ending,
};
const registerLine = shared(
  'registerLine',
  either(open(payIn), open(onBank), open(decided), open(ofEntry), open(ofOrder)),
);

/** `recon accept`. */
export const accept = report(
  {
    register: text,
    done: oneOf('accepted', 'replaced', 'unchanged', 'removed', 'listed'),
  },
  { accepted: ['accepted', registerLine] },
);

/** `recon accept --from`. */
export const acceptFrom = report(
  { register: text, file: text, dryRun: flag, written: flag, before: sums, after: sums },
  {
    decisions: [
      'decision',
      open({
        line: count,
        kind: text,
        id: text,
        status: oneOf(
          ...['accepted', 'already_accepted', 'undecided', 'changed', 'not_found', 'not_read'],
          ...['not_out_of_balance', 'twice_in_the_file', 'reason_missing', 'closed', 'invalid'],
        ),
        problem: orNull(text),
        accepted: orNull(closed(registerLine)),
      }),
    ],
  },
);

/** `months.json` of a lake by months. */
export const months: Schema = z.toJSONSchema(monthsSchema, {
  io: 'input',
  override: ({ jsonSchema }) => {
    if (jsonSchema.properties) jsonSchema.additionalProperties = false;
  },
});

const { $schema: _, ...ofManifest } = z.toJSONSchema(manifestSchema, {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === codeSchema) Object.assign(jsonSchema, code);
    if (jsonSchema.properties) jsonSchema.additionalProperties = false;
  },
});

/** `manifest.json` of a day, by the program's own list of its fields, and its digest. */
export const manifest: Schema = {
  ...ofManifest,
  properties: { ...ofManifest.properties, sha256: matching('^[0-9a-f]{64}$') },
};
