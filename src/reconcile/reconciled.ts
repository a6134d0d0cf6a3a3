import type { Settlement } from '../model/settlement.ts';
import type { Acceptance } from './acceptance.ts';
import type { Code, Entry } from './entry.ts';
import type { ComparedRates } from './fee-rates.ts';
import type { Identity, IdentityFit } from './identity.ts';
import type { RowTotal } from './row-totals.ts';
import type { Rule, Rules } from './rules.ts';

/** How settlements are judged. */
export interface ReconcileSettings {
  readonly identity: Identity;
  /** Minor units at each header's own scale, not negative. */
  readonly tolerance: bigint;
  /** Checks of weight discrepancy that move no verdict. */
  readonly ignored: readonly Code[];
  /** The decimal places that are right for a currency, where they are not those of ISO 4217. */
  readonly expectedScales: ReadonlyMap<string, number>;
  /** What is normal here: `computed` is by these. */
  readonly rules: Rules;
}

/** What the service says of a settlement (doc 3.4). */
export type ServiceSays = 'balanced' | 'out_of_balance' | 'pending' | 'unknown';
/** What the sums over its rows say. */
export type SumsSay = 'balanced' | 'out_of_balance' | 'incomplete';
/** The conclusion from both. */
export type Verdict = 'balanced' | 'out_of_balance' | 'pending' | 'incomplete';

/** The figures of a settlement; amounts in minor units at the scale of the object they stand in. */
export interface Figures {
  readonly transactions: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Absent where no identity gives it. */
  readonly payIn: bigint | undefined;
}

/** What a rule has made of computed figures. */
export interface RuleEffect {
  readonly rule: Rule;
  /** The rows that it is about. */
  readonly rows: number;
  /**
   * What it adds to the computed figures; absent where a rounding could not be applied, because the
   * rows don't show one rate.
   */
  readonly change: Figures | undefined;
}

/** A settlement, reconciled. */
export interface ReconciledSettlement {
  readonly settlement: Settlement;
  /** Whether its rows were read whole. */
  readonly complete: boolean;
  /**
   * That of all figures here: the largest among the header and the rows in its currency. Where the
   * rows were not read whole, the header's.
   */
  readonly scale: number;
  readonly serviceSays: ServiceSays;
  readonly sumsSay: SumsSay;
  readonly verdict: Verdict;
  readonly reported: Figures;
  /** From the rows alone, by the rules; absent where they were not read whole. */
  readonly computed: Figures | undefined;
  /** What rules have made of the computed figures, in their order; none where no row is meant. */
  readonly byRule: readonly RuleEffect[];
  /** Reported − computed, signed. */
  readonly difference: Figures | undefined;
  /** Entries of weight discrepancy and incomplete. */
  readonly discrepancies: readonly Entry[];
  /** Entries of weight notice, and of ignored checks. */
  readonly notices: readonly Entry[];
  /** What people have accepted of it; only where it is out of balance. */
  readonly acceptance?: Acceptance;
}

/** A sum over settlements: the net, and the sum of the absolute values. */
export interface NetAndAbsolute {
  readonly net: bigint;
  readonly absolute: bigint;
}

/** One measure over a group's balanced and out-of-balance settlements. */
export interface GroupMeasure {
  readonly reported: bigint;
  /** Absent where no identity gives a pay-in. */
  readonly computed: bigint | undefined;
  readonly difference: NetAndAbsolute | undefined;
}

/** Some of the pending settlements: how many, and their pay-in as reported. */
export interface PendingPart {
  readonly settlements: number;
  readonly payIn: bigint;
}

/** What settlements of one currency come to; minor units at `scale`. */
export interface Totals {
  readonly currency: string;
  readonly scale: number;
  /** Decimal places of its settlements, where they are not all the same. */
  readonly mixedScales: readonly number[];
  /** How many settlements have each verdict. */
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly gross: GroupMeasure;
  readonly fees: GroupMeasure;
  readonly tax: GroupMeasure;
  readonly payIn: GroupMeasure;
  /** Pay-in differences over the out-of-balance settlements, but for accepted ones; absent without an identity. */
  readonly outOfBalance: NetAndAbsolute | undefined;
  /** Gross differences over the same: what the totals speak of without an identity. */
  readonly outOfBalanceGross: NetAndAbsolute;
  /** How many of the out-of-balance settlements are accepted, and their pay-in differences. */
  readonly accepted: NetAndAbsolute & { readonly settlements: number };
  readonly pendingPayIn: bigint;
  /** Of the pending ones those whose status the document doesn't name. */
  readonly unknownStatus: PendingPart;
  /** Of the pending ones those that are overdue; none where age isn't judged. */
  readonly overdue: PendingPart;
  /** What rules have made of the computed amounts, in their order. */
  readonly byRule: readonly RuleTotal[];
}

/** The settlements of one accounting token and currency. */
export interface Group extends Totals {
  readonly accountingToken: string;
}

/** What an ignored check has found in the settlements of a currency; minor units at `scale`. */
export interface IgnoredTotal {
  readonly code: Code;
  readonly currency: string;
  readonly scale: number;
  readonly settlements: number;
  /** Absent where the check compares no amounts. */
  readonly difference: NetAndAbsolute | undefined;
}

/** What a rule has moved in the settlements that a group's sums cover. */
export interface RuleTotal {
  readonly rule: Rule;
  readonly settlements: number;
  readonly rows: number;
  /** What it adds to the computed figures. */
  readonly change: Figures;
  /** Settlements to which it could not be applied; they are not among the others. */
  readonly notApplied: number;
}

/** A rule that would make settlements balance, and none of those that do fail. */
export interface ProposedRule {
  readonly rule: Rule;
  readonly settlements: number;
}

/** A run over many settlements, reconciled. */
export interface ReconciledRun {
  readonly verdict: Verdict;
  /** By accounting token, then currency. */
  readonly groups: readonly Group[];
  /** By currency, over all accounting tokens. */
  readonly totals: readonly Totals[];
  /** By date, then id. */
  readonly settlements: readonly ReconciledSettlement[];
  /** How many settlements have each verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** What concerns the run and no single settlement. */
  readonly findings: readonly Entry[];
  /** What ignored checks have found, by code and currency. */
  readonly ignored: readonly IgnoredTotal[];
  /** Where differences were explained: the rules that would balance the most settlements first. */
  readonly proposedRules: readonly ProposedRule[];
  readonly complete: boolean;
  /** Transactions of all settlements that were read whole; one in two of them counts in each. */
  readonly transactions: number;
  /** What the rows of its balanced and out-of-balance settlements come to. */
  readonly rowTotals: readonly RowTotal[];
  /** Absent where they are not compared with those of another range. */
  readonly feeRates?: ComparedRates | undefined;
  /** Other identities that hold on all complete settlements, where the chosen one fails. */
  readonly betterIdentities: readonly IdentityFit[];
}
