import type { Random } from '../../../support/random.ts';
import {
  type Account,
  type Country,
  digits,
  type Entry,
  later,
  sumOf,
  type Truth,
} from '../truth.ts';
import { cut, type Form, field, type Line, line, number, partsOf } from '../written.ts';
import { ibanCheck } from './norma43.ts';

// CODA, version 2: records of 128 characters, amounts of 15 digits with three implied decimals,
// 0 for credit and 1 for debit, days as DDMMYY. A communication goes on from record 2.1 to 2.2
// and 2.3 wherever it is cut. Movements with a detail number explain the one before: no money.

const country: Country = {
  currencies: ['EUR', 'USD', 'GBP'],
  mostAccounts: 2,
  names: ['EXAMPLE PAYMENTS', 'BOULANGERIE LE PAIN', "D'HONDT & ZONEN"],
  account: (random) => {
    const ten = digits(random, 10);
    const bban = ten + String(Number(ten) % 97 || 97).padStart(2, '0');
    const iban = `BE${ibanCheck('BE', bban)}${bban}`;
    return { bank: bban.slice(0, 3), branch: '', number: iban, name: iban };
  },
};

const ddmmyy = (day: string) => {
  const { yy, m, d } = partsOf(day);
  return `${d}${m}${yy}`;
};
const sign = (amount: number) => (amount < 0 ? '1' : '0');

function write({ accounts }: Truth, random: Random) {
  const lines: Line[] = [];
  for (const account of accounts) {
    const parts = random.int(1, 3);
    const borders = Array.from({ length: parts }, (_, part) =>
      part + 1 === parts ? account.to : later(account.from, Math.floor((28 * (part + 1)) / parts)),
    );
    let [opening, from] = [account.opening, account.from];
    borders.forEach((to, at) => {
      const entries = account.entries.filter(({ day }) => day >= from && day <= to);
      writeStatement({ ...account, opening, from, to, entries }, at + 1);
      opening += sumOf({ entries });
      from = later(to, 1);
    });
  }
  // The last file says that it is the last.
  const last = lines.pop();
  if (last) lines.push({ ...last, text: `${last.text.slice(0, 127)}2` });

  function writeStatement(account: Account, sequence: number): void {
    const { number: iban, currency, opening, from, to, entries } = account;
    const own = `${field(iban, 34)}${currency}`;
    let records = 0;
    const add = (kind: Line['kind'], text: string, rest: Partial<Line> = {}) => {
      if (text.length !== 128) throw new RangeError(`${text.length} characters: ${text}`);
      if (/^[1238]/.test(text)) records += 1;
      lines.push(line(kind, text, rest));
    };
    const amountOf = (amount: number) => `${number(amount, 14)}0`;
    const noDate = `3102${partsOf(to).yy}`;
    add(
      'frame',
      `00000${ddmmyy(to)}30005${field('', 8)}${field('', 10)}${field('EXAMPLE SHOP BV', 26)}${field('KREDBEBB', 11)}00417331909 00000${field('', 16)}${field('', 16)}${field('', 7)}2`,
    );
    add(
      'balance',
      `12${number(sequence, 3)}${own}${sign(opening)}${amountOf(opening)}${ddmmyy(later(from, -1))}${field('EXAMPLE SHOP BV', 26)}${field('CURRENT ACCOUNT', 35)}${number(sequence, 3)}`,
      {
        amount: sign(opening) + amountOf(opening),
        ...{ currency, account: iban },
      },
    );
    entries.forEach((entry, at) => {
      writeEntry(entry, at + 1);
    });
    const closing = opening + sumOf({ entries });
    add(
      'balance',
      `8${number(sequence, 3)}${own}${sign(closing)}${amountOf(closing)}${ddmmyy(to)}${field('', 64)}0`,
      {
        amount: sign(closing) + amountOf(closing),
        ...{ currency, account: iban, date: ddmmyy(to), noDate },
      },
    );
    const debit = sumOf({ entries: entries.filter(({ amount }) => amount < 0) });
    const credit = sumOf({ entries: entries.filter(({ amount }) => amount >= 0) });
    const sums = [amountOf(debit), amountOf(credit)];
    add('total', `9${field('', 15)}${number(records, 6)}${sums.join('')}${field('', 75)}1`, {
      amount: random.pick([`${number(records, 6)}${sums[0]}`, sums.join('')]),
    });

    function writeEntry(
      { day, valueDay, amount, text, id, reference, name }: Entry,
      sequenceOf: number,
    ): void {
      const isGlobal = !id && random.chance(25);
      const parts = isGlobal ? random.int(2, 3) : 0;
      const isReference = id !== '' && random.chance(30);
      const whole = isReference ? 'PAYOUT' : text;
      const code = parts
        ? random.pick(['20166000', '10150000'])
        : random.pick(['00150000', '00101000', '00402000']);
      movement('entry', 0, amount, whole, code, parts ? '1' : '0', isReference ? id : '');
      let left = Math.abs(amount);
      for (let part = 1; part <= parts; part++) {
        const size = part === parts ? left : random.int(0, left);
        left -= size;
        const mark = part === parts ? '1' : '0';
        movement(
          'detail',
          part,
          amount < 0 ? -size : size,
          `part ${part} of ${text}`,
          `6${code.slice(1)}`,
          mark,
          '',
        );
      }

      function movement(
        kind: Line['kind'],
        detail: number,
        size: number,
        words: string,
        type: string,
        global: string,
        customer: string,
      ): void {
        const key = `${number(sequenceOf, 4)}${number(detail, 4)}`;
        // A structured communication of twelve digits, as on most invoices.
        const isStructured = kind === 'entry' && !id && random.chance(30);
        const all = isStructured ? `101${digits(random, 12)}` : words;
        const [one = '', ...rest] = cut(all, 53);
        const [two = '', three = ''] = rest;
        const hasName = kind === 'entry' && random.chance(60);
        const hasThird = hasName || three !== '';
        const hasSecond = hasThird || two !== '' || customer !== '' || random.chance(30);
        const hasInformation = kind === 'entry' && random.chance(25);
        const booked = ddmmyy(day);
        const linked = hasInformation ? '1' : '0';
        const text = `21${key}${field(reference, 21)}${sign(size)}${amountOf(size)}${ddmmyy(valueDay)}${type}${isStructured ? '1' : '0'}${field(one, 53)}${booked}${number(sequence, 3)}${global}${hasSecond ? '1' : '0'} ${hasSecond ? '0' : linked}`;
        const written = sign(size) + amountOf(size);
        const isEntry = kind === 'entry';
        add(kind, text, {
          ...(isEntry && { amount: written, date: booked, noDate }),
          // Value date and booking date are often the same.
          swap: (part, value) =>
            part === 'date'
              ? text.slice(0, 115) + value + text.slice(121)
              : text.replace(written, value),
        });
        if (hasSecond) {
          add(
            'detail',
            `22${key}${field(two, 53)}${field(customer, 35)}${field('GEBABEBB', 11)}   ${field('', 13)}${hasThird ? '1' : '0'} ${hasThird ? '0' : linked}`,
          );
        }
        if (hasThird) {
          add(
            'detail',
            `23${key}${field('BE68539007547034', 34)}EUR${field(name, 35)}${field(three, 43)}0 ${linked}`,
          );
        }
        if (!hasInformation) return;
        const information = `${number(sequenceOf, 4)}${number(detail + 1, 4)}`;
        const hasMore = random.chance(40);
        add(
          'detail',
          `31${information}${field(reference, 21)}${type}1${field(`001${name}`, 73)}${field('', 12)}${hasMore ? '1' : '0'} 0`,
        );
        if (hasMore)
          add(
            'detail',
            `32${information}${field('RUE ROYALE 7', 35)}${field('1210   BRUXELLES', 70)}${field('', 10)}0 0`,
          );
      }
    }
  }
  return {
    ...{
      name: 'statement.cod',
      lines,
      end: random.pick(['\r\n', '\n']),
      encoding: 'latin1' as const,
    },
    ...{ isProved: true, saysOpening: true, saysClosing: true, saysDays: false },
  };
}

/** CODA, some statements after each other. */
export const coda: Form = { name: 'CODA', country, write };
