import { dirname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { behindLink, readTextFile, writeOutputFile } from '../base/files.ts';
import { type LockOptions, takeLock } from '../base/folder-lock.ts';
import { replaceWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { groupedBy, tableOf } from '../base/lists.ts';
import { type DecisionMade, differenceKinds } from '../model/accepted-difference.ts';
import type { Account, ClosedPayout, ClosedSettlement, CloseRecord } from '../model/close.ts';
import { isOfFile } from '../model/settlement.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import {
  besideRegister,
  type Cells,
  type ChainedLine,
  chainedLines,
  chainedWriter,
  type KeptLines,
  listIn,
  listText,
  type RegisterStart,
  requireAsMeant,
} from './chained-csv.ts';
import { readKeptCsv } from './kept-csv.ts';

// A close has a line of its own, then lines of what it found. The last line closes the register.
const columns = [
  'line',
  'close',
  'from',
  'closed_through',
  'profile',
  'service',
  'at',
  'by',
  'note',
  'forced',
  'count',
  'reopens',
  'recon_version',
  'bank_account',
  'accounting_token',
  'currency',
  'decimal_places',
  'settlement_ids',
  'payment_references',
  'end_to_end_ids',
  'date',
  'due_until',
  'status',
  'gross',
  'fees',
  'tax',
  'pay_in',
  'pay_in_difference',
  'opening',
  'changed',
  'settled',
  'received',
  'cleared',
  'bank_charges',
  'over',
  'short',
  'closing',
  'suspense',
  'unrelated',
  'net',
  'absolute',
  'digest_of',
  'form',
  'digest',
  'check',
] as const;

type Column = (typeof columns)[number];

const amounts = {
  opening: 'opening',
  changed: 'changed',
  settled: 'settled',
  received: 'received',
  bank_charges: 'charges',
  over: 'over',
  short: 'short',
  closing: 'closing',
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  pay_in: 'payIn',
  pay_in_difference: 'payInDifference',
  cleared: 'cleared',
  suspense: 'suspense',
  unrelated: 'unrelated',
  net: 'net',
  absolute: 'absolute',
} as const;

type AmountColumn = keyof typeof amounts;

/** How the digest of the rows of a settlement is made. */
const rowsForm = 'rows/1';

/** Reads a register of closes; undefined if there is none. ReconError `damaged` if it was altered. */
export async function readCloses(given: string): Promise<readonly CloseRecord[] | undefined> {
  return (await readRegister(await behindLink(given)))?.records;
}

/**
 * Locks a register, finishes what a killed run began, and adds the record that `make` gives, if any; begins a missing one. ReconErrors as
 * `requireAsMeant`, `damaged` if it was altered, `locked`.
 */
export async function addClose<Made extends CloseRecord | undefined>(
  given: string,
  { lock, onStart, ...start }: RegisterStart & { readonly lock: LockOptions },
  make: (records: readonly CloseRecord[]) => Made,
): Promise<Made> {
  // A link to the register gets the same lock and hidden file.
  const path = await behindLink(given);
  const release = await takeLock(dirname(path), lock);
  try {
    const register = await readRegister(path);
    const isMissing = register === undefined;
    await requireAsMeant({ path, what, counted: 'close' }, { isMissing, ...start });
    const { records, kept, unguarded } = register ?? { records: [], kept: { columns, lines: [] } };
    if (unguarded !== undefined) await writeGuard(path, records.length, unguarded);
    const record = make(records);
    if (record === undefined) return record;
    const { text, check } = registerText(kept, record);
    // A register that goes on from its guard is complete: the guard is written last.
    await writeOutputFile(path, (write) => write(text), { secret: true });
    await writeGuard(path, record.number, check);
    if (isMissing) onStart?.(given);
    return record;
  } finally {
    await release();
  }
}

function writeGuard(path: string, close: number, check: string | undefined): Promise<void> {
  const text = `${JSON.stringify({ close, check })}\n`;
  return replaceWhole(besideRegister(path, 'last'), text, 0o600);
}

async function readRegister(path: string) {
  const file = await readTextFile(besideRegister(path, 'last'));
  const guard = file && parseJson(file.text);
  const csv = await readKeptCsv(path);
  const isMissing = csv.columns.length === 0;
  if (isMissing && !file) return undefined;
  const all = isMissing ? [] : chainedLines<Column>(csv, { columns, path, what, undone });
  const lines = all.slice(0, -1);
  const byClose = [...groupedBy(lines, ({ text }) => text('close')).values()];
  const checks = byClose.map((those) => those.at(-1)?.check);
  const { close: last, check } = isObject(guard) ? guard : {};
  const known = checks[Number(last) - 1];
  // The first close was written, and the run killed before its guard was.
  const isBegun = !file && checks.length === 1;
  if (!isBegun && (known === undefined || known !== check))
    throw notAsLeft(path, file && last, checks);
  const records = byClose.flatMap((those) => recordOf(those.map(({ text }) => text)));
  // A run that was killed has recorded it, but did not come to its guard.
  const unguarded = check === checks.at(-1) ? undefined : checks.at(-1);
  return { records, kept: { columns: csv.columns, lines }, unguarded };
}

function notAsLeft(path: string, last: unknown, checks: readonly (string | undefined)[]) {
  const hidden = besideRegister(path, 'last');
  const state = JSON.stringify({ close: checks.length, check: checks.at(-1) });
  const [message, hint] =
    last === undefined && checks.length > 0
      ? [
          `The hidden file that says how the register of closes ends is missing or damaged.`,
          `Copy ${hidden} from where the register comes from. If it is lost, and close ${checks.length} was the last one, write this into it: ${state}`,
        ]
      : [
          `${what} is not as it was left: ${last === undefined ? 'another close' : `close ${last}`} was the last one recorded.`,
          'Restore the file and its hidden file from a backup.',
        ];
  return new ReconError('damaged', message, { where: path, hint });
}

const what = 'The register of closes';
const undone = 'Nothing was recorded.';

/** The text of the register with a further close, and the check of that close. */
function registerText(kept: KeptLines, record: CloseRecord) {
  const writer = chainedWriter<Column>(kept);
  for (const cells of linesOf(record)) writer.add(cells);
  const { check } = writer;
  writer.add({ line: 'end', note: `closes: ${record.number}` });
  return { text: writer.text(), check };
}

function* linesOf(record: CloseRecord): Generator<Cells<Column>> {
  const close = String(record.number);
  yield {
    line: 'close',
    close,
    from: record.from,
    closed_through: record.to,
    profile: record.profile,
    service: record.service,
    at: record.at,
    by: record.by,
    note: record.note,
    forced: listText(record.forced.map(({ code }) => code)),
    reopens: record.reopens === undefined ? '' : String(record.reopens),
    recon_version: record.tool,
  };
  for (const { code: forced, count, sums, items } of record.forced) {
    for (const sum of sums.length === 0 ? [undefined] : sums) {
      const cells = sum && amountCells(sum);
      yield { line: 'forced', close, forced, count: String(count), ...cells };
    }
    for (const { id, amounts } of items) {
      for (const one of amounts.length === 0 ? [undefined] : amounts) {
        const cells = one && amountCells({ ...one, net: one.minor });
        yield { line: 'forced_item', close, forced, settlement_ids: listText([id]), ...cells };
      }
    }
  }
  for (const { step, answer: status } of record.steps) {
    yield { line: 'step', close, digest_of: step, status };
  }
  for (const one of record.rungs) {
    const [line, count] = [one.isTotal ? 'ladder_total' : 'ladder', String(one.count ?? '')];
    const cells = amountCells({ ...one, net: one.minor });
    yield { line, close, digest_of: one.code, status: one.state, count, ...cells };
  }
  for (const one of record.decided) {
    const { kind: status, id, date, reason: note, by, on: at, until: due_until = '' } = one;
    const ids = { settlement_ids: listText([id]), payment_references: listText(one.with) };
    const what = { ...ids, status, date, note, by, at, due_until, bank_account: one.account };
    yield { line: 'decided', close, ...what, ...amountCells({ ...one, net: one.minor }) };
  }
  for (const one of record.lines) {
    yield { line: 'account', close, accounting_token: one.accountingToken, ...amountCells(one) };
  }
  for (const one of record.bankAccounts) {
    const { account: bank_account, currency, scale, byRule: net } = one;
    yield { line: 'bank', close, bank_account, ...amountCells(one) };
    if (net === 0n) continue;
    yield { line: 'bank_rules', close, bank_account, ...amountCells({ currency, scale, net }) };
  }
  for (const { currency, scale, inTransit: closing, suspense } of record.books) {
    yield { line: 'books', close, ...amountCells({ currency, scale, closing, suspense }) };
  }
  for (const { currency, scale, net, absolute } of record.unexplained) {
    yield { line: 'unexplained', close, ...amountCells({ currency, scale, net, absolute }) };
  }
  for (const one of record.payouts) {
    const { settlementIds, date, dueUntil, accountingToken } = one;
    yield {
      line: 'payout',
      close,
      settlement_ids: listText(settlementIds),
      date,
      due_until: dueUntil,
      accounting_token: accountingToken,
      ...amountCells(one),
    };
  }
  for (const one of record.settlements) {
    yield {
      line: 'settlement',
      close,
      settlement_ids: listText([one.id]),
      payment_references: listText(one.paymentReferences),
      end_to_end_ids: listText(one.paymentEndToEndIds),
      date: one.date,
      status: one.status,
      accounting_token: one.accountingToken,
      ...amountCells(one),
      form: rowsForm,
      digest: one.rows,
    };
  }
  for (const { of, form, digest } of record.digests) {
    yield { line: 'digest', close, digest_of: of, form, digest };
  }
}

type Amounts = Partial<Readonly<Record<(typeof amounts)[AmountColumn], bigint | undefined>>>;

/** The amounts that are defined, with their currency. */
function amountCells(one: Omit<Account, 'accountingToken'> & Amounts): Cells<Column> {
  const { currency, scale } = one;
  const cells = Object.entries(amounts).map(([column, name]) => {
    const minor = one[name];
    return [column, minor === undefined ? '' : formatMinor(minor, scale)];
  });
  return { currency, decimal_places: String(scale), ...Object.fromEntries(cells) };
}

function recordOf(lines: readonly ChainedLine<Column>[]): CloseRecord | [] {
  const [text] = lines;
  if (!text) return [];
  const of = (kind: string) => lines.filter((line) => line('line') === kind);
  return {
    number: Number(text('close')),
    from: text('from'),
    to: text('closed_through'),
    profile: text('profile'),
    service: text('service'),
    at: text('at'),
    by: text('by'),
    note: text('note'),
    forced: listIn(text('forced')).map((code) => {
      const own = of('forced').filter((line) => line('forced') === code);
      const sums = own.filter((line) => line('currency') !== '').map(sumIn);
      const ofCode = of('forced_item').filter((line) => line('forced') === code);
      const items = groupedBy(ofCode, (line) => line('settlement_ids'));
      return {
        code,
        count: Number(own[0]?.('count') ?? 0),
        sums,
        items: [...items.values()].map((those) => ({
          id: idIn(those[0]),
          amounts: those.filter((line) => line('currency') !== '').map(netIn),
        })),
      };
    }),
    steps: of('step').map((line) => ({ step: line('digest_of'), answer: line('status') })),
    rungs: lines
      .filter((line) => /^ladder(_total)?$/.test(line('line')))
      .map((line) => ({
        code: line('digest_of'),
        state: line('status'),
        isTotal: line('line') === 'ladder_total',
        count: line('count') === '' ? undefined : Number(line('count')),
        ...netIn(line),
      })),
    decided: of('decided').flatMap((line): DecisionMade | [] => {
      const kind = differenceKinds.find((one) => one === line('status'));
      if (!kind) return [];
      const [reason, by, on] = [line('note'), line('by'), line('at')];
      const [until, account] = [line('due_until') || undefined, line('bank_account')];
      const what = { kind, id: idIn(line), date: line('date') };
      const named = listIn(line('payment_references'));
      return { ...what, with: named, ...netIn(line), reason, by, on, until, account };
    }),
    tool: text('recon_version'),
    reopens: text('reopens') === '' ? undefined : Number(text('reopens')),
    lines: of('account').map((line) => {
      const names = ['opening', 'changed', 'gross', 'fees', 'tax', 'settled', 'closing'] as const;
      const payInDifference = amountIn(line, 'pay_in_difference');
      return { ...accountIn(line), ...movesIn(line), ...amountsIn(line, names), payInDifference };
    }),
    bankAccounts: of('bank').map((line) => {
      const balance = (column: 'opening' | 'closing') =>
        line(column) === '' ? undefined : amountIn(line, column);
      const balances = { opening: balance('opening'), closing: balance('closing') };
      const charges = amountIn(line, 'bank_charges');
      // A close without rules has no such line.
      const ruled = of('bank_rules').find((one) => keyOf(one) === keyOf(line));
      const byRule = ruled ? amountIn(ruled, 'net') : 0n;
      const known = amountsIn(line, ['cleared', 'over', 'suspense', 'unrelated']);
      const moves = { ...known, charges, byRule };
      return { account: line('bank_account'), ...moneyIn(line), ...balances, ...moves };
    }),
    books: of('books').map((line) => {
      const [inTransit, suspense] = [amountIn(line, 'closing'), amountIn(line, 'suspense')];
      return { ...moneyIn(line), inTransit, suspense };
    }),
    unexplained: of('unexplained').map(sumIn),
    payouts: of('payout').map((line): ClosedPayout => {
      const settlementIds = listIn(line('settlement_ids'));
      const payIn = amountIn(line, 'pay_in');
      const days = { date: line('date'), dueUntil: line('due_until') };
      return { settlementIds, ...days, payIn, ...accountIn(line), ...movesIn(line) };
    }),
    settlements: of('settlement').map((line): ClosedSettlement => {
      // A file of another provider may not state them.
      const stated = (column: 'gross' | 'fees' | 'tax') =>
        isOfFile({ status: line('status') }) && line(column) === ''
          ? undefined
          : amountIn(line, column);
      return {
        id: idIn(line),
        payIn: amountIn(line, 'pay_in'),
        ...tableOf(['gross', 'fees', 'tax'], stated),
        ...accountIn(line),
        date: line('date'),
        status: line('status'),
        paymentReferences: listIn(line('payment_references')),
        paymentEndToEndIds: listIn(line('end_to_end_ids')),
        // Digests of another form cannot be compared.
        rows: line('form') === rowsForm ? line('digest') : '',
      };
    }),
    digests: of('digest').map((line) => {
      return { of: line('digest_of'), form: line('form'), digest: line('digest') };
    }),
  };
}

function keyOf(line: ChainedLine<Column>): string {
  return `${line('bank_account')} ${line('currency')}`;
}

function accountIn(line: ChainedLine<Column>): Account {
  return { accountingToken: line('accounting_token'), ...moneyIn(line) };
}

function idIn(line: ChainedLine<Column> | undefined): string {
  return (line && listIn(line('settlement_ids'))[0]) ?? '';
}

function netIn(line: ChainedLine<Column>) {
  return { ...moneyIn(line), minor: amountIn(line, 'net') };
}

function sumIn(line: ChainedLine<Column>) {
  return { ...moneyIn(line), ...amountsIn(line, ['net', 'absolute']) };
}

function moneyIn(line: ChainedLine<Column>) {
  return { currency: line('currency'), scale: Number(line('decimal_places')) };
}

function movesIn(line: ChainedLine<Column>) {
  const names = ['received', 'bank_charges', 'over', 'short'] as const;
  const { bank_charges: charges, ...moves } = amountsIn(line, names);
  return { charges, ...moves };
}

function amountsIn<Name extends AmountColumn>(line: ChainedLine<Column>, names: readonly Name[]) {
  return tableOf(names, (name) => amountIn(line, name));
}

function amountIn(line: ChainedLine<Column>, column: AmountColumn): bigint {
  const minor = parseDecimal(line(column), Number(line('decimal_places')));
  if (minor !== undefined) return minor;
  const message = 'The register of closes was written by another version of recon.';
  throw new ReconError('damaged', message, { hint: 'Use a newer version of recon.' });
}
