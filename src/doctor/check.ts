import type { FailureCause, ReconError } from '../base/errors.ts';
import type { AnswerPart } from '../model/probe.ts';
import type { OddAnswer, UnreadableRecord } from '../model/source.ts';
import type { Identity, IdentityName } from '../reconcile/identity.ts';
import type { UnusualScales } from '../reconcile/unusual-scales.ts';

/** What each check finds: plain values, moments as ISO 8601. */
export interface CheckFacts {
  /** Where settings may come from. */
  readonly configuration: {
    readonly profile: string | null;
    readonly file: string | null;
    readonly sandbox: string | null;
  };
  readonly proxy: {
    readonly proxy: { readonly variable: string; readonly origin: string } | null;
    readonly used: boolean;
  };
  /** The hosts of the service; none of them is named where it is the sandbox. */
  readonly address: {
    readonly hosts: readonly {
      readonly setting: 'base_url' | 'auth_url';
      readonly url: string;
      readonly answered: boolean;
    }[];
  };
  /** Certificates of the hosts; none where everything is plain HTTP, to this machine. */
  readonly tls: {
    readonly certificates: readonly {
      readonly host: string;
      readonly issuer: string;
      readonly expiresAt: string;
      readonly daysLeft: number;
      readonly protocol: string;
    }[];
  };
  /** How far this machine's clock is ahead of the service's: less than 0 is behind, 0 can't be told apart. */
  readonly clock: { readonly aheadSeconds: number; readonly signs: boolean };
  readonly token:
    | { readonly scheme: 'v1' }
    | {
        readonly scheme: 'v2';
        readonly seconds: number | null;
        readonly scopes: readonly string[] | null;
        /** Scopes that settlements take, and that were not granted. */
        readonly lacks: readonly string[];
      };
  readonly settlements: PageFacts & { readonly from: string; readonly to: string };
  readonly settlement_pages: TwoPages;
  readonly transaction_pages: TwoPages & {
    readonly settlementId: string;
    /** `totalTransactions`. */
    readonly announced: number;
  };
  readonly latency: {
    readonly answers: number;
    readonly medianMs: number;
    readonly slowestMs: number;
    /** What failed at first, and then didn't. */
    readonly repeated: readonly string[];
  };
  readonly records: {
    readonly settlements: number;
    readonly transactions: number;
    readonly unreadable: readonly UnreadableRecord[];
    readonly unknownFields: readonly {
      readonly record: AnswerPart;
      readonly fields: readonly string[];
    }[];
    readonly oddAnswers: readonly OddAnswer[];
  };
  readonly dates: {
    readonly settlements: number;
    /** Zones as they are written, `Z` or `+02:00`; empty where there is none. */
    readonly zones: readonly { readonly zone: string; readonly settlements: number }[];
    /** Settlements whose date lies outside the range for which they were returned. */
    readonly outside: number;
  };
  readonly scales: {
    readonly settlements: number;
    readonly unusual: readonly UnusualScales[];
    readonly profile: string | null;
  };
  readonly identity: {
    readonly chosen: Identity;
    readonly profile: string | null;
    readonly settlements: number;
    readonly fits: readonly { readonly identity: IdentityName; readonly settlements: number }[];
    readonly better: readonly IdentityName[];
  };
  readonly charges: {
    readonly scheme: 'v1' | 'v2';
    readonly chargeId: string;
    /** Absent where the charge was read. */
    readonly refusal?: CheckFault;
  };
  readonly interface: { readonly version: string };
}

interface PageFacts {
  readonly asked: number;
  readonly received: number;
}

/** The first page of a list, and what came at the offset behind it. */
export interface TwoPages extends PageFacts {
  /** Records there; null where nobody asked. */
  readonly next: number | null;
  /** How many of those stood on the first page already. */
  readonly repeated: number;
}

export type CheckName = keyof CheckFacts;

/** A failure as plain values. */
export interface CheckFault {
  readonly cause: FailureCause;
  readonly message: string;
  readonly where: string | null;
  readonly hint: string | null;
}

/** What a check needs and there isn't: an earlier check that failed, or something to look at. */
export type Lack = CheckName | 'settlement' | 'charge_id' | 'date_header';

/** What a check came to by what was found. */
interface Found<Name extends CheckName> {
  readonly check: Name;
  readonly level: 'ok' | 'warning' | 'failure';
  readonly facts: CheckFacts[Name];
}

/** The service could not be asked, or didn't answer well. */
interface Failed {
  readonly check: CheckName;
  readonly level: 'failure';
  readonly fault: CheckFault;
}

interface NotChecked {
  readonly check: CheckName;
  readonly level: 'not_checked';
  readonly lacks: Lack;
}

export type Checked<Name extends CheckName = CheckName> =
  | { [N in Name]: Found<N> }[Name]
  | Failed
  | NotChecked;

export type Level = Checked['level'];

export function checkFaultOf({ failure, message, where, hint }: ReconError): CheckFault {
  return { cause: failure, message, where: where ?? null, hint: hint ?? null };
}
