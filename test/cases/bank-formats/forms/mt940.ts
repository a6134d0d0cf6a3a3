import type { Random } from '../../../support/random.ts';
import { type Country, decimal, digits, later, sumOf, type Truth } from '../truth.ts';
import { cut, type Form, type Line, line, partsOf, wrapped } from '../written.ts';
import { ibanCheck } from './norma43.ts';

// MT940: fields that begin with their tag; amounts with a comma; C, D, RC, RD. The text of a
// movement is one field (86), in subfields of 27 characters that go on, in words, or free.

const country: Country = {
  currencies: ['EUR', 'USD', 'JPY', 'CHF'],
  mostAccounts: 3,
  maxText: 120,
  names: ['EXAMPLE PAYMENTS', 'MUELLER GMBH', "O'BRIEN AND SONS"],
  account: (random) => {
    const bban = digits(random, 18);
    const iban = `DE${ibanCheck('DE', bban)}${bban}`;
    return { bank: bban.slice(0, 8), branch: '', number: iban, name: iban };
  },
};

function write({ accounts }: Truth, random: Random) {
  const style = random.pick(['numbered', 'named', 'free'] as const);
  const isBlock = random.chance(20);
  const lines: Line[] = [];
  const add = (kind: Line['kind'], text: string, rest: Partial<Line> = {}) =>
    lines.push(line(kind, text, rest));
  const yymmdd = (day: string) => {
    const { yy, m, d } = partsOf(day);
    return `${yy}${m}${d}`;
  };
  for (const account of accounts) {
    const { number: iban, currency, decimals, from, to, opening, entries } = account;
    const amountOf = (amount: number) => {
      const text = decimal(Math.abs(amount), decimals, ',');
      return decimals === 0 ? `${text},` : text;
    };
    const balance = (tag: string, day: string, amount: number) => {
      const text = `${amount < 0 ? 'D' : 'C'}${yymmdd(day)}${currency}${amountOf(amount)}`;
      const { yy, m } = partsOf(day);
      add('balance', `:${tag}:${text}`, {
        ...{ currency, amount: amountOf(amount), date: yymmdd(day), noDate: `${yy}${m}32` },
      });
    };
    const pages = random.int(1, 3);
    const size = Math.max(1, Math.ceil(entries.length / pages));
    let running = opening;
    for (let page = 0; page < pages; page++) {
      const some = entries.slice(page * size, (page + 1) * size);
      const isFirst = page === 0;
      const isLast = page === pages - 1;
      if (isBlock) add('frame', `{1:F01COBADEFFAXXX0000000000}{2:I940COBADEFFXXXXN}{4:`);
      add('frame', ':20:STARTUMSE');
      add('frame', `:25:${iban}`, { account: iban });
      add('frame', `:28C:7/${page + 1}`);
      const at = isFirst ? later(from, -1) : (entries[page * size - 1]?.day ?? from);
      balance(isFirst ? '60F' : '60M', at, running);
      for (const { day, valueDay, amount, text, id, reference, name } of some) {
        running += amount;
        const { m, d } = partsOf(day);
        const isReversal = !id && random.chance(10);
        const mark = isReversal ? (amount < 0 ? 'RC' : 'RD') : amount < 0 ? 'D' : 'C';
        const funds = random.chance(30) ? currency.slice(-1) : '';
        add(
          'entry',
          `:61:${yymmdd(valueDay)}${m}${d}${mark}${funds}${amountOf(amount)}N${random.pick(['TRF', 'MSC', 'DDT', '051'])}${random.pick(['NONREF', reference])}${random.chance(60) ? `//${digits(random, 10)}` : ''}`,
          { amount: amountOf(amount), date: `${m}${d}`, noDate: `${m}32` },
        );
        if (random.chance(15)) add('detail', '/OCMT/EUR12,34//CHGS/EUR0,00/');
        const isNamed = id !== '' && style === 'named';
        const pieces = {
          numbered: () => {
            const fields = cut(text, 27).map((piece, index) => `?${20 + index}${piece}`);
            return cut(
              `166?00GUTSCHRIFT?109310${fields.join('')}?30COBADEFFXXX?31DE77999999990000251034?32${name}`,
              65,
            );
          },
          named: () =>
            cut(
              isNamed
                ? `/EREF/${id}/NAME/${name}/REMI/Payout`
                : `/EREF/NOTPROVIDED/NAME/${name}/REMI/${text}`,
              65,
            ),
          free: () => wrapped(`${text} ${name}`, 65),
        }[style]();
        pieces.forEach((piece, index) => {
          add('detail', index === 0 ? `:86:${piece}` : piece);
        });
      }
      const until = isLast ? to : (some.at(-1)?.day ?? at);
      balance(isLast ? '62F' : '62M', until, running);
      if (isLast && random.chance(40)) balance('64', to, opening + sumOf(account));
      add('frame', isBlock ? '-}' : '-');
    }
  }
  return {
    ...{ name: 'umsaetze.sta', lines, end: '\r\n', how: style, encoding: 'latin1' as const },
    ...{ isProved: true, isPaged: true, saysOpening: true, saysClosing: true, saysDays: false },
  };
}

/** MT940 in three kinds of texts, in pages. */
export const mt940: Form = { name: 'MT940', country, write };
