import { keysOf } from '../../src/base/lists.ts';
import type { CheckName } from '../../src/doctor/report.ts';
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
  shared,
  text,
  texts,
} from './form.ts';
import {
  failure,
  fault,
  faultFields,
  identityName,
  oddAnswers,
  range,
  report,
  unreadable,
} from './parts.ts';

const setting = shared(
  'setting',
  open({ setting: text, value: orNull(text), source: orNull(text) }),
);

/** `recon config show`. */
export const config = report(
  { file: object({ path: text, source: text, exists: flag }), profiles: texts },
  { settings: ['setting', setting] },
);

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
    oddAnswers,
  }),
  dates: nothing,
  names: nothing,
  scales: nothing,
  settlement_files: nothing,
  statements: nothing,
  orders: nothing,
  registers: nothing,
  identity: object({
    fits: listOf(object({ identity: identityName, settlements: count })),
    better: listOf(identityName),
  }),
  rules: nothing,
  charges: nothing,
  interface: nothing,
};

const checkNames = keysOf(checkFacts);
const [factless, factual] = [true, false].map((isFactless) =>
  checkNames.filter((check) => (checkFacts[check] === nothing) === isFactless),
) as [CheckName[], CheckName[]];
const passed: Fields = {
  level: named('level', oneOf('ok', 'warning', 'failure')),
  error: nothing,
};
const check = named('check', {
  ...open({ check: oneOf(...checkNames), found: text, whatToDo: orNull(text) }),
  ...either(
    open({ check: oneOf(...factless), ...passed, facts: nothing }),
    ...factual.map((name) => open({ check: only(name), ...passed, facts: checkFacts[name] })),
    open({ level: only('failure'), facts: nothing, error: fault }),
    open({ level: only('not_checked'), facts: nothing, error: nothing }),
  ),
});

const examined: Fields = {
  level: oneOf('failure', 'warning', 'ok', 'not_checked'),
  range: orNull(range),
  requests: count,
};

/** `recon doctor`. */
export const doctor = report(examined, {
  checks: ['check', check],
  settings: ['setting', setting],
});

/** A failure of the run on standard error, with `--json`. */
export const error = object({
  error: object({
    ...faultFields,
    cause: either(failure, only('interrupted')),
    exitCode: count,
  }),
});
