import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { exampleMappings, type JournalFormat } from '../../src/books/example-mapping.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { programAt } from '../support/programs.ts';

/** What each account holds in each currency, as `assets:bank EUR`: the decimal digits without zeros at their end. */
export type Balances = Readonly<Record<string, string>>;

/** A program that keeps books, in one version. */
export interface Tool {
  readonly name: string;
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
      // What differs on the bank has no accounts of its own there.
      String(accounts[purpose] ?? accounts['suspense']),
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

/** The oldest version of each program that the docs name, and the one that its users get today. */
const versions = ['', '-today'] as const;

export const tools: readonly Tool[] = versions.flatMap((version) => [
  hledger(version),
  ledger(version),
  beancount(version),
]);

function hledger(version: (typeof versions)[number]): Tool {
  const program = programAt(`hledger${version}`);
  const ask = (journal: string, ...args: readonly string[]) =>
    run(program ?? '', journal, (file) => ['-f', file, ...args]);
  return {
    name: `hledger${version}`,
    format: 'hledger',
    isThere: program !== undefined,
    check: async (journal) => problem(await ask(journal, 'check', '--strict')),
    balances: async (journal) => {
      const out = outputOf(await ask(journal, 'bal', '--layout', 'bare', '-N', '-O', 'csv'));
      return balancesOf(
        (parse(out) as string[][]).slice(1).map(([a = '', c = '', n = '']) => [a, c, n]),
      );
    },
  };
}

function ledger(version: (typeof versions)[number]): Tool {
  const program = programAt(`ledger${version}`);
  const ask = (journal: string, ...args: readonly string[]) =>
    run(program ?? '', journal, (file) => ['-f', file, ...args]);
  return {
    name: `ledger${version}`,
    format: 'ledger',
    isThere: program !== undefined,
    // It exits with the number of errors modulo 256: what it says of them counts.
    check: async (journal) => {
      const { code, stderr } = await ask(journal, '--strict', '--pedantic', 'bal');
      return problem({ code, stderr, stdout: '' });
    },
    balances: async (journal, currencies) => {
      const held: Held[] = [];
      for (const currency of currencies) {
        const form = '%(account)\t%(quantity(scrub(display_total)))\n';
        const limit = ['--limit', `commodity == "${currency}"`, '--balance-format', form];
        const out = outputOf(await ask(journal, 'bal', '--flat', '--no-total', ...limit));
        for (const line of out.split('\n').filter(Boolean)) {
          const [account = '', amount = ''] = line.split('\t');
          held.push([account, currency, amount]);
        }
      }
      return balancesOf(held);
    },
  };
}

function beancount(version: (typeof versions)[number]): Tool {
  const check = programAt(`bean-check${version}`);
  const query = programAt(`bean-query${version}`);
  // As the docs advise for the main file. By itself, beancount forgives half of the last digit of an entry.
  const multiplier = version === '' ? 'inferred_tolerance_multiplier' : 'tolerance_multiplier';
  const strict = `option "${multiplier}" "0"\n`;
  const checked = async (journal: string) =>
    problem(await run(check ?? '', journal, (file) => [file]));
  return {
    name: `beancount${version}`,
    format: 'beancount',
    isThere: check !== undefined && query !== undefined,
    check: async (journal) => (await checked(journal)) || checked(strict + journal),
    balances: async (journal) => {
      // As text: numbers would be rounded to the decimals that are usual in the file.
      const asked =
        'select account, currency, str(sum(number)) as total group by account, currency';
      const out = outputOf(await run(query ?? '', journal, (file) => ['-f', 'csv', file, asked]));
      const rows = (parse(out, { trim: true }) as string[][]).slice(1);
      const digits = (text: string) => /-?[\d.]+/.exec(text)?.[0] ?? '0';
      return balancesOf(rows.map(([a = '', c = '', n = '']) => [a, c, digits(n)]));
    },
  };
}
