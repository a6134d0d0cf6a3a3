import type { Random } from '../../../support/random.ts';
import { type Country, digits, sumOf, type Truth } from '../truth.ts';
import { type Form, field, type Line, line, number, partsOf, wrapped } from '../written.ts';

// Cuaderno 43 of the Spanish banks: records of 80 characters, amounts of 14 digits with two
// implied decimals, 1 for debit and 2 for credit, days as YYMMDD, currencies by their number.

const numbers: Readonly<Record<string, string>> = { EUR: '978', USD: '840', GBP: '826' };

const country: Country = {
  currencies: ['EUR', 'USD', 'GBP'],
  mostAccounts: 3,
  names: ['EXAMPLE PAYMENTS', 'MUÑOZ Y CIA SL', "O'BRIEN & SONS"],
  account: (random) => {
    const [bank, branch, number] = [digits(random, 4), digits(random, 4), digits(random, 10)];
    return { bank, branch, number, name: spanishIban(bank, branch, number) };
  },
};

/** The IBAN of an account: control digits of bank and branch, of the number, and of all (ISO 7064). */
function spanishIban(bank: string, branch: string, account: string): string {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];
  const control = (ten: string) => {
    const sum = [...ten].reduce((all, digit, at) => all + Number(digit) * (weights[at] ?? 0), 0);
    const rest = 11 - (sum % 11);
    return rest === 11 ? '0' : rest === 10 ? '1' : String(rest);
  };
  const bban = `${bank}${branch}${control(`00${bank}${branch}`)}${control(account)}${account}`;
  return `ES${ibanCheck('ES', bban)}${bban}`;
}

/** The two check digits of an IBAN. */
export function ibanCheck(land: string, bban: string): string {
  const written = [...`${bban}${land}00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return String(98n - (BigInt(written) % 97n)).padStart(2, '0');
}

function write({ accounts }: Truth, random: Random) {
  const isUpper = random.chance(60);
  const isTrimmed = random.chance(30);
  const end = isTrimmed ? '\n' : random.pick(['\r\n', '\n', '']);
  const lines: Line[] = [];
  const add = (kind: Line['kind'], text: string, rest: Partial<Line> = {}) => {
    const whole = field(text, 80);
    lines.push(line(kind, isTrimmed ? whole.trimEnd() : whole, rest));
  };
  const sign = (amount: number) => (amount < 0 ? '1' : '2');
  const yymmdd = (day: string) => {
    const { yy, m, d } = partsOf(day);
    return { date: `${yy}${m}${d}`, noDate: `${yy}${m}32` };
  };
  for (const account of accounts) {
    const { bank, branch, number: own, from, to, opening, currency, entries } = account;
    const key = `${bank}${branch}${own}`;
    const code = numbers[currency] ?? '978';
    const first = yymmdd(from);
    add(
      'balance',
      `11${key}${first.date}${yymmdd(to).date}${sign(opening)}${number(opening, 14)}${code}3${field('EXAMPLE SHOP SL', 26)}`,
      { ...first, amount: number(opening, 14), currency: code, account: own },
    );
    for (const entry of entries) {
      const { day, valueDay, amount, text, reference, name } = entry;
      const booked = yymmdd(day);
      const isLong = random.chance(40);
      const common = amount < 0 ? '03' : '04';
      add(
        'entry',
        `22    ${branch}${booked.date}${yymmdd(valueDay).date}${common}${digits(random, 3)}${sign(amount)}${number(amount, 14)}${digits(random, 10)}${field(isLong ? reference : '000000000000', 12)}${field('', 16)}`,
        { ...booked, amount: number(amount, 14) },
      );
      // A bank that has no room for an id in full leaves out the words.
      const whole = wrapped(text, 38).some((part) => part.length > 38) ? entry.id : text;
      const written = wrapped(isUpper ? whole.toUpperCase() : whole, 38);
      const concepts = random.pick([
        () => [name, ...written],
        () => [...written, name],
        () => written,
        () => ['TRANSFERENCIA DE', name, '', ...written],
      ])();
      for (let at = 0; at < concepts.length && at < 10; at += 2) {
        const [one = '', two = ''] = concepts.slice(at, at + 2);
        add('detail', `23${number(at / 2 + 1, 2)}${field(one, 38)}${field(two, 38)}`);
      }
      if (random.chance(15)) {
        add(
          'detail',
          `2401${random.pick(['840', '826', '978'])}${number(random.int(1, 999_999), 14)}`,
        );
      }
    }
    const debits = entries.filter(({ amount }) => amount < 0);
    const credits = entries.filter(({ amount }) => amount >= 0);
    const closing = opening + sumOf(account);
    const sums = [debits, credits].map((some) => number(sumOf({ entries: some }), 14));
    add(
      'total',
      `33${key}${number(debits.length, 5)}${sums[0]}${number(credits.length, 5)}${sums[1]}${sign(closing)}${number(closing, 14)}${code}    `,
      { amount: random.pick([...sums, number(closing, 14)]), currency: code, account: own },
    );
  }
  // The number of records before this one.
  const records = number(lines.length, 6);
  add('total', `88${'9'.repeat(18)}${records}`, { amount: records });
  return {
    name: 'extracto.n43',
    ...{ lines, end, encoding: 'latin1' as const, how: end === '' ? 'without line ends' : '' },
    ...{ isProved: true, saysOpening: true, saysClosing: true, saysDays: true },
  };
}

/** Norma 43, with and without line ends and trailing blanks. */
export const norma43: Form = { name: 'Norma 43', country, write };
