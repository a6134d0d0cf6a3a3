import type { ChargeRows } from '../../app/find-charge-rows.ts';
import type { FailedId } from '../../app/read-each.ts';
import type { Charge } from '../../model/charge.ts';
import { settledAgainstRows } from '../../reconcile/charges.ts';
import type { Names } from '../common/report.ts';

/** Everything that the report of `recon charge` is made of. */
export interface ChargeReport {
  /** Those that could be read, in the order in which they were asked for. */
  readonly charges: readonly Charge[];
  /** Charges that were asked for and could not be read, and why. */
  readonly failures: readonly FailedId[];
  /** Their rows in the settlements of a range; absent where nobody asked. */
  readonly settled: ChargeRows | undefined;
  /** Whether to show what is not meant for customers. */
  readonly verbose: boolean;
  readonly names: Names;
}

/** A charge's rows in the settlements that were searched, and its settled amount against them. */
export function againstRows(charge: Charge, { rows }: ChargeRows) {
  const own = rows.get(charge.id.toLowerCase()) ?? [];
  const compared = settledAgainstRows(
    charge,
    own.map(({ row }) => row),
  );
  return { own, compared };
}
