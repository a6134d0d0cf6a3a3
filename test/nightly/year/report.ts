/** The JSON of `recon nightly`, as far as the year looks at it. */
export interface NightReport {
  readonly profiles: readonly ProfileReport[];
  readonly news: readonly {
    readonly id: string;
    readonly kind: string;
    readonly also: readonly string[];
    readonly day: string | null;
    readonly settlement: { readonly id: string; readonly verdict: string } | null;
    readonly details: readonly string[];
  }[];
}

interface ProfileReport {
  readonly verdict: string;
  readonly exitCode: number;
  readonly publishedTo: string | null;
  readonly lagDays: number;
  readonly days: readonly {
    readonly day: string;
    readonly reason: string;
    readonly state: string;
  }[];
  readonly known: {
    readonly settlements: number;
    readonly absolute: readonly { readonly currency: string; readonly minor: string }[];
  };
  readonly pending: number;
  readonly overdue: number;
  /** Of the reading. */
  readonly error: { readonly message: string } | null;
}
