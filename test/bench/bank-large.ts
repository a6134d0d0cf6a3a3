import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { addDays } from '../../src/base/calendar.ts';
import { formatMinor } from '../../src/money/money.ts';
import { Random } from '../support/random.ts';
import { ownAccounts, type Payout } from './bank-year.ts';

// One statement of a month, as large as files of banks ever are, with pay-outs among its entries.

const [, account] = ownAccounts;

/** A way to write an entry, and what stands before and behind all of them. */
interface Form {
  readonly file: string;
  readonly head: (closing: bigint) => string;
  readonly entry: (entry: LargeEntry) => string;
  readonly foot: (closing: bigint) => string;
}

interface LargeEntry {
  readonly number: number;
  readonly day: string;
  readonly minor: number;
  readonly endToEndId: string;
  readonly from: string;
}

const amount = (minor: number | bigint) =>
  formatMinor(BigInt(minor) < 0n ? -BigInt(minor) : BigInt(minor), 2);
const comma = (minor: number | bigint) => amount(minor).replace('.', ',');
const swift = (day: string) => day.slice(2).replaceAll('-', '');

const balance = (code: string, minor: bigint, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount(minor)}</Amt>` +
  `<CdtDbtInd>${minor < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`;

const text = (number: number) =>
  `Invoice ${number} of order ${(number * 7919) % 1_000_003} with thanks`;

export const largeForms: readonly Form[] = [
  {
    file: 'large.csv',
    head: () =>
      'Booked;Amount;Currency;Account;Text 1;Text 2;Reference;Bank reference;End to end;Name;Counterparty\n',
    entry: ({ number, day, minor, endToEndId, from }) =>
      `${day.split('-').reverse().join('.')};${minor < 0 ? '-' : ''}${comma(minor)};EUR;${account?.number};` +
      `${text(number)};for your purchase, as agreed;REF${number};BANK${number};${endToEndId};Customer ${number};${from}\n`,
    foot: () => '',
  },
  {
    file: 'large.sta',
    head: () => `:20:1\r\n:25:${account?.number}\r\n:28C:3/1\r\n:60F:C260228EUR0,\r\n`,
    entry: ({ number, day, minor, endToEndId, from }) =>
      `:61:${swift(day)}${swift(day).slice(2)}${minor < 0 ? 'D' : 'C'}${comma(minor)}NTRFREF${number}//BANK${number}\r\n` +
      `:86:166?00SEPA?20EREF+${endToEndId}?21${text(number).slice(0, 27)}?31${from}?32Customer ${number}\r\n`,
    foot: (closing) => `:62F:${closing < 0n ? 'D' : 'C'}260331EUR${comma(closing)}\r\n-\r\n`,
  },
  {
    file: 'large.xml',
    head: () =>
      '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">' +
      '<BkToCstmrStmt><Stmt><Id>3</Id><ElctrncSeqNb>3</ElctrncSeqNb><CreDtTm>2026-03-31T23:00:00</CreDtTm>' +
      `<Acct><Id><IBAN>${account?.number}</IBAN></Id><Ccy>EUR</Ccy></Acct>\n${balance('OPBD', 0n, '2026-03-01')}`,
    entry: ({ number, day, minor, endToEndId, from }) => {
      const side = minor < 0 ? 'Cdtr' : 'Dbtr';
      return (
        `<Ntry><Amt Ccy="EUR">${amount(minor)}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
        `<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>BANK${number}</AcctSvcrRef>\n` +
        `<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><RltdPties><${side}><Pty>` +
        `<Nm>Customer ${number}</Nm></Pty></${side}><${side}Acct><Id><IBAN>${from}</IBAN></Id></${side}Acct>` +
        `</RltdPties><RmtInf><Ustrd>${text(number)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`
      );
    },
    foot: (closing) =>
      `${balance('CLBD', closing, '2026-03-31')}</Stmt></BkToCstmrStmt></Document>\n`,
  },
];

/** Pay-outs of a month: some with an entry by their id, some with nothing but their amount, some missing. */
export function largePayouts(): readonly Payout[] {
  return Array.from({ length: 600 }, (_, number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    account: account ?? ownAccounts[0],
    token: `token-${number % 9}`,
    date: addDays('2026-03-02', number % 20),
    status: 'settled',
    payIn: 1_000_000 + number * 101,
    endToEndIds: [`PAYOUT-2026-${String(number).padStart(9, '0')}`],
    paymentReferences: [],
    truth: { state: number < 500 ? 'matched' : 'missing_on_bank', entries: [], left: 'key' },
  }));
}

/** Writes a statement of about so many bytes with the pay-outs that are on it; returns how many entries it has. */
export async function writeLarge(
  path: string,
  form: Form,
  bytes: number,
  payouts: readonly Payout[],
): Promise<number> {
  const random = new Random(7);
  const out = createWriteStream(path);
  const written = { bytes: 0, entries: 0, sum: 0n };
  const paid = payouts.filter(({ truth }) => truth.state === 'matched');
  out.write(form.head(0n));
  const size = form.entry({ ...entryOf(1, random), day: '2026-03-01' }).length;
  const every = Math.floor((0.8 * bytes) / size / (paid.length + 1));
  while (written.bytes < bytes) {
    const number = written.entries;
    const payout = number % every === 0 ? paid[number / every] : undefined;
    const day = addDays('2026-03-01', Math.min(30, Math.floor((written.bytes * 31) / bytes)));
    const entry = { ...entryOf(number, random), day };
    const line = form.entry(
      payout
        ? {
            ...entry,
            day: payout.date,
            minor: payout.payIn,
            endToEndId: payout.endToEndIds[0] ?? '',
          }
        : entry,
    );
    written.sum += BigInt(payout?.payIn ?? entry.minor);
    written.bytes += line.length;
    written.entries += 1;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end(form.foot(written.sum));
  await finished(out);
  return written.entries;
}

function entryOf(number: number, random: Random): Omit<LargeEntry, 'day'> {
  return {
    number,
    minor: random.int(-200_000, 900_000),
    endToEndId: `E2E-${random.int(1e9, 2e9)}`,
    from: `DE${String(random.int(1e9, 2e9))}${String(number).padStart(10, '0')}`,
  };
}
