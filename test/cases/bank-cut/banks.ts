/** A line of an account: what was booked, and what the payer gave the bank to hand on. */
export interface Line {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** In hundredths. */
  readonly minor: number;
  readonly payer: string;
  /** As the payer wrote it; the bank cuts it and changes its letters. */
  readonly reference: string;
}

/** A bank whose files have less of a reference than the payer wrote. */
export interface Bank {
  readonly name: string;
  readonly currency: string;
  /** What the file has of a reference. */
  readonly keeps: (reference: string) => string;
  /** The lines of its `bank_csv`. */
  readonly mapping: readonly string[];
  readonly write: (lines: readonly Line[]) => string;
}

const us = ({ day }: Line) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
const short = ({ day }: Line) => day.slice(2).replaceAll('-', '');
const amount = (minor: number) => String(minor).padStart(3, '0').replace(/(..)$/, '.$1');
const file = (rows: readonly string[]) => rows.map((row) => `${row}\r\n`).join('');

function withBalances<Row>(lines: readonly Line[], row: (line: Line, balance: string) => Row) {
  let balance = 100_000_00;
  return lines.map((line) => {
    balance += line.minor;
    return row(line, amount(balance));
  });
}

/** The field of an ACH file for what the payer says: fifteen characters. */
const ach = (reference: string) => reference.slice(0, 15);

/** Details, labels with padded values, the newest row first. */
const chase: Bank = {
  name: 'Chase',
  currency: 'USD',
  keeps: ach,
  mapping: [
    'date = "Posting Date"',
    'date_format = "MM/DD/YYYY"',
    'amount = "Amount"',
    'currency = "USD"',
    'account = "000000514821"',
    'balance = "Balance"',
    'texts = ["Description"]',
  ],
  write: (lines) =>
    file([
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      ...withBalances(lines, (line, balance) => {
        const { payer, reference, minor } = line;
        const text = [
          `ORIG CO NAME:${payer.padEnd(22)}ORIG ID:1471882036 DESC DATE:${short(line)}`,
          `CO ENTRY DESCR:PAYOUT    SEC:CCD    TRACE#:091000014869020 EED:${short(line)}  `,
          `IND ID:${ach(reference).padEnd(27)}IND NAME:PAPER TRADERS LLC TRN: 0904869020TC`,
        ].join(' ');
        return `CREDIT,${us(line)},"${text}",${amount(minor)},ACH_CREDIT,${balance},,`;
      }).reverse(),
    ]),
};

/** Sums above the header; labels with single blanks between. */
const america: Bank = {
  name: 'Bank of America',
  currency: 'USD',
  keeps: (reference) => ach(reference.toUpperCase()),
  mapping: [
    'date = "Date"',
    'date_format = "MM/DD/YYYY"',
    'amount = "Amount"',
    'currency = "USD"',
    'account = "325144998877"',
    'texts = ["Description"]',
  ],
  write: (lines) =>
    file([
      'Description,,Summary Amt.',
      'Total credits,,"1.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      ...withBalances(lines, (line, balance) => {
        const id = ach(line.reference.toUpperCase());
        const text = `${line.payer} DES:PAYOUT ID:${id} INDN:PAPER TRADERS LLC CO ID:1471882036 CCD`;
        return `${us(line)},"${text}","${amount(line.minor)}","${balance}"`;
      }),
    ]),
};

/** No header; everything in one text, without labels; dashes left out. */
const fargo: Bank = {
  name: 'Wells Fargo',
  currency: 'USD',
  keeps: (reference) => reference.toUpperCase().replaceAll('-', '').slice(0, 12),
  mapping: [
    'header = false',
    'date = "1"',
    'date_format = "MM/DD/YYYY"',
    'amount = "2"',
    'currency = "USD"',
    'account = "4839201177"',
    'texts = ["5"]',
  ],
  write: (lines) =>
    file(
      lines.map((line) => {
        const text = `${line.payer} PAYOUT ${short(line)} ${fargo.keeps(line.reference)} PAPER TRADERS LLC`;
        return `"${us(line)}","${amount(line.minor)}","*","","${text}"`;
      }),
    ),
};

/** Concept of eight characters at the end of the text, decimal commas. */
const norte: Bank = {
  name: 'Norte',
  currency: 'EUR',
  keeps: (reference) => reference.toUpperCase().slice(0, 8),
  mapping: [
    'delimiter = ";"',
    'decimal = ","',
    'thousands = "."',
    'date = "FECHA OPERACION"',
    'date_format = "DD/MM/YYYY"',
    'amount = "IMPORTE"',
    'currency = "EUR"',
    'account = "ES9200491500052810276541"',
    'texts = ["CONCEPTO"]',
  ],
  write: (lines) =>
    file([
      'FECHA OPERACION;FECHA VALOR;CONCEPTO;IMPORTE;SALDO',
      ...withBalances(lines, (line, balance) => {
        const day = line.day.split('-').reverse().join('/');
        const text = `TRANSFERENCIA DE ${line.payer} CONCEPTO ${norte.keeps(line.reference)}`;
        return `${day};${day};${text};${amount(line.minor)};${balance}`.replaceAll('.', ',');
      }).reverse(),
    ]),
};

export const banks = [chase, america, fargo, norte] as const;
