import { formatMinor, magnitude } from '../../money/money.ts';
import { type SandboxAccount, type SandboxEntry, withoutDetails } from './accounts.ts';

/** MT940 with `:86:` in subfields, as German banks write it. */
export function mt940Of(accounts: readonly SandboxAccount[]): string {
  return accounts
    .flatMap((account, at) => [
      `:20:STATEMENT${at + 1}`,
      `:25:${account.iban}`,
      ':28C:1/1',
      `:60F:${balance(account.opening, account.from, account)}`,
      ...account.entries.flatMap((one) => entry(one, account)),
      `:62F:${balance(account.closing, account.to, account)}`,
      '-',
    ])
    .map((line) => `${line}\r\n`)
    .join('');
}

function balance(minor: bigint, day: string, account: SandboxAccount): string {
  return `${sign(minor)}${short(day)}${account.currency}${amount(minor, account)}`;
}

function entry(one: SandboxEntry, account: SandboxAccount): readonly string[] {
  const day = short(one.date);
  const line = `:61:${day}${day.slice(2)}${sign(one.amount)}${amount(one.amount, account)}NTRFNONREF//${one.reference}`;
  return [line, ...(`:86:${information(one)}`.match(/.{1,65}/g) ?? [])];
}

/** Subfields have at most 27 characters. */
function information(one: SandboxEntry): string {
  const { amount: minor, name, iban } = one;
  const { endToEndId, text } = withoutDetails(one);
  const pieces = [`EREF+${plain(endToEndId) || 'NOTPROVIDED'}`, `SVWZ+${plain(text)}`].flatMap(
    (part) => part.match(/.{1,27}/g) ?? [],
  );
  const subfields = pieces.map((piece, at) => `?${at < 10 ? 20 + at : 50 + at}${piece}`);
  const [code, kind] = minor < 0n ? ['177', 'TRANSFER'] : ['166', 'CREDIT'];
  return `${code}?00${kind}${subfields.join('')}?31${iban}?32${plain(name).slice(0, 27)}`;
}

/** The SWIFT characters without the separator. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9/\-:().,'+ ]/g, '.');

const sign = (minor: bigint): string => (minor < 0n ? 'D' : 'C');

function amount(minor: bigint, { scale }: SandboxAccount): string {
  const text = formatMinor(magnitude(minor), scale);
  return scale === 0 ? `${text},` : text.replace('.', ',');
}

const short = (day: string): string => day.slice(2).replaceAll('-', '');
