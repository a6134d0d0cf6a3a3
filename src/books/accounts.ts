import { ReconError } from '../base/errors.ts';
import { type AccountMapping, type Purpose, suspensePurposes } from '../model/account-mapping.ts';
import type { Settlement } from '../model/settlement.ts';

/**
 * Gives the account for a purpose: `named`, where the register of accepted differences names one, or else
 * that of the mapping. Throws ReconError where it has none.
 */
export type AccountFor = (
  purpose: Purpose,
  of: Pick<Settlement, 'accountingToken' | 'currency'>,
  named?: string,
) => string;

/** How a format writes accounts. */
export interface AccountForm {
  readonly pattern: RegExp;
  /** What an account has to be, as part of a sentence. */
  readonly says: string;
}

/** The account that is set for a purpose, if any. */
export function ownAccount(
  mapping: AccountMapping,
  purpose: Purpose,
  { accountingToken, currency }: Pick<Settlement, 'accountingToken' | 'currency'>,
): string | undefined {
  const { token = {}, currency: byCurrency = {} } = mapping;
  return token[accountingToken]?.[purpose] ?? byCurrency[currency]?.[purpose] ?? mapping[purpose];
}

/**
 * The accounts of a mapping: those of the accounting token before those of the currency before the
 * others. Each is checked by the form of the format when it is first used.
 */
export function accountsIn(mapping: AccountMapping, { pattern, says }: AccountForm): AccountFor {
  return (purpose, of, named) => {
    const isSuspense = suspensePurposes.has(purpose);
    const account =
      (named || undefined) ??
      ownAccount(mapping, purpose, of) ??
      (isSuspense ? ownAccount(mapping, 'suspense', of) : undefined);
    if (account === undefined) {
      throw new ReconError('configuration', `No account is set for ${purpose}.`, {
        where: 'books',
        hint: `Set ${purpose} under [profiles.NAME.books]. To see an example, run: recon journal --init`,
      });
    }
    if (pattern.test(account)) return account;
    throw new ReconError('configuration', `The account for ${purpose} must be ${says}.`, {
      where: 'books',
      hint: `Change ${JSON.stringify(account)} ${named ? 'in the register of accepted differences' : 'under [profiles.NAME.books]'}.`,
    });
  };
}
