import type { Random } from '../../support/random.ts';
import { bytesOf, type Line, type Part, type Written } from './written.ts';

/** A file with one fault in it. */
interface Planted {
  readonly bytes: Buffer;
  /** The line that a person must be shown, if one line is at fault; or the entry that it belongs to. */
  readonly at?: number;
  readonly from?: number;
}

/** A kind of fault. Where a file could not know better, it isn't planted. */
export interface Fault {
  readonly name: string;
  readonly plant: (written: Written, random: Random) => Planted | undefined;
}

type Lines = readonly Line[];

const isEntry = ({ kind }: Line) => kind === 'entry';

/** The places of lines that a fault could be in. */
function placesOf(lines: Lines, isWanted: (line: Line) => unknown): readonly number[] {
  return lines.flatMap((line, at) => (isWanted(line) ? [at] : []));
}

/** Where an entry ends: behind what belongs to it. */
function behind(lines: Lines, at: number): number {
  let end = at + 1;
  while (lines[end]?.kind === 'detail') end += 1;
  return end;
}

/** Only between two rows of one account does a balance show what is wrong. */
function isBetween(lines: Lines, at: number): boolean {
  const own = lines[at];
  const isOwn = (line: Line) =>
    isEntry(line) && line.account === own?.account && line.currency === own?.currency;
  return lines.slice(0, at).some(isOwn) && lines.slice(at + 1).some(isOwn);
}

const lineNumber = (lines: Lines, at: number) =>
  lines.slice(0, at).reduce((all, { text }) => all + text.split('\n').length, 1);

/** Changes one of the lines that are wanted. */
function changing(
  isWanted: (line: Line, written: Written) => unknown,
  change: (line: Line, random: Random) => string | undefined,
  isExact = true,
): Fault['plant'] {
  return (written, random) => {
    const { lines } = written;
    const places = placesOf(lines, (line) => isWanted(line, written));
    if (places.length === 0) return undefined;
    const at = random.pick(places);
    const line = lines[at];
    const text = line && change(line, random);
    if (!line || text === undefined || text === line.text) return undefined;
    const bytes = bytesOf({ ...written, lines: lines.with(at, { ...line, text }) });
    if (!isExact || !written.end || line.kind === 'frame') return { bytes };
    // An entry of several lines is named by its first one.
    const [entry = at] =
      line.kind === 'detail' ? placesOf(lines.slice(0, at), isEntry).slice(-1) : [];
    return { bytes, from: lineNumber(lines, entry), at: lineNumber(lines, at) };
  };
}

function swapped(line: Line, part: Part, value: string): string {
  if (line.swap) return line.swap(part, value);
  const old = line[part];
  return old ? line.text.replace(old, () => value) : line.text;
}

const digitsIn = (text: string) =>
  [...text].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []));

function otherDigit(text: string, random: Random): string {
  const at = random.pick(digitsIn(text));
  const other = (Number(text[at]) + random.int(1, 9)) % 10;
  return text.slice(0, at) + other + text.slice(at + 1);
}

const inserted = (text: string, at: number, what: string) =>
  text.slice(0, at) + what + text.slice(at);
const hasDigits = (text: string | undefined) => text !== undefined && /\d/.test(text);
/** Where an entry's amount stands: OFX has it on a line of its own. */
const hasAmount = ({ kind, amount }: Line) =>
  (kind === 'entry' || kind === 'detail') && hasDigits(amount);

/** What may befall any file. */
export const faults: readonly Fault[] = [
  {
    name: 'an entry is lost',
    plant: (written, random) => {
      const { lines, isProved, name } = written;
      const places = placesOf(lines, (line) => isEntry(line) && hasDigits(line.amount)).filter(
        (at) => !name.endsWith('.csv') || isBetween(lines, at),
      );
      if (!isProved || places.length === 0) return undefined;
      const at = random.pick(places);
      return { bytes: bytesOf({ ...written, lines: lines.toSpliced(at, behind(lines, at) - at) }) };
    },
  },
  {
    name: 'an entry is there twice',
    plant: (written, random) => {
      const { lines, isProved } = written;
      const places = placesOf(lines, (line) => isEntry(line) && hasDigits(line.amount));
      if (!isProved || places.length === 0) return undefined;
      const at = random.pick(places);
      const end = behind(lines, at);
      return {
        bytes: bytesOf({ ...written, lines: lines.toSpliced(end, 0, ...lines.slice(at, end)) }),
      };
    },
  },
  {
    name: 'an amount has another digit',
    plant: changing(
      (line, { isProved, name, lines }) =>
        isProved &&
        isEntry(line) &&
        hasAmount(line) &&
        (!name.endsWith('.csv') || isBetween(lines, lines.indexOf(line))),
      (line, random) => swapped(line, 'amount', otherDigit(line.amount ?? '', random)),
      false,
    ),
  },
  {
    name: 'an amount has a letter',
    plant: changing(hasAmount, (line, random) => {
      const amount = line.amount ?? '';
      const at = random.pick(digitsIn(amount));
      return swapped(line, 'amount', `${amount.slice(0, at)}O${amount.slice(at + 1)}`);
    }),
  },
  {
    name: 'a day is in no calendar',
    plant: changing(
      ({ kind, date, noDate }) => date && noDate && kind !== 'frame',
      (line) => swapped(line, 'date', line.noDate ?? ''),
    ),
  },
  {
    name: 'a currency is none',
    plant: changing(
      ({ currency }) => currency,
      (line) => swapped(line, 'currency', /\d/.test(line.currency ?? '') ? '001' : 'QQ7'),
    ),
  },
  {
    name: 'an account is another',
    plant: changing(
      ({ account, kind }, { isProved, name }) =>
        isProved && account && kind !== 'frame' && !name.endsWith('.bai') && hasDigits(account),
      (line, random) => swapped(line, 'account', otherDigit(line.account ?? '', random)),
      false,
    ),
  },
  {
    name: 'a balance has another digit',
    plant: changing(
      ({ kind, amount }, { isProved }) =>
        isProved && kind === 'balance' && hasDigits(amount?.slice(4)),
      (line, random) => {
        // BAI2 has the type before it.
        const amount = line.amount ?? '';
        const type = /^\d{3},/.exec(amount)?.[0] ?? '';
        return swapped(line, 'amount', type + otherDigit(amount.slice(type.length), random));
      },
      false,
    ),
  },
  {
    name: 'a control sum has another digit',
    plant: changing(
      ({ kind, amount }, { isProved }) => isProved && kind === 'total' && hasDigits(amount),
      (line, random) => swapped(line, 'amount', otherDigit(line.amount ?? '', random)),
    ),
  },
  {
    name: 'a line is cut',
    plant: changing(
      // What is left of a table's row or of a text could be whole.
      ({ kind, text }, { name }) => kind === 'entry' && text.length > 60 && !name.endsWith('.csv'),
      ({ text }, random) => text.slice(0, text.startsWith('16,') ? 8 : random.int(3, 40)),
      false,
    ),
  },
  {
    name: 'the file ends in the middle',
    plant: (written, random) => {
      const { lines, name } = written;
      if (name.endsWith('.csv')) return cutRow(written, random);
      const places = placesOf(lines, (line) => isEntry(line));
      if (places.length === 0) return undefined;
      const bytes = bytesOf({ ...written, lines: lines.slice(0, random.pick(places) + 1) });
      return { bytes: bytes.subarray(0, bytes.length - random.int(0, 20)) };
    },
  },
  {
    name: 'the first line is gone',
    plant: (written) =>
      // Without a header it is a row.
      written.settings?.includes('header = false')
        ? undefined
        : { bytes: bytesOf({ ...written, lines: written.lines.slice(1) }) },
  },
  {
    name: 'the last line is gone',
    plant: (written) =>
      // The last row of a table can be missed only by who knows the next one.
      written.name.endsWith('.csv')
        ? undefined
        : { bytes: bytesOf({ ...written, lines: written.lines.slice(0, -1) }) },
  },
  {
    name: 'an entry stands behind the end',
    plant: (written, random) => {
      const { lines, isProved, name } = written;
      const places = placesOf(lines, (line) => isEntry(line) && hasDigits(line.amount));
      if (!isProved || places.length === 0 || name.endsWith('.csv')) return undefined;
      const at = random.pick(places);
      const end = behind(lines, at);
      const moved = [...lines.toSpliced(at, end - at), ...lines.slice(at, end)];
      return { bytes: bytesOf({ ...written, lines: moved }) };
    },
  },
  {
    name: 'one of several statements is lost',
    plant: (written, random) => {
      const { lines } = written;
      // CODA begins each with a record 0, MT940 with a block or its first field.
      const [first] = lines;
      const start = first && /^(0|\{1:|:20:)/.exec(first.text)?.[0];
      const starts = placesOf(lines, ({ text }) => start && text.startsWith(start));
      const own = placesOf(lines, ({ kind, account }) => kind === 'balance' || account);
      const accountOf = (at: number) => lines[own.find((place) => place > at) ?? 0]?.account;
      // Between two others of its account, and with something in it.
      const middle = starts.filter((at, index) => {
        const [before, after] = [starts[index - 1], starts[index + 1]];
        if (before === undefined || after === undefined) return false;
        const isOwn = accountOf(before) === accountOf(at) && accountOf(after) === accountOf(at);
        return isOwn && lines.slice(at, after).some(isEntry);
      });
      if (middle.length === 0) return undefined;
      const at = random.pick(middle);
      const end = starts[starts.indexOf(at) + 1] ?? lines.length;
      return { bytes: bytesOf({ ...written, lines: lines.toSpliced(at, end - at) }) };
    },
  },
  {
    name: 'rubbish stands behind the end',
    plant: (written, random) => {
      const rubbish = random.pick([
        '</html>',
        '\u001a',
        'x'.repeat(300),
        '{"error": "session expired"}',
      ]);
      return { bytes: Buffer.concat([bytesOf(written), Buffer.from(rubbish)]) };
    },
  },
  {
    name: 'an element of an entry is lost',
    plant: (written, random) => {
      const { lines, name } = written;
      // Elsewhere lines are lost with what is in them.
      if (!/[oq]fx$/.test(name)) return undefined;
      const needed =
        /^<(STMTTRN|\/STMTTRN|TRNAMT|DTPOSTED|BANKTRANLIST|\/BANKTRANLIST|CURDEF|ACCTID|STMTRS|\/STMTRS)>/;
      const places = placesOf(lines, ({ text }) => needed.test(text));
      if (places.length === 0) return undefined;
      return { bytes: bytesOf({ ...written, lines: lines.toSpliced(random.pick(places), 1) }) };
    },
  },
  {
    name: 'a NUL stands in an entry',
    plant: changing(
      ({ kind }) => kind === 'entry' || kind === 'detail',
      ({ text }, random) => inserted(text, random.int(1, text.length), '\0'),
      false,
    ),
  },
  {
    name: 'NULs fill the place of an entry',
    plant: changing(isEntry, ({ text }) => '\0'.repeat(text.length), false),
  },
  {
    name: 'a field is huge',
    plant: changing(
      ({ kind }) => kind === 'entry' || kind === 'detail',
      ({ text }, random) => inserted(text, random.int(1, text.length), 'A'.repeat(70_000)),
      false,
    ),
  },
  {
    name: 'it is UTF-16 without a mark',
    plant: (written) => ({ bytes: bytesOf({ ...written, encoding: 'utf16le-bare' }) }),
  },
  {
    name: 'it is stopped by an error of the disk',
    plant: (written, random) => {
      const bytes = Buffer.from(bytesOf(written));
      const from = random.int(Math.floor(bytes.length / 3), bytes.length - 1);
      return { bytes: bytes.fill(0, from, Math.min(from + 512, bytes.length)) };
    },
  },
];

/** The last row of a table, with its first cells alone: a whole table could end there, but the row is none. */
function cutRow(written: Written, random: Random): Planted | undefined {
  const { lines, settings = [] } = written;
  const [last] = placesOf(lines, (line) => isEntry(line)).toReversed();
  const delimiter: string = JSON.parse(
    settings.find((one) => one.startsWith('delimiter'))?.split(' = ')[1] ?? '","',
  );
  const row = last === undefined ? undefined : lines[last];
  // Quoted cells may hold the delimiter.
  if (last === undefined || !row || row.text.includes('"')) return undefined;
  const cells = row.text.split(delimiter);
  const left = cells.slice(0, random.int(1, cells.length - 1));
  // Without both it could be a text below the table.
  if (!left.some((cell) => cell && (cell === row.date || cell === row.amount))) return undefined;
  const text = left.join(delimiter);
  return {
    bytes: bytesOf({ ...written, lines: [...lines.slice(0, last), { ...row, text }] }),
    at: lineNumber(lines, last),
  };
}
