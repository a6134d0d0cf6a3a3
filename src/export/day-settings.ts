import { hash } from 'node:crypto';
import * as z from 'zod';
import { byText } from '../base/texts.ts';
import { rulesSchema } from '../config/rules.ts';
import type { Settlement } from '../model/settlement.ts';
import { type Code, weights } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import type { ReconcileSettings } from '../reconcile/reconciled.ts';
import { ruleLines } from '../reconcile/rules.ts';
import type { Names } from '../report/common/report.ts';

/** Raised when the files of a day come to look or to mean otherwise: days are then made again. */
export const daySchema = 3;

/** A code of what may be found in a settlement. */
export const codeSchema = z.custom<Code>(
  (value) => typeof value === 'string' && Object.hasOwn(weights, value),
);

/** The settings that a day's files depend on, in a form that can be compared and written down. */
export const daySettingsSchema = z.object({
  identity: z.enum(identities),
  /** In minor units. */
  tolerance: z.string().regex(/^\d{1,18}$/),
  ignored: z.array(codeSchema).readonly(),
  /** By currency. */
  expectedScales: z.record(z.string(), z.int().min(0)).default({}),
  /** As in a profile. */
  rules: rulesSchema.default({}),
  /** Names of the accounting tokens that occur on that day. */
  names: z.record(z.string(), z.string()),
});

/** What of the settings a day's files depend on. */
export type DaySettings = Readonly<z.infer<typeof daySettingsSchema>>;

/** The settings as far as they matter for the day with these settlements. */
export function daySettings(
  { identity, tolerance, ignored, expectedScales, rules }: ReconcileSettings,
  names: Names,
  settlements: readonly Settlement[],
): DaySettings {
  const tokens = new Set(settlements.map((one) => one.accountingToken));
  const sorted = <Value>(table: Iterable<readonly [string, Value]>) =>
    Object.fromEntries([...table].sort(([a], [b]) => byText(a, b)));
  return {
    identity,
    tolerance: String(tolerance),
    ignored: [...new Set(ignored)].sort(byText),
    expectedScales: sorted(expectedScales),
    rules,
    names: sorted([...names].filter(([token]) => tokens.has(token))),
  };
}

/** The settings again, as far as they decide. */
export function reconcileSettings({ names, ...judged }: DaySettings): ReconcileSettings {
  const expectedScales = new Map(Object.entries(judged.expectedScales));
  return { ...judged, tolerance: BigInt(judged.tolerance), expectedScales };
}

/** Equal where the same data give the same files. */
export function settingsDigest(settings: DaySettings): string {
  const { identity, tolerance, ignored, expectedScales, names, rules } = settings;
  const tables = [expectedScales, names].map(Object.entries);
  const parts = [daySchema, identity, tolerance, ignored, ...tables, ruleLines(rules)];
  return hash('sha256', JSON.stringify(parts));
}
