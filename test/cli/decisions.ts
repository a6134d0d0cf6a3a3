import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';

export const decisionKeys = [
  ...['kind', 'settlement_id', 'date', 'account', 'currency', 'expected_seen', 'received_seen'],
  ...['difference_seen', 'codes_seen', 'cause', 'decision', 'reason', 'books_account', 'until'],
  'by',
];

export type Line = Readonly<Record<string, string>>;

interface BankJson {
  readonly matches: readonly {
    readonly state: string;
    readonly reason: string | null;
    readonly currency: string;
    readonly expected: { readonly amount: string };
    readonly received: { readonly amount: string };
    readonly difference: { readonly amount: string } | null;
    readonly settlements: readonly { readonly id: string; readonly date: string }[];
    readonly entries: readonly Line[];
  }[];
}

/** The list of decisions of the sandbox's March, made of what other commands say; nobody has filled it in. */
export async function decisionsOfMarch(): Promise<readonly Line[]> {
  const typed = { decision: '', reason: '', books_account: '', until: '', by: '' };
  const listed = await runRecon(['settlements', '--sandbox', '--only', 'out_of_balance']);
  const json = await runRecon(['settlements', '--sandbox', '--json']);
  const { settlements } = JSON.parse(json.stdout) as {
    readonly settlements: readonly {
      readonly id: string;
      readonly discrepancies: readonly { readonly code: string }[];
      readonly notices: readonly { readonly code: string }[];
    }[];
  };
  const codesOf = (id = '') => {
    const found = settlements.find((one) => one.id === id);
    const codes = [...(found?.discrepancies ?? []), ...(found?.notices ?? [])];
    // Another version of recon may have seen other notices: they are not what is accepted.
    return [...codes.map(({ code }) => code), 'a_new_notice'];
  };
  const bank = await runRecon(['bank', '--sandbox', '--json']);
  const { matches } = JSON.parse(bank.stdout) as BankJson;
  const onBank = matches.filter(({ state }) => ['difference', 'unknown_on_bank'].includes(state));
  return [
    ...readRecords(listed.stdout).map((row) => ({
      kind: 'pay_in',
      settlement_id: row['settlement_id'] ?? '',
      date: row['settlement_date'] ?? '',
      account: row['accounting_name'] ?? '',
      currency: row['currency'] ?? '',
      expected_seen: row['pay_in_computed'] ?? '',
      received_seen: row['pay_in_reported'] ?? '',
      difference_seen: row['pay_in_difference'] ?? '',
      codes_seen: codesOf(row['settlement_id']).join(' | '),
      cause: '',
      ...typed,
    })),
    ...onBank.map(({ settlements: [payout], entries: [entry], ...match }) => ({
      kind: payout ? 'bank' : 'unknown',
      settlement_id: payout?.id ?? entry?.['id'] ?? '',
      date: payout?.date ?? entry?.['date'] ?? '',
      account: payout ? '' : (entry?.['account'] ?? ''),
      currency: match.currency,
      expected_seen: match.expected.amount,
      received_seen: match.received.amount,
      difference_seen: match.difference?.amount ?? match.received.amount,
      codes_seen: match.reason ?? '',
      cause: '',
      ...typed,
    })),
  ];
}

/** A list as CSV. */
export function csvOfLines(lines: readonly Line[], delimiter = ',', keys = decisionKeys): string {
  const cell = (text = '') => (/[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = lines.map((line) => keys.map((key) => cell(line[key])).join(delimiter));
  return `${[keys.join(delimiter), ...rows].join('\r\n')}\r\n`;
}
