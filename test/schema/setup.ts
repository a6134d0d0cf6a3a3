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
  type Schema,
  text,
  texts,
} from './form.ts';
import { fault, faultFields, odd, range, report, unreadable } from './parts.ts';

const setting: Fields = { setting: text, value: orNull(text), source: orNull(text) };

/** `recon config show`. */
export const config = report(
  { file: object({ path: text, source: text, exists: flag }), profiles: texts },
  { settings: ['setting', open(setting)] },
);

const names = oneOf(...identityNames);
const certificate = object({ host: text, issuer: text, expiresAt: text, daysLeft: change });

/** The facts of each check. */
const checkFacts: Readonly<Record<CheckName, Schema>> = {
  configuration: nothing,
  proxy: nothing,
  address: nothing,
  tls: orNull(object({ certificates: listOf(certificate) })),
  clock: object({ aheadSeconds: change }),
  token: orNull(object({ seconds: orNull(number), scopes: orNull(texts) })),
  settlements: nothing,
  settlement_pages: nothing,
  transaction_pages: nothing,
  latency: object({ medianMs: number, slowestMs: number }),
  records: object({
    unreadable: listOf(unreadable),
    unknownFields: listOf(object({ record: text, fields: texts })),
    oddAnswers: listOf(object(odd)),
  }),
  dates: nothing,
  names: nothing,
  scales: nothing,
  identity: object({
    fits: listOf(object({ identity: names, settlements: count })),
    better: listOf(names),
  }),
  rules: nothing,
  charges: nothing,
  interface: nothing,
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
          facts: checkFacts[check],
          error: nothing,
        })),
        {
          check: oneOf(...checkNames),
          level: only('failure'),
          ...told,
          facts: nothing,
          error: fault,
        },
        {
          check: oneOf(...checkNames),
          level: only('not_checked'),
          ...told,
          facts: nothing,
          error: nothing,
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
