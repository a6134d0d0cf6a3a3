import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ExportProblem } from '../app/export-result.ts';
import { largestOf, tableOf } from '../base/lists.ts';
import { byText, inOrderOf } from '../base/texts.ts';
import { rulesSchema } from '../config/profile-tables.ts';
import { lakeTableNames } from '../lake/tables.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import { addMoney, formatMinor, type Money, rescale } from '../money/money.ts';
import { type Code, weights } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import { type ReconciledRun, unreadPendings } from '../reconcile/reconcile-run.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { ruleLines } from '../reconcile/rules.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { sumsByCurrency } from '../reconcile/sums.ts';
import { verdicts } from '../report/common/words.ts';
import { jsonWithDigest, parseJsonWithDigest } from './layout.ts';
import { scopeFields } from './scope.ts';

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** The form of a day's files. If it changes, all days are made again. */
const daySchema = 1;

const count = z.int().min(0);

export const codeSchema = z.custom<Code>(
  (value) => typeof value === 'string' && Object.hasOwn(weights, value),
);

const daySettingsSchema = z.object({
  identity: z.enum(identities),
  tolerance: z.string().regex(/^\d{1,18}$/),
  ignored: z.array(codeSchema).readonly(),
  expectedScales: z.record(z.string(), count).default({}),
  rules: rulesSchema.default({}),
  /** Names of the accounting tokens that occur on that day. */
  names: z.record(z.string(), z.string()),
});

/** The settings that a day's files depend on, but for the profile in its tables. */
export type DaySettings = Readonly<z.infer<typeof daySettingsSchema>>;

/** For loaders of the CSV files: sums by accounting token and currency, as decimal text. */
const controlTotal = z.object({
  accountingToken: z.string(),
  currency: z.string(),
  decimalPlaces: count,
  settlements: count,
  payIn: z.string(),
  transactions: count,
  amount: z.string(),
  fees: z.string(),
  tax: z.string(),
});

const manifestFile = z.object({
  bytes: count,
  /** Of CSV the records below the header row, of the source its lines. */
  rows: count,
  sha256: digestSchema,
});

export type ManifestFile = Readonly<z.infer<typeof manifestFile>>;

const { profile, host, filters } = scopeFields;
// A new field must be `exactOptional`: without it, the manifests in place would count as damaged.
export const manifestSchema = z.object({
  schema: z.literal(daySchema),
  tool: z.string(),
  profile,
  host,
  day: z.string(),
  filters,
  settings: daySettingsSchema,
  settingsDigest: digestSchema,
  /** `incomplete` only if the user asked to publish the day anyway. */
  verdict: z.enum(verdicts),
  /** Whether everything was read, pending settlements too. */
  complete: z.boolean(),
  /** The ids of pending settlements that were not fully read; absent if there are none. */
  unread: z.array(z.string()).readonly().exactOptional(),
  counts: z.object({
    settlements: z.object({
      balanced: count,
      out_of_balance: count,
      pending: count,
      incomplete: count.exactOptional(),
    }),
    transactions: count,
  }),
  totals: z.array(controlTotal).readonly(),
  /** SHA-256 of the text of the source: equal for equal data. */
  contentSha256: digestSchema,
  /** All other files of the folder, by name. */
  files: z.record(z.string(), manifestFile),
  /** The day's files in the tables for SQL engines, by table; absent if there are none. */
  tables: z.partialRecord(z.enum(lakeTableNames), manifestFile).exactOptional(),
  /** When, in UTC. Not compared. */
  exportedAt: z.string(),
});

/** What a day's folder contains, how it was requested and how it was reconciled: `manifest.json`. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

export function reconciledFields(run: ReconciledRun) {
  const { verdict, counts, transactions } = run;
  const { balanced, out_of_balance, pending, incomplete } = counts;
  const settlements = { balanced, out_of_balance, pending, ...(!run.complete && { incomplete }) };
  const unread = unreadPendings(run.settlements);
  return {
    verdict,
    complete: run.complete && unread.length === 0,
    ...(unread.length > 0 && { unread }),
    counts: { settlements, transactions },
  };
}

/** Whether the day was published although it could not be fully read, as the user asked. */
export function isPublishedIncomplete({ verdict }: Pick<Manifest, 'verdict'>): boolean {
  return verdict === 'incomplete';
}

/** The text of a manifest, with its fields in the order of the schema; fields that it lacks are dropped. */
export function formatManifest(manifest: Omit<Manifest, 'schema'>): string {
  return jsonWithDigest(manifestSchema.parse({ ...manifest, schema: daySchema }));
}

export function parseManifest(text: string): Manifest | Omit<ExportProblem, 'path'> {
  const found = parseJsonWithDigest(text);
  if (!found) return { code: 'changed' };
  const { schema } = found;
  if (typeof schema === 'number' && schema > daySchema) {
    return { code: 'newer_schema', values: [schema, daySchema] };
  }
  const result = manifestSchema.safeParse(found);
  if (result.success) return result.data;
  return { code: 'not_valid', values: [result.error.issues[0]?.path.join('.') ?? ''] };
}

/** The settings by which the day was reconciled, to reconcile it again. */
export function reconcileSettings({ names, ...settings }: DaySettings): ReconcileSettings {
  const expectedScales = new Map(Object.entries(settings.expectedScales));
  return { ...settings, tolerance: BigInt(settings.tolerance), expectedScales };
}

/** The settings of a day with these settlements; what is in no order is sorted. */
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

/** Equal for settings that give the same files from the same data, but for the profile in tables. */
export function settingsDigest(settings: DaySettings): string {
  const { identity, tolerance, ignored, expectedScales, names, rules } = settings;
  const tables = [expectedScales, names].map(Object.entries);
  const parts = [daySchema, identity, tolerance, ignored, ...tables, ruleLines(rules)];
  return hash('sha256', JSON.stringify(parts));
}

export class ControlTotals {
  readonly #sums = new Map<string, ReturnType<typeof noSums>>();

  add({ accountingToken, payIn, ...header }: Settlement, rows: RowColumns | undefined): void {
    const own = this.#of(accountingToken, header.currency);
    own.settlements += 1;
    own.payIn = addMoney(own.payIn, { minor: payIn, ...header });
    if (!rows) return;
    for (const [currency, { transactions, gross, fees, tax }] of sumsByCurrency(
      rows.kinds,
      rows.sums,
    )) {
      const sums = this.#of(accountingToken, currency);
      sums.transactions += transactions;
      sums.amount = addMoney(sums.amount, gross);
      sums.fees = addMoney(sums.fees, fees);
      sums.tax = addMoney(sums.tax, tax);
    }
  }

  totals(): Manifest['totals'] {
    return [...this.#sums.values()]
      .sort(inOrderOf(({ accountingToken, currency }) => [accountingToken, currency]))
      .map((sums) => {
        const decimalPlaces = largestOf(amounts.map((amount) => sums[amount].scale));
        const texts = tableOf(amounts, (amount) => {
          const { minor, scale } = sums[amount];
          return formatMinor(rescale(minor, scale, decimalPlaces), decimalPlaces);
        });
        return controlTotal.parse({ ...sums, decimalPlaces, ...texts });
      });
  }

  #of(accountingToken: string, currency: string) {
    const key = JSON.stringify([accountingToken, currency]);
    const sums = this.#sums.get(key) ?? noSums(accountingToken, currency);
    this.#sums.set(key, sums);
    return sums;
  }
}

const amounts = ['payIn', 'amount', 'fees', 'tax'] as const;

function noSums(accountingToken: string, currency: string) {
  const none: Money = { minor: 0n, scale: 0, currency };
  const sums = tableOf(amounts, () => none);
  return { accountingToken, currency, settlements: 0, transactions: 0, ...sums };
}
