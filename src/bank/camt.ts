import { addDays, isDay, spanOf } from '../base/calendar.ts';
import type { TextReader } from '../base/text-reader.ts';
import { accountNumber } from '../model/bank.ts';
import { type Balance, camtBalance, camtEntry, type EntryContext } from './camt-entry.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import type {
  ElementFault,
  StatementFormat,
  StatementSink,
  StatementSource,
  WrittenStatement,
} from './written.ts';
import { declaredEncoding, textAt, type XmlElement, type XmlFault, xmlReader } from './xml.ts';

/** The element of a statement, by its message. */
const messages: ReadonlyMap<string, readonly [statement: string, source: StatementSource]> =
  new Map([
    ['BkToCstmrStmt', ['Stmt', 'camt.053']],
    ['BkToCstmrAcctRpt', ['Rpt', 'camt.052']],
    ['BkToCstmrDbtCdtNtfctn', ['Ntfctn', 'camt.054']],
  ]);

/** The first version of a message has its number in the name. */
const messageOf = (name = '') => messages.get(name.replace(/V01$/, ''));

/** camt.052, camt.053 and camt.054, in any version and namespace. */
export const camtFormat: StatementFormat = {
  matches: (beginning) => {
    const names = beginning.matchAll(/<(?:[\w.-]+:)?([\w.-]+)/g);
    return [...names].some(([, name]) => messageOf(name) !== undefined);
  },
  encodingOf: declaredEncoding,
  tellsOddCharacters: true,
  reader: camtReader,
};

function camtReader(file: string, sink: StatementSink): TextReader {
  let statement: OpenStatement | undefined;
  const unreadable = ({ line, path, problem }: XmlFault) => {
    if (statement) statement.isRead = false;
    sink.unreadable({
      account: statement?.around.account ?? '',
      place: { file, line },
      element: path.join('/'),
      found: problem,
      expected: 'well-formed XML without DOCTYPE, each text of at most 64 kB',
    });
  };
  const sourceOf = (path: readonly string[]) => {
    const [name, source] = messageOf(path.at(-2)) ?? [];
    return path.at(-1) === name ? source : undefined;
  };
  const finish = (element = '') => {
    if (!statement) return;
    const { line, around } = statement;
    const expected = missingIn(statement);
    if (expected === undefined) sink.statement(statementOf(statement));
    else sink.unreadable({ ...around, place: { file, line }, element, found: '', expected });
    statement = undefined;
  };
  return xmlReader({
    opened: (path, line) => {
      if (statement) return true;
      const source = sourceOf(path);
      if (source) statement = openStatement(source, file, line);
      return false;
    },
    record: (record, fault) => {
      if (fault) unreadable(fault);
      else if (statement) take(record, statement, sink);
    },
    closed: (path) => {
      if (sourceOf(path)) finish(path.at(-1));
    },
    broken: (fault) => {
      unreadable(fault);
      finish();
    },
  });
}

type OpenStatement = ReturnType<typeof openStatement>;

function openStatement(source: StatementSource, file: string, line: number) {
  const around: EntryContext = { source, account: '', currency: '', file };
  const heads: XmlElement[] = [];
  const balances: Balance[] = [];
  const undated: WrittenEntry[] = [];
  return { around, heads, balances, entries: new EntryColumns(), undated, line, isRead: true };
}

/** The missing element without which the account or the days of a statement are unknown. */
function missingIn({ around, isRead, ...statement }: OpenStatement): string | undefined {
  if (around.account === '') return 'an account';
  const { heads, balances, entries, undated } = statement;
  const days = heads.filter(({ name }) => name === 'FrToDt');
  const isEmpty = [days, balances, entries, undated].every(({ length }) => length === 0);
  return isEmpty && isRead ? 'a period, balances or entries' : undefined;
}

function take(record: XmlElement, statement: OpenStatement, sink: StatementSink): void {
  const { around, heads, balances, entries, undated } = statement;
  const { file, account, currency } = around;
  const unreadable = (fault: ElementFault) => {
    statement.isRead = false;
    sink.unreadable({ ...fault, account, currency, place: { file, line: record.line } });
  };
  if (record.name === 'Ntry') {
    const entry = camtEntry(record, around);
    if ('place' in entry) (entry.date === '' ? undated : entries).push(entry);
    else unreadable(entry);
  } else if (record.name === 'Bal') {
    const balance = camtBalance(record);
    if ('element' in balance) unreadable(balance);
    else balances.push(balance);
  } else {
    heads.push(record);
    if (record.name === 'Acct') {
      const number = accountNumber(textAt(record, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id'));
      statement.around = { ...around, account: number, currency: textAt(record, 'Ccy') };
    }
  }
}

function statementOf(statement: OpenStatement): WrittenStatement {
  const { around, heads, balances, entries, undated, line, isRead } = statement;
  const { source, account, file } = around;
  const currency = around.currency || (balances[0]?.currency ?? entries.kinds[0]?.currency ?? '');
  const own = balances.filter((balance) => (balance.currency || currency) === currency);
  const { opening, closing } = balancesOf(source, own);
  const any = balancesOf(source, balances);
  const head: XmlElement = { name: '', line, currency: '', text: '', children: heads };
  const madeOn = textAt(head, 'CreDtTm').slice(0, 10);
  const page = textAt(head, 'StmtPgntn/PgNb', 'RptPgntn/PgNb', 'NtfctnPgntn/PgNb');
  const number = textAt(head, 'ElctrncSeqNb', 'LglSeqNb');
  const booked = entries.kinds.filter(({ status }) => status === 'booked').map(({ date }) => date);
  const span = spanOf(booked) ?? { from: madeOn, to: madeOn };
  const firstDay = (...days: readonly (string | undefined)[]) =>
    days.find((day) => day !== undefined && isDay(day)) ?? '';
  const written = textAt(head, 'FrToDt/FrDtTm', 'FrToDt/FrDt').slice(0, 10);
  const from = firstDay(written, opening?.date, span.from);
  const to = firstDay(lastDay(head, written), closing?.date, span.to);
  return {
    source,
    account,
    currency,
    number: page === '' ? number : `${number}/${page}`,
    from: from < to ? from : to,
    to,
    opening: opening?.amount,
    closing: closing?.amount,
    entries,
    undated,
    hasOtherCurrencies:
      (any.opening !== undefined && !opening) || (any.closing !== undefined && !closing),
    isRead,
    place: { file, line },
  };
}

/** The last day of a statement; midnight is the end of the day before. */
function lastDay(head: XmlElement, first: string): string {
  const written = textAt(head, 'FrToDt/ToDtTm', 'FrToDt/ToDt');
  const day = written.slice(0, 10);
  return /T00:00(:00(\.0+)?)?($|Z|[+-])/.test(written) && isDay(day) && first < day
    ? addDays(day, -1)
    : day;
}

/**
 * The opening balance is OPBD, else the closing one of the day before (PRCD); the closing balance is CLBD.
 * Pages have interim ones (ITBD). Those of a report (camt.052) must be of one kind, because its entries may
 * be those since the last report or those of the whole day.
 */
function balancesOf(source: StatementSource, balances: readonly Balance[]) {
  const of = (type: string) => balances.filter((balance) => balance.type === type);
  const interim = of('ITBD');
  const [before] = of('PRCD');
  const opening =
    of('OPBD')[0] ??
    (before && { ...before, date: isDay(before.date) ? addDays(before.date, 1) : '' });
  const closing = of('CLBD').at(-1);
  const isWhole = source === 'camt.052' ? opening && closing : (opening ?? closing);
  if (!isWhole) {
    return interim.length > 1 ? { opening: interim[0], closing: interim.at(-1) } : {};
  }
  return { opening: opening ?? interim[0], closing: closing ?? interim.at(-1) };
}
