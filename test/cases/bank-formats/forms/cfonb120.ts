import type { Random } from '../../../support/random.ts';
import { type Country, digits, later, sumOf, type Truth } from '../truth.ts';
import { type Form, field, type Line, line, number, partsOf, wrapped } from '../written.ts';
import { ibanCheck } from './norma43.ts';

// CFONB 120: records of 120 characters. The last digit of an amount carries its sign as a
// punched card did; each record says how many decimals its amounts have; days are DDMMYY.

const country: Country = {
  currencies: ['EUR', 'USD', 'JPY', 'KWD'],
  mostAccounts: 3,
  names: ['EXAMPLE PAYMENTS', 'SOCIETE GENEVOISE', "L'ATELIER & FILS"],
  account: (random) => {
    const [bank, branch] = [digits(random, 5), digits(random, 5)];
    const number = digits(random, 10) + random.pick(['0', '7', 'A', 'K', 'Z']);
    return { bank, branch, number, name: frenchIban(bank, branch, number) };
  },
};

/** The IBAN of an account: the key of its RIB, then the check digits. */
function frenchIban(bank: string, branch: string, account: string): string {
  // A to I, J to R, S to Z (from 2 on) count as 1 to 9.
  const value = (letter: string) =>
    /\d/.test(letter)
      ? letter
      : String(((letter.charCodeAt(0) - 65 + (letter >= 'S' ? 1 : 0)) % 9) + 1);
  const counted = BigInt([...account].map(value).join(''));
  const rest = (89n * BigInt(bank) + 15n * BigInt(branch) + 3n * counted) % 97n;
  const bban = `${bank}${branch}${account}${String(97n - rest).padStart(2, '0')}`;
  return `FR${ibanCheck('FR', bban)}${bban}`;
}

function punched(amount: number): string {
  const text = number(amount, 14);
  const letters = amount < 0 ? '}JKLMNOPQR' : '{ABCDEFGHI';
  return text.slice(0, 13) + letters[Number(text[13])];
}

function write({ accounts }: Truth, random: Random) {
  const end = random.pick(['\r\n', '\n', '']);
  const lines: Line[] = [];
  const add = (kind: Line['kind'], text: string, rest: Partial<Line> = {}) =>
    lines.push(line(kind, field(text, 120), rest));
  const ddmmyy = (day: string) => {
    const { yy, m, d } = partsOf(day);
    return { date: `${d}${m}${yy}`, noDate: `31${m === '02' ? '02' : '04'}${yy}` };
  };
  for (const account of accounts) {
    const { bank, branch, number: own, from, to, opening, currency, decimals, entries } = account;
    const head = (kind: string, code: string) =>
      `${kind}${bank}${field(code, 4)}${branch}${currency}${decimals} ${own}`;
    const balance = (kind: '01' | '07', day: string, amount: number) =>
      add('balance', `${head(kind, '')}  ${ddmmyy(day).date}${field('', 50)}${punched(amount)}`, {
        ...ddmmyy(day),
        ...{ amount: punched(amount), currency, account: own },
      });
    balance('01', later(from, -1), opening);
    for (const { day, valueDay, amount, text, id, reference, name } of entries) {
      const [operation, code] = [digits(random, 4), random.pick(['18', '05', 'B1', '62'])];
      const booked = ddmmyy(day);
      // A short text fits the movement itself; else its parts are in records of their own.
      const [short = ''] = wrapped(text, 31);
      const isShort = text.length <= 31 && random.chance(30);
      const label = isShort
        ? short
        : random.pick(['VIR SEPA', 'VIR INST RE', 'PRLV SEPA', 'F COMMISSION']);
      add(
        'entry',
        `${head('04', operation)}${code}${booked.date}  ${ddmmyy(valueDay).date}${field(label, 31)}  ${digits(random, 7)}${random.pick(['0', '1', ' '])}${random.pick(['0', ' '])}${punched(amount)}${field(random.chance(50) ? reference : '', 16)}`,
        { ...booked, amount: punched(amount), currency, account: own },
      );
      const more = (qualifier: string, ...parts: readonly string[]) => {
        const [one = '', two = ''] = parts;
        const both = two ? field(one, 35) + field(two, 35) : field(one, 70);
        add('detail', `${head('05', operation)}${code}${booked.date}     ${qualifier}${both}  `);
      };
      if (random.chance(60)) more('NPY', name);
      if (isShort) continue;
      if (id && random.chance(40)) more('RCN', id, random.chance(50) ? 'SALA' : '');
      else
        wrapped(text, 70).forEach((piece, at) => {
          more(['LCC', 'LC2', 'LCS'][at] ?? 'LIB', piece);
        });
      if (random.chance(30)) more('NBE', 'EXAMPLE SHOP');
      if (random.chance(10)) more('FEE', `EUR2${punched(-15)}`);
    }
    balance('07', to, opening + sumOf(account));
  }
  return {
    name: 'releve.cfo',
    ...{ lines, end, how: end === '' ? 'without line ends' : '' },
    ...{ isProved: true, saysOpening: true, saysClosing: true, saysDays: true },
  };
}

/** CFONB 120, with and without line ends. */
export const cfonb120: Form = { name: 'CFONB 120', country, write };
