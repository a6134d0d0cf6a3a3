import { decimals } from './company.ts';

/** A transaction of a journal, as hledger's users write it. */
export interface Transaction {
  readonly day: string;
  readonly text: string;
  readonly postings: readonly Posting[];
}

interface Posting {
  readonly account: string;
  readonly currency: string;
  /** In the currency's minor units, by the decimals that are written. */
  readonly amount: bigint;
}

function minorOf(text: string, currency: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new Error(`Not an amount: ${text}`);
  const [, sign = '', whole = '', fraction = ''] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals[currency] ?? 2, '0')}`);
}

/**
 * Reads a journal by hledger's own rules, as far as recon writes them: a transaction begins with a
 * day, its postings are indented, an account ends at two blanks, an assertion is behind `=`.
 * Postings in brackets have no counterpart and are no money.
 */
export function transactionsOf(journal: string): readonly Transaction[] {
  const found: { day: string; text: string; postings: Posting[] }[] = [];
  for (const line of journal.split('\n')) {
    const head = /^(\d{4}-\d{2}-\d{2})\s+(.*)$/.exec(line);
    if (head) found.push({ day: head[1] ?? '', text: head[2] ?? '', postings: [] });
    const posting = /^\s+([^\s;(][^;]*?) {2,}(-?[\d.]+) ([A-Z]{3})\s*(?:[=;].*)?$/.exec(line);
    if (!posting) {
      const isKnown = /^\s*(;|\(|$)|^(account|commodity|payee|tag|include|apply|end)\b/.test(line);
      if (!head && !isKnown) throw new Error(`Not a line of a journal: ${line}`);
      continue;
    }
    const [, account = '', amount = '', currency = ''] = posting;
    if (account.startsWith('recon:')) continue;
    found.at(-1)?.postings.push({ account, currency, amount: minorOf(amount, currency) });
  }
  return found;
}

/** What these journals leave on each account, as `assets:bank EUR`; zeros are left out. */
export function balancesOf(journals: readonly string[]): Readonly<Record<string, bigint>> {
  const held = new Map<string, bigint>();
  for (const { postings } of journals.flatMap(transactionsOf)) {
    for (const { account, currency, amount } of postings) {
      const key = `${account} ${currency}`;
      held.set(key, (held.get(key) ?? 0n) + amount);
    }
  }
  return Object.fromEntries([...held].filter(([, amount]) => amount !== 0n).sort());
}
