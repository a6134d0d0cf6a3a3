import { type Amounts, type Books, counted, type Month, type Purpose } from './month.ts';

/** Amounts in millionths, positive for debits. A posting that no row makes has no transaction. */
export interface Posting {
  readonly settlement: string;
  readonly transaction: string;
  readonly account: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** Rows without an entry for their type. */
interface NewType {
  rows: number;
  /** By currency. */
  readonly amounts: Map<string, bigint>;
  /** Those that have an amount. */
  readonly accounts: Set<string>;
}

export interface Judged {
  readonly postings: readonly Posting[];
  readonly newTypes: ReadonlyMap<string, NewType>;
}

interface Place {
  readonly token: string;
  readonly currency: string;
  readonly type?: string;
}

/** The account of a purpose: token and type, type, token, currency, general (CLOSING 4). */
function accountOf(books: Books, purpose: Purpose, { token, currency, type }: Place) {
  const isOfRow = purpose === 'receivable' || purpose === 'fees' || purpose === 'tax';
  const byType =
    isOfRow && type !== undefined
      ? [books.tokenType.get(token)?.get(type)?.[purpose], books.type.get(type)?.[purpose]]
      : [];
  const wider = [books.token.get(token), books.currency.get(currency)];
  const found = [...byType, ...wider.map((accounts) => accounts?.[purpose])];
  return found.find((account) => account !== undefined) ?? books.general[purpose];
}

/** What the journal of a month must have. */
export function judge({ settlements, rules }: Omit<Month, 'books'>, books: Books): Judged {
  const postings: Posting[] = [];
  const newTypes = new Map<string, NewType>();
  for (const settlement of settlements.filter(({ isPending }) => !isPending)) {
    const { token, id } = settlement;
    let payIn = settlement.grossWithoutRow;
    const post = (purpose: Purpose, place: Place, amount: bigint, transaction = '') => {
      const account = accountOf(books, purpose, place);
      postings.push({ settlement: id, transaction, account, currency: place.currency, amount });
      return account;
    };
    for (const row of settlement.rows) {
      const isForeign = row.currency !== settlement.currency;
      const amounts = counted(row, rules);
      if (!amounts) continue;
      const { receivable, fees, tax } = inMillionths(amounts, row.scale);
      const place = { token, currency: row.currency, type: row.type };
      const account = post('receivable', place, -receivable, row.id);
      post('fees', place, fees, row.id);
      post('tax', place, tax, row.id);
      const left = receivable - fees - tax;
      // CLOSING 5: what the service paid for such a row is not known.
      if (isForeign) post('suspense', { token, currency: row.currency }, left);
      else payIn += left / scaleUp(settlement.scale);
      const isKnown = books.type.has(row.type) || books.tokenType.get(token)?.has(row.type);
      if (books.type.size === 0 || isKnown) continue;
      const told = newTypes.get(row.type) ?? { rows: 0, amounts: new Map(), accounts: new Set() };
      newTypes.set(row.type, told);
      told.rows++;
      told.amounts.set(row.currency, (told.amounts.get(row.currency) ?? 0n) + receivable);
      if (receivable !== 0n) told.accounts.add(account);
    }
    const own = scaleUp(settlement.scale);
    post('in_transit', settlement, payIn * own);
    // It has no type, and nobody knows what it was (CLOSING 4, traps).
    post('suspense', settlement, -settlement.grossWithoutRow * own);
  }
  return { postings, newTypes };
}

const scaleUp = (scale: number) => 10n ** BigInt(6 - scale);

function inMillionths({ receivable, fees, tax }: Amounts, scale: number): Amounts {
  const by = scaleUp(scale);
  return { receivable: receivable * by, fees: fees * by, tax: tax * by };
}

/** Sums of postings by a key of theirs; what adds up to 0 is left out. */
export function balances<One extends Pick<Posting, 'amount'>>(
  postings: readonly One[],
  keyOf: (posting: One) => string,
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const posting of postings) {
    const key = keyOf(posting);
    sums.set(key, (sums.get(key) ?? 0n) + posting.amount);
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}
