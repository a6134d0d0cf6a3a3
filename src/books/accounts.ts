import { ReconError } from '../base/errors.ts';
import {
  type AccountMapping,
  type Purpose,
  purposesOfType,
  standInFor,
} from '../model/account-mapping.ts';
import type { Settlement } from '../model/settlement.ts';

/** The account for a purpose: `named`, or else that of the mapping. Throws ReconError if neither is set. */
export type AccountFor = (purpose: Purpose, of: BookedFor, named?: string) => string;

interface BookedFor extends Pick<Settlement, 'accountingToken' | 'currency'> {
  /** The type of transactions; empty or absent for all types together. */
  readonly type?: string;
}

export interface AccountForm {
  readonly pattern: RegExp;
  /** The form that is required, as part of a sentence. */
  readonly says: string;
}

/** The account that is set for a purpose, if any. */
export function ownAccount(
  mapping: AccountMapping,
  purpose: Purpose,
  { accountingToken, currency, type = '' }: BookedFor,
): string | undefined {
  const { token = {}, currency: byCurrency = {} } = mapping;
  const ofToken = token[accountingToken];
  const ofType = purposesOfType.find((one) => one === purpose);
  return (
    (ofType && (ofToken?.type?.[type]?.[ofType] ?? mapping.type?.[type]?.[ofType])) ??
    ofToken?.[purpose] ??
    byCurrency[currency]?.[purpose] ??
    mapping[purpose]
  );
}

/** Whether any transaction type has accounts of its own. */
export function hasTypes({ type = {}, token = {} }: AccountMapping): boolean {
  return [type, ...Object.values(token).map((one) => one.type ?? {})].some(
    (types) => Object.keys(types).length > 0,
  );
}

/** The accounts of a mapping: of the type, the token, the currency, or all. Each is checked when it is first used. */
export function accountsIn(mapping: AccountMapping, { pattern, says }: AccountForm): AccountFor {
  return (purpose, of, named) => {
    const other = standInFor(purpose);
    const account =
      (named || undefined) ??
      ownAccount(mapping, purpose, of) ??
      (other && ownAccount(mapping, other, of));
    if (account === undefined) {
      throw new ReconError('configuration', `No account is set for ${purpose}.`, {
        where: 'books',
        hint: `Set ${purpose} under [profiles.NAME.books]. To see an example, run: recon journal --init`,
      });
    }
    if (pattern.test(account)) return account;
    throw new ReconError('configuration', `The account for ${purpose} must be ${says}.`, {
      where: 'books',
      hint: `Change ${JSON.stringify(account)} ${named ? 'in the register of accepted differences or in bank_rules' : 'under [profiles.NAME.books]'}.`,
    });
  };
}
