import type { Random } from '../../../support/random.ts';
import {
  type Account,
  type Country,
  decimal,
  digits,
  type Entry,
  sumOf,
  type Truth,
} from '../truth.ts';
import { type Encoding, type Form, type Line, line, type Part } from '../written.ts';
import { ibanCheck } from './norma43.ts';

// CSV as banks write it: no two alike. A layout is drawn from what is seen at public banks.

const country: Country = {
  currencies: ['EUR', 'USD', 'JPY', 'GBP', 'CHF', 'KWD'],
  mostAccounts: 2,
  names: ['Example Payments', 'Müller; Söhne', 'O"Brien, Sons', 'Café | Bar'],
  account: (random) => {
    const bban = digits(random, 18);
    const iban = `DE${ibanCheck('DE', bban)}${bban}`;
    return { bank: '', branch: '', number: iban, name: iban };
  },
};

const roles = [
  ...['date', 'value_date', 'name', 'text', 'text2', 'amount', 'debit', 'credit', 'direction'],
  ...['fee', 'currency', 'account', 'status', 'balance', 'reference', 'filler'],
] as const;
type Role = (typeof roles)[number];

/** Headers of the languages in which banks of these countries write. */
const headers: readonly Readonly<Record<Role, string>>[] = [
  namesOf(
    'Booking date,Value date,Payee,Description,Reference,Amount,Debit,Credit,Dr/Cr,Fee,Currency,Account,State,Balance,Transaction ID,Category',
  ),
  namesOf(
    'Buchungstag,Wertstellung,Beguenstigter/Zahlungspflichtiger,Verwendungszweck,Buchungstext,Betrag,Soll,Haben,S/H,Gebühr,Währung,Auftragskonto,Umsatzstatus,Saldo nach Buchung,Referenz,Kategorie',
  ),
  namesOf(
    'Date de comptabilisation,Date de valeur,Tiers,Libellé,Informations complémentaires,Montant,Débit,Crédit,Sens,Frais,Devise,Compte,Statut,Solde,Référence,Catégorie',
  ),
  namesOf(
    'F. Operación,F. Valor,Ordenante,Concepto,Observaciones,Importe,Cargo,Abono,Debe/Haber,Comisión,Divisa,Cuenta,Estado,Saldo,Nº documento,Categoría',
  ),
  namesOf(
    'Data contabile,Data valuta,Controparte,Descrizione,Causale,Importo,Uscite,Entrate,Segno,Commissione,Divisa,Conto,Stato,Saldo contabile,Riferimento,Categoria',
  ),
  namesOf(
    'Boekdatum,Rentedatum,Naam tegenpartij,Mededelingen,Omschrijving,Bedrag,Af,Bij,Af Bij,Kosten,Munt,Rekening,Status,Saldo na mutatie,Volgnr,Soort',
  ),
];

function namesOf(all: string): Readonly<Record<Role, string>> {
  const names = all.split(',');
  return Object.fromEntries(roles.map((role, at) => [role, names[at] ?? role])) as Record<
    Role,
    string
  >;
}

const monthNames = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

const dateForms: readonly (readonly [format: string, write: (day: string) => string])[] = [
  ['YYYY-MM-DD', (day) => day],
  ['DD.MM.YYYY', (day) => day.split('-').toReversed().join('.')],
  ['DD/MM/YYYY', (day) => day.split('-').toReversed().join('/')],
  ['YYYYMMDD', (day) => day.replaceAll('-', '')],
  ['YYYY/MM/DD', (day) => day.replaceAll('-', '/')],
  ['MM/DD/YYYY', (day) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`],
  ['DD.MM.YY', (day) => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(2, 4)}`],
  ['DD-MM-YYYY', (day) => day.split('-').toReversed().join('-')],
  ['D.M.YYYY', (day) => day.split('-').map(Number).toReversed().join('.')],
  [
    'DD MMM YYYY',
    (day) => `${day.slice(8)} ${monthNames[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`,
  ],
  [
    'DD MMM YYYY',
    (day) =>
      `${day.slice(8)} ${monthNames[Number(day.slice(5, 7)) - 1]?.toUpperCase()} ${day.slice(0, 4)}`,
  ],
];

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

function write({ accounts: given }: Truth, random: Random) {
  // One account may hold two currencies, each with a balance of its own.
  const isWallet =
    given.length > 1 &&
    new Set(given.map(({ currency }) => currency)).size > 1 &&
    random.chance(40);
  const hasAccount = isWallet ? random.chance(30) : given.length > 1 || random.chance(30);
  const [own] = given;
  const all =
    isWallet && own ? given.map((one) => ({ ...one, number: own.number, name: own.name })) : given;
  const hasCurrency = all.length > 1 || random.chance(50);
  const names = random.pick(headers);
  const delimiter = random.pick([',', ';', ';', '\t', '|']);
  const decimalSign = random.pick(['.', ',']);
  const thousands = random.pick(['', '', decimalSign === '.' ? ',' : '.', "'", ' ', '\u00a0']);
  const [format, dateOf] = random.pick(dateForms);
  const time = random.pick(['', '', ' 09:14:05']);
  const sign = random.pick([
    'signed',
    'signed',
    'plus',
    'inverted',
    'columns',
    'negative columns',
    'word',
    'in the cell',
  ] as const);
  const money = random.pick(['', '', 'code', 'sign']);
  const hasFee = random.chance(25);
  const hasStatus = random.chance(30);
  const hasBalance = random.chance(60);
  const isNewestFirst = random.chance(50);
  const hasHeader = random.chance(85);
  const hasValueDate = random.chance(60);
  const quoting = random.pick(['all', 'needed'] as const);
  const encoding: Encoding = random.pick([
    'utf8',
    'utf8',
    'utf8-bom',
    'utf16le',
    'latin1',
    'latin1',
  ]);
  const edges = !hasBalance && all.length === 1 && random.chance(25);
  const words = { in: random.pick(['CR', 'C', 'Bij', 'H']), out: '' };
  words.out = { CR: 'DR', C: 'D', Bij: 'Af', H: 'S' }[words.in] ?? 'D';

  const isByColumns = sign === 'columns' || sign === 'negative columns';
  const used: Role[] = ['date', 'text'];
  const amounts: readonly Role[] = isByColumns ? ['debit', 'credit'] : ['amount'];
  const rest: readonly (Role | false)[] = [
    ...amounts,
    sign === 'word' && 'direction',
    hasValueDate && 'value_date',
    random.chance(70) && 'name',
    random.chance(40) && 'text2',
    hasFee && 'fee',
    hasCurrency && 'currency',
    hasAccount && 'account',
    hasStatus && 'status',
    hasBalance && 'balance',
    random.chance(40) && 'reference',
    random.chance(40) && 'filler',
  ];
  used.push(...rest.filter((role) => role !== false));
  const columns = random.chance(50) ? used : random.shuffled(used);
  const column = (role: Role) => (hasHeader ? names[role] : String(columns.indexOf(role) + 1));

  const symbol: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£', JPY: '¥' };
  // Not every currency has a sign, nor every encoding every sign.
  const signOf = (currency: string) =>
    encoding === 'latin1' && currency === 'EUR' ? undefined : symbol[currency];
  const cell = (minor: number, { decimals, currency }: Account) => {
    const text = decimal(minor, decimals, decimalSign, thousands);
    if (money === 'code') return `${text} ${currency}`;
    const mark = money === 'sign' && signOf(currency);
    return mark
      ? decimalSign === ','
        ? `${text} ${mark}`
        : text.replace(/^-?/, `$&${mark === '$' ? '$$' : mark}`)
      : text;
  };
  const amountCells = (minor: number, account: Account): Partial<Record<Role, string>> => {
    const size = cell(Math.abs(minor), account);
    const isOut = minor < 0;
    switch (sign) {
      case 'signed':
        return { amount: cell(minor, account) };
      case 'plus':
        return { amount: minor > 0 ? `+${cell(minor, account)}` : cell(minor, account) };
      case 'inverted':
        return { amount: cell(-minor, account) };
      case 'columns':
        return { [isOut ? 'debit' : 'credit']: size };
      case 'negative columns':
        return isOut ? { debit: cell(minor, account) } : { credit: size };
      case 'word':
        return { amount: size, direction: isOut ? words.out : words.in };
      case 'in the cell':
        return {
          amount: `${size} ${isOut ? (words.in === 'H' ? 'S' : 'DR') : words.in === 'H' ? 'H' : 'CR'}`,
        };
    }
  };

  const lines: Line[] = [];
  const preamble = random.chance(30)
    ? ['Kontoumsätze', '', ['Saldo', 'am', '01.01.2026'].join(delimiter), '']
    : [];
  for (const text of preamble) lines.push(line('frame', text));
  const written = (cells: Partial<Record<Role, string>>) =>
    columns
      .map((role) => {
        const value = cells[role] ?? '';
        const mustQuote = value.includes(delimiter) || /["\r\n]/.test(value);
        return quoting === 'all' || mustQuote ? quoted(value) : value;
      })
      .join(delimiter);
  const add = (kind: Line['kind'], cells: Partial<Record<Role, string>>) => {
    const partRole: Readonly<Record<Part, Role>> = {
      amount: cells.amount ? 'amount' : cells.debit ? 'debit' : 'credit',
      date: 'date',
      currency: 'currency',
      account: 'account',
    };
    const date = cells.date ?? '';
    return line(kind, written(cells), {
      ...{ date, noDate: date && dateOf('2026-02-31') },
      amount: cells[partRole.amount] ?? '',
      ...(cells.currency && { currency: cells.currency }),
      ...(cells.account && { account: cells.account }),
      swap: (part, value) => written({ ...cells, [partRole[part]]: value }),
    });
  };
  if (hasHeader) lines.push(line('frame', written(names)));

  const rows: { day: string; line: Line }[] = [];
  const edgeRows: Line[] = [];
  for (const account of all) {
    let running = account.opening;
    const common = (day: string): Partial<Record<Role, string>> => ({
      date: dateOf(day) + time,
      ...(hasCurrency && { currency: account.currency }),
      ...(hasAccount && { account: account.number }),
      filler: random.pick(['', 'Shopping', 'Misc, other']),
    });
    const row = ({ day, valueDay, amount, text, name, reference }: Entry, fee: number) => {
      running += amount;
      const second = random.pick(['', 'Gutschrift', 'SEPA credit transfer']);
      const isMultiline = random.chance(5) && text.length > 60;
      return add('entry', {
        ...common(day),
        ...amountCells(amount + fee, account),
        ...(hasFee && { fee: fee || random.chance(50) ? cell(fee, account) : '' }),
        ...{ value_date: dateOf(valueDay), text: isMultiline ? `${text}\n` : text, text2: second },
        ...{ name, reference, status: 'Completed', balance: cell(running, account) },
      });
    };
    for (const entry of account.entries) {
      // A fee is kept from what comes in, or added to what goes out.
      const fee = hasFee && random.chance(30) ? random.int(1, 300) : 0;
      rows.push({ day: entry.day, line: row(entry, entry.amount + fee === 0 ? 0 : fee) });
      if (hasStatus && random.chance(15)) {
        const isPending = random.chance(50);
        const cells = { ...common(entry.day), ...amountCells(12_345, account), text: 'Not yet' };
        rows.push({
          day: entry.day,
          line: {
            ...add('detail', {
              ...cells,
              date: isPending && random.chance(50) ? '' : (cells.date ?? ''),
              status: isPending ? 'Pending' : random.pick(['Reverted', 'Declined', 'Failed']),
            }),
          },
        });
      }
    }
    if (edges) {
      const edge = (day: string, text: string, amount: number) =>
        add('balance', { ...common(day), ...amountCells(amount, account), text });
      edgeRows.push(
        edge(account.from, random.pick(['Opening balance', 'Anfangssaldo']), account.opening),
      );
      edgeRows.push(
        edge(
          account.to,
          random.pick(['Closing balance', 'Endsaldo']),
          account.opening + sumOf(account),
        ),
      );
    }
  }
  // The accounts of a file stand after each other, or all rows by day.
  if (random.chance(50)) rows.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  if (isNewestFirst) rows.reverse();
  const [first, last] = edgeRows;
  const areTogether = random.chance(50);
  if (first && !areTogether) lines.push(first);
  for (const { day, line } of rows) lines.push({ ...line, day });
  if (areTogether) lines.push(...edgeRows);
  else if (last) lines.push(last);
  if (random.chance(25)) {
    for (const text of ['', 'Disclaimer:', 'This is not a document of the bank.'])
      lines.push(line('frame', text));
  }
  const toml: [string, string | boolean | readonly string[]][] = [
    ['delimiter', delimiter],
    ['decimal', decimalSign],
    ['date_format', format],
    ['date', column('date')],
    ['currency', hasCurrency ? column('currency') : (all[0]?.currency ?? '')],
    ['account', hasAccount ? column('account') : (all[0]?.number ?? '')],
    ['texts', columns.filter((role) => role === 'text' || role === 'text2').map(column)],
  ];
  if (thousands) toml.push(['thousands', thousands]);
  if (!hasHeader) toml.push(['header', false]);
  if (encoding === 'latin1' && random.chance(50)) toml.push(['encoding', 'windows-1252']);
  for (const role of [
    'value_date',
    'name',
    'fee',
    'status',
    'balance',
    'debit',
    'credit',
    'direction',
  ] as const) {
    if (columns.includes(role)) toml.push([role, column(role)]);
  }
  if (columns.includes('amount')) toml.push(['amount', column('amount')]);
  if (columns.includes('reference')) toml.push(['bank_reference', column('reference')]);
  if (sign === 'inverted') toml.push(['inverted', true]);
  if (sign === 'word') toml.push(['debit_words', [words.out]], ['credit_words', [words.in]]);
  if (!hasHeader && preamble.length > 0) toml.push(['skip_lines', String(preamble.length)]);
  const settings = [
    '[profiles.main.bank_csv]',
    ...toml.map(([key, value]) =>
      key === 'skip_lines' ? `${key} = ${value}` : `${key} = ${JSON.stringify(value)}`,
    ),
  ];
  return {
    ...{ name: 'export.csv', lines, end: random.pick(['\r\n', '\n']), encoding, settings },
    how: `${sign}${hasBalance ? ', balance' : ''}${edges ? ', edges' : ''}${isNewestFirst ? ', newest first' : ''}`,
    ...{ isProved: hasBalance || edges, saysOpening: hasBalance || edges },
    ...{ saysClosing: hasBalance || edges, saysDays: false, accounts: all },
  };
}

/** CSV in any layout. */
export const csv: Form = { name: 'CSV', country, write };
