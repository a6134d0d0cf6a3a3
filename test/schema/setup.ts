import { keysOf } from '../../src/base/lists.ts';
import { codesByFailure } from '../../src/cli/exit-codes.ts';
import type { CheckName } from '../../src/doctor/report.ts';
import { identityNames } from '../../src/reconcile/identity.ts';
import {
  change,
  count,
  either,
  type Fields,
  flag,
  listOf,
  named,
  nothing,
  number,
  object,
  oneOf,
  only,
  open,
  orNull,
  text,
  texts,
} from './form.ts';
import {
  day,
  fault,
  faultFields,
  identity,
  odd,
  proposed,
  range,
  report,
  rules,
  settlementId,
  unreadable,
} from './parts.ts';

const setting: Fields = { setting: text, value: orNull(text), source: orNull(text) };

/** `recon config show`. */
export const config = report(
  { file: object({ path: text, source: text, exists: flag }), profiles: texts },
  { settings: ['setting', open(setting)] },
);

const scheme = oneOf('v1', 'v2');
const pages: Fields = { asked: count, received: count, next: orNull(count), repeated: count };
const fit = object({ identity: oneOf(...identityNames), settlements: count });

const checkFacts: Readonly<Record<CheckName, Fields>> = {
  configuration: { profile: orNull(text), file: orNull(text), sandbox: orNull(text) },
  proxy: {
    proxy: orNull(object({ variable: text, origin: text })),
    used: flag,
  },
  address: { hosts: listOf(object({ setting: text, url: text, answered: flag })) },
  tls: {
    certificates: listOf(
      object({ host: text, issuer: text, expiresAt: text, daysLeft: change, protocol: text }),
    ),
  },
  clock: { aheadSeconds: change, signs: flag },
  token: { scheme, 'seconds?': orNull(number), 'scopes?': orNull(texts), 'lacks?': texts },
  settlements: { from: day, to: day, asked: count, received: count },
  settlement_pages: pages,
  transaction_pages: { settlement: settlementId, announced: count, ...pages },
  latency: { answers: count, medianMs: number, slowestMs: number, repeated: texts },
  records: {
    settlements: count,
    transactions: count,
    unreadable: listOf(unreadable),
    unknownFields: listOf(object({ record: text, fields: texts })),
    oddAnswers: listOf(object(odd)),
  },
  dates: {
    settlements: count,
    zones: listOf(object({ zone: text, settlements: count })),
    outside: count,
  },
  names: { settlements: count, names: count, unseen: listOf(object({ token: text, name: text })) },
  scales: {
    settlements: count,
    unusual: listOf(
      object({ currency: text, decimalPlaces: count, expected: count, settlements: count }),
    ),
    profile: orNull(text),
  },
  identity: {
    chosen: identity,
    profile: orNull(text),
    settlements: count,
    fits: listOf(fit),
    better: listOf(oneOf(...identityNames)),
  },
  rules: {
    settlements: count,
    balanced: count,
    rules,
    profile: orNull(text),
    proposed: listOf(object(proposed)),
  },
  charges: { scheme, chargeId: text, 'refusal?': fault },
  interface: { version: text },
};

const checkNames = keysOf(checkFacts);
const told: Fields = { found: text, whatToDo: orNull(text) };
const level = oneOf('ok', 'warning', 'failure');
const check = named(
  'check',
  either(
    ...(
      [
        ...checkNames.map((check) => ({
          check: only(check),
          level,
          ...told,
          facts: object(checkFacts[check]),
          error: nothing,
          lacks: nothing,
        })),
        {
          check: oneOf(...checkNames),
          level: only('failure'),
          ...told,
          facts: nothing,
          error: fault,
          lacks: nothing,
        },
        {
          check: oneOf(...checkNames),
          level: only('not_checked'),
          ...told,
          facts: nothing,
          error: nothing,
          lacks: text,
        },
      ] satisfies Fields[]
    ).map(open),
  ),
);

const examined: Fields = {
  level: oneOf('failure', 'warning', 'ok', 'not_checked'),
  range: orNull(range),
  requests: count,
};

/** `recon doctor`. */
export const doctor = report(examined, {
  checks: ['check', check],
  settings: ['setting', open(setting)],
});

/** A failure of the run on standard error, with `--json`. */
export const error = object({
  error: object({
    ...faultFields,
    cause: oneOf(...keysOf(codesByFailure), 'interrupted'),
    exitCode: count,
  }),
});
