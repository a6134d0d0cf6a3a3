import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import type { JournalFormat } from '../../src/books/formats.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { programAt } from '../support/programs.ts';

/** What each account holds in each currency, as `assets:bank EUR`: the decimal digits without zeros at their end. */
export type Balances = Readonly<Record<string, string>>;

/** A program that keeps books. */
export interface Tool {
  /** The format of its journals. */
  readonly format: 'hledger' | 'ledger' | 'beancount';
  readonly isThere: boolean;
  /** What it finds wrong in a journal; an empty text where that is right. */
  check(journal: string): Promise<string>;
  balances(journal: string, currencies: readonly string[]): Promise<Balances>;
}

/** An account, a currency, and an amount with any number of decimals. */
type Held = readonly [account: string, currency: string, amount: string];

/** Amounts by account and currency; those that come to zero are left out, and so is what only counts batches. */
export function balancesOf(held: readonly Held[]): Balances {
  const scale = 18;
  const sums = new Map<string, bigint>();
  for (const [account, currency, amount] of held) {
    if (account.startsWith('recon:')) continue;
    const [, sign, whole = '', decimals = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(amount.trim()) ?? [];
    const minor = BigInt(sign + whole + decimals.padEnd(scale, '0'));
    const key = `${account.trim()} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + minor);
  }
  const text = (sum: bigint) => {
    const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
    const decimal = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
    return sum < 0n ? `-${decimal}` : decimal;
  };
  const entries = [...sums].filter(([, sum]) => sum !== 0n);
  return Object.fromEntries(entries.map(([key, sum]) => [key, text(sum)] as const).sort());
}

/** The balances by the records of `--for csv`, on the accounts of another format. */
export function ownBalances(csv: string, format: JournalFormat): Balances {
  const records = parse(csv, { columns: true }) as Record<string, string>[];
  const accounts: Readonly<Record<string, unknown>> = exampleMappings[format];
  return balancesOf(
    records.map(({ purpose = '', currency = '', debit, credit }) => [
      String(accounts[purpose]),
      currency,
      debit || `-${credit}`,
    ]),
  );
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program on a journal, which it reads from a file. */
async function run(program: string, journal: string, args: (file: string) => readonly string[]) {
  const file = join(await temporaryFolder(), 'journal.beancount');
  await writeFile(file, journal);
  return new Promise<Ended>((resolve) => {
    const options = { maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
    execFile(program, args(file), options, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

function problem({ code, stderr, stdout }: Ended): string {
  return code === 0 && stderr === '' ? '' : `${code} ${stderr}${stdout}`;
}

/** Its output, which must come without complaints. */
function outputOf(ended: Ended): string {
  if (ended.code !== 0 || ended.stderr !== '') throw new Error(problem(ended));
  return ended.stdout;
}

const hledger = programAt('hledger');
const ledger = programAt('ledger');
const beanCheck = programAt('bean-check');
const beanQuery = programAt('bean-query');

export const tools: readonly Tool[] = [
  {
    format: 'hledger',
    isThere: hledger !== undefined,
    check: async (journal) =>
      problem(await run(hledger ?? '', journal, (file) => ['-f', file, 'check', '--strict'])),
    balances: async (journal) => {
      const args = ['bal', '--layout', 'bare', '-N', '-O', 'csv'];
      const out = outputOf(await run(hledger ?? '', journal, (file) => ['-f', file, ...args]));
      return balancesOf(
        (parse(out) as string[][]).slice(1).map(([a = '', c = '', n = '']) => [a, c, n]),
      );
    },
  },
  {
    format: 'ledger',
    isThere: ledger !== undefined,
    // It exits with the number of errors modulo 256: what it says of them counts.
    check: async (journal) => {
      const { code, stderr } = await run(ledger ?? '', journal, (file) => [
        ...['-f', file, '--strict', '--pedantic', 'bal'],
      ]);
      return problem({ code, stderr, stdout: '' });
    },
    balances: async (journal, currencies) => {
      const held: Held[] = [];
      for (const currency of currencies) {
        const form = '%(account)\t%(quantity(scrub(display_total)))\n';
        const limit = ['--limit', `commodity == "${currency}"`, '--balance-format', form];
        const args = ['bal', '--flat', '--no-total', ...limit];
        const out = outputOf(await run(ledger ?? '', journal, (file) => ['-f', file, ...args]));
        for (const line of out.split('\n').filter(Boolean)) {
          const [account = '', amount = ''] = line.split('\t');
          held.push([account, currency, amount]);
        }
      }
      return balancesOf(held);
    },
  },
  {
    format: 'beancount',
    isThere: beanCheck !== undefined && beanQuery !== undefined,
    check: async (journal) => problem(await run(beanCheck ?? '', journal, (file) => [file])),
    balances: async (journal) => {
      // As text: numbers would be rounded to the decimals that are usual in the file.
      const query = 'select account, currency, str(sum(number)) group by account, currency';
      const out = outputOf(
        await run(beanQuery ?? '', journal, (file) => ['-f', 'csv', file, query]),
      );
      const rows = (parse(out, { trim: true }) as string[][]).slice(1);
      const digits = (text: string) => /'(-?[\d.]+)'/.exec(text)?.[1] ?? '0';
      return balancesOf(rows.map(([a = '', c = '', n = '']) => [a, c, digits(n)]));
    },
  },
];
