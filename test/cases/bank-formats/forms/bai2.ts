import type { Random } from '../../../support/random.ts';
import { type Account, type Country, digits, type Entry, sumOf, type Truth } from '../truth.ts';
import { cut, type Form, type Line, line, partsOf } from '../written.ts';

// BAI2: records of fields between commas, ended by a slash; 88 goes on with any record, at any
// field and in the middle of a text. A group is one day. Amounts have the decimals of their
// currency; in details they have no sign: the type tells credit (100 to 399) from debit (400 to 699).

const country: Country = {
  currencies: ['USD', 'EUR', 'JPY', 'KWD'],
  mostAccounts: 3,
  account: (random) => {
    const number = digits(random, random.pick([9, 10, 12]));
    return { bank: digits(random, 9), branch: '', number, name: number };
  },
};

const credits = ['142', '165', '175', '195', '169', '275', '301', '399', '935'];
const debits = ['451', '455', '475', '495', '555', '698', '699', '965'];

function write({ accounts }: Truth, random: Random) {
  const bank = digits(random, 9);
  const isCut = random.chance(40);
  const trailing = random.pick(['', '', ' ', '   ']);
  const width = random.int(40, 80);
  const lines: Line[] = [];
  const days = [
    ...new Set(accounts.flatMap(({ entries }) => entries.map(({ day }) => day))),
  ].sort();
  let [fileTotal, fileRecords, groups] = [0, 0, 0];
  const add = (kind: Line['kind'], text: string, rest: Partial<Line> = {}) => {
    lines.push(line(kind, text + trailing, rest));
    fileRecords += 1;
  };
  const yymmdd = (day: string) => {
    const { yy, m, d } = partsOf(day);
    return `${yy}${m}${d}`;
  };
  const before = new Map(accounts.map((account) => [account, account.opening]));
  const lastDay = days.at(-1) ?? accounts[0]?.to ?? '';
  add(
    'frame',
    `01,${bank},123456789,${yymmdd(lastDay)},0200,1,${random.pick(['', '80'])},${random.pick(['', '1'])},2/`,
  );
  for (const day of days) {
    // A group has one currency, unless its accounts name their own.
    const isByAccount = random.chance(60);
    const wanted = accounts.filter(
      (account) => random.chance(40) || account.entries.some((entry) => entry.day === day),
    );
    const sets = isByAccount
      ? [wanted]
      : [...new Set(wanted.map(({ currency }) => currency))].map((currency) =>
          wanted.filter((account) => account.currency === currency),
        );
    for (const set of sets) {
      const currency = isByAccount ? random.pick(['', 'USD']) : (set[0]?.currency ?? '');
      const start = fileRecords;
      let groupTotal = 0;
      const date = yymmdd(day);
      add(
        'frame',
        `02,123456789,${bank},1,${date},${random.pick(['2359', '', '2400'])},${currency},${random.pick(['2', ''])}/`,
        {
          ...{ date, noDate: `${date.slice(0, 4)}32` },
        },
      );
      for (const account of set) {
        groupTotal += writeAccount(
          account,
          account.entries.filter((entry) => entry.day === day),
          isByAccount,
        );
      }
      groups += 1;
      fileTotal += groupTotal;
      add('total', `98,${groupTotal},${set.length},${fileRecords - start + 1}/`, {
        amount: String(groupTotal),
      });
    }
  }
  add('total', `99,${fileTotal},${groups},${fileRecords + 1}/`, { amount: String(fileTotal) });

  function writeAccount(
    account: Account,
    entries: readonly Entry[],
    saysCurrency: boolean,
  ): number {
    const start = fileRecords;
    const opening = before.get(account) ?? 0;
    const closing = opening + sumOf({ entries });
    before.set(account, closing);
    let total = 0;
    const signed = (amount: number) =>
      amount >= 0 && random.chance(20) ? `+${amount}` : String(amount);
    const summary: { type: string; amount: number; count: number | '' }[] = [
      { type: '010', amount: opening, count: '' },
      { type: '015', amount: closing, count: '' },
    ];
    if (random.chance(40)) summary.push({ type: '045', amount: closing - 17, count: '' });
    const ins = entries.filter(({ amount }) => amount >= 0);
    const outs = entries.filter(({ amount }) => amount < 0);
    if (random.chance(80)) {
      summary.push(
        { type: '100', amount: sumOf({ entries: ins }), count: ins.length },
        { type: '400', amount: -sumOf({ entries: outs }), count: outs.length },
      );
    }
    for (const { amount } of summary) total += amount;
    const written = summary.map(({ type, amount, count }) => `${type},${signed(amount)},${count},`);
    const currency = saysCurrency || random.chance(30) ? account.currency : '';
    const split = random.chance(40) ? random.int(1, written.length - 1) : written.length;
    const about = { account: account.number, ...(currency && { currency }) };
    add('balance', `03,${account.number},${currency},${written.slice(0, split).join(',')}/`, {
      ...about,
      amount: `010,${written[0]?.split(',')[1]}`,
    });
    if (split < written.length) add('balance', `88,${written.slice(split).join(',')}/`);
    for (const { amount, valueDay, reference, text, name } of entries) {
      total += Math.abs(amount);
      const type = random.pick(amount < 0 ? debits : credits);
      const size = Math.abs(amount);
      const funds = random.pick([
        '',
        ...['Z', '0', '1'],
        `V,${yymmdd(valueDay)},`,
        `S,${size},0,0`,
        `D,2,0,${size},1,0`,
      ]);
      const start = `16,${type},${size},${funds},${random.chance(70) ? reference : ''},,`;
      // A text begins with no slash: that would end the record.
      const spoken = text.startsWith('/') ? `PAYMENT ${text}` : text;
      const whole = random.chance(50) ? `${spoken} ${name}` : spoken;
      const slash = random.chance(50) ? '/' : '';
      const some = cut(whole, width - 5);
      const pieces = isCut && !some.some((piece) => piece.startsWith('/')) ? some : [whole];
      const about = { amount: `${type},${size}` };
      const isOwnLine = random.chance(30);
      if (isOwnLine) {
        add('entry', `${start}/`, about);
        for (const piece of pieces) add('detail', `88,${piece}`);
        continue;
      }
      pieces.forEach((piece, at) => {
        const isLast = at === pieces.length - 1;
        if (at === 0) add('entry', `${start}${piece}${isLast ? slash : ''}`, about);
        else add('detail', `88,${piece}${isLast ? slash : ''}`);
      });
    }
    if (random.chance(10)) add('detail', '16,890,,,,,SERVICE BULLETIN NO. 7/');
    add('total', `49,${total},${fileRecords - start + 1}/`, { amount: String(total) });
    return total;
  }
  return {
    ...{
      name: 'report.bai',
      lines,
      end: random.pick(['\n', '\r\n']),
      how: isCut ? `cut at ${width}` : '',
    },
    ...{ isProved: true, saysOpening: true, saysClosing: true, saysDays: false },
  };
}

/** BAI2, version 2. */
export const bai2: Form = { name: 'BAI2', country, write };
