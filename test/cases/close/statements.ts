import {
  amountOf,
  statement as camtStatement,
  documentOf,
  entry,
} from '../../bank/camt-message.ts';
import { swift } from '../bank/mt940-message.ts';
import { daysBetween, isBusinessDay } from './calendar.ts';
import { decimals, type Known, sum, tokens } from './year.ts';

/** The account that the service pays from, and the merchant's accounts by currency. */
export const payer = 'DE77999999990000251034';
const landlord = 'DE25876543212718311427';
const accounts: Readonly<Record<string, string>> = {
  EUR: 'DE79123456780000143027',
  JPY: 'DE50123456780000192534',
  KWD: 'DE89370400440532013000',
};
const opening = 5_000_000n;

/** An entry, of which the bank knows the ids alone. */
type Line = Omit<Known['lines'][number], 'parts'> & {
  readonly parts: readonly {
    readonly payout: { readonly endToEndId: string };
    readonly amount: bigint;
  }[];
};

type Stated = Pick<Known, 'format' | 'until'> & { readonly lines: readonly Line[] };

interface Statement {
  readonly account: string;
  readonly currency: string;
  readonly number: number;
  readonly day: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly lines: readonly Line[];
}

/** The bank's files: a statement for each business day, none for the others. */
export function filesOf(known: Stated, from: string): ReadonlyMap<string, string> {
  const currencies = [...new Set(tokens.map(({ currency }) => currency))];
  const write = known.format === 'camt' ? camt : mt940;
  const suffix = known.format === 'camt' ? 'xml' : 'sta';
  return new Map(
    currencies.map((currency) => [
      `${currency}.${suffix}`,
      write(statementsOf(known, currency, from)),
    ]),
  );
}

function statementsOf(known: Stated, currency: string, from: string): readonly Statement[] {
  const account = accounts[currency] ?? '';
  let before = opening;
  return daysBetween(from, known.until)
    .filter((day) => isBusinessDay(day, currency))
    .map((day, index) => {
      const lines = known.lines.filter((line) => line.currency === currency && line.day === day);
      const after = before + sum(lines.map(({ amount }) => amount));
      const statement = { account, currency, number: index + 1, day, before, after, lines };
      before = after;
      return statement;
    });
}

/** Decimal text of minor units. */
function textOf(amount: bigint, currency: string, point = '.'): string {
  const scale = decimals[currency] ?? 2;
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}${point}${digits.slice(-scale)}`;
  return amount < 0n ? `-${text}` : text;
}

const referenceOf = ({ currency, day }: Statement, index: number) =>
  `${currency}${day.replaceAll('-', '')}-${index + 1}`;

function camt(statements: readonly Statement[]): string {
  const written = statements.map((one) => {
    const { account, currency, number, day } = one;
    return camtStatement({
      ...{ account, currency, id: `${currency}-${day}`, number: String(number) },
      period: [day, day],
      balances: [
        ['OPBD', textOf(one.before, currency), day],
        ['CLBD', textOf(one.after, currency), day],
      ],
      entries: one.lines.map((line, index) => camtEntry(line, referenceOf(one, index))),
    });
  });
  return documentOf({}, written.join('\n'));
}

function camtEntry({ kind, currency, day, amount, charge, parts, text }: Line, ref: string) {
  const money = (value: bigint) => amountOf(textOf(value, currency), currency);
  const amt = (value: bigint) => `<Amt Ccy="${currency}">${textOf(value, currency)}</Amt>`;
  const party = amount < 0n ? 'Cdtr' : 'Dbtr';
  const other = kind === 'unrelated' ? landlord : payer;
  const own = parts.length > 0 ? parts : [{ payout: { endToEndId: 'NOTPROVIDED' }, amount }];
  const instructed = `<AmtDtls><InstdAmt>${amt(amount + charge)}</InstdAmt></AmtDtls>`;
  const details = own.map(
    (part) =>
      `<TxDtls><Refs><EndToEndId>${part.payout.endToEndId}</EndToEndId></Refs>` +
      `${money(part.amount)}${charge > 0n ? instructed : ''}<RltdPties>` +
      `<${party}><Pty><Nm>Other</Nm></Pty></${party}>` +
      `<${party}Acct><Id><IBAN>${other}</IBAN></Id></${party}Acct></RltdPties>` +
      `<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`,
  );
  const total = `<TtlChrgsAndTaxAmt Ccy="${currency}">${textOf(charge, currency)}</TtlChrgsAndTaxAmt>`;
  const charges = `<Chrgs>${total}<Rcrd>${money(-charge)}</Rcrd></Chrgs>`;
  const rest = `<AcctSvcrRef>${ref}</AcctSvcrRef>${charge > 0n ? charges : ''}`;
  const written = `${rest}<NtryDtls>${details.join('')}</NtryDtls>`;
  const dates = [`<BookgDt><Dt>${day}</Dt></BookgDt>`, `<ValDt><Dt>${day}</Dt></ValDt>`] as const;
  const [booked, valued] = dates;
  return entry(textOf(amount, currency), { currency, booked, valued, rest: written });
}

/** As MT940 has it: `C260305EUR12,34`, without the currency in an entry. */
function swiftMoney(amount: bigint, currency: string, between = ''): string {
  const [sign, digits] = [amount < 0n ? 'D' : 'C', textOf(amount, currency, ',').replace('-', '')];
  return `${sign}${between}${digits}${digits.includes(',') ? '' : ','}`;
}

const swiftDay = (day: string) => day.replaceAll('-', '').slice(2);

function mt940(statements: readonly Statement[]): string {
  const written = statements.map((one) => {
    const { account, currency, number, day, before, after } = one;
    const balance = (amount: bigint) => swiftMoney(amount, currency, `${swiftDay(day)}${currency}`);
    const lines = one.lines.map((line, index) => swiftEntry(line, referenceOf(one, index)));
    const balances = { opening: balance(before), closing: balance(after) };
    return swift({ account, number: `${number}/1`, ...balances, lines, sum: 0 });
  });
  return written.join('');
}

function swiftEntry({ kind, currency, day, amount, parts, text }: Line, ref: string): string {
  const [part, ...others] = parts;
  // An entry of several pay-outs names them in its text alone.
  const key = part && others.length === 0 ? part.payout.endToEndId : 'NOTPROVIDED';
  const ids = others.length > 0 ? parts.map(({ payout }) => ` ${payout.endToEndId}`).join('') : '';
  const words = `SVWZ+${text}${ids}`.match(/.{1,27}/g) ?? [];
  const fields = [
    `?00PAYMENT?20EREF+${key}`,
    ...words.map((word, index) => `?${21 + index}${word}`),
    `?31${kind === 'unrelated' ? landlord : payer}?32Other`,
  ];
  const money = swiftMoney(amount, currency);
  const days = `${swiftDay(day)}${day.slice(5).replace('-', '')}`;
  return `:61:${days}${money}NTRFNONREF//${ref}\n:86:${amount < 0n ? '177' : '166'}${fields.join('\n')}`;
}
