import { addDays, isDay, spanOf } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import { amountIn, camtEntry, dateAt, doubtIn, type EntrySurroundings } from './camt-entry.ts';
import type { Decimal } from './decimal.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import {
  type Misfit,
  oddlyDatedIn,
  type StatementSink,
  type StatementSource,
  type TextReader,
  type WrittenStatement,
} from './written.ts';
import { elementsAt, textAt } from './xml-paths.ts';
import { type XmlElement, type XmlFault, xmlReader } from './xml-records.ts';

/** The element that is a statement, by the message that it stands in. */
const messages: ReadonlyMap<string, readonly [statement: string, source: StatementSource]> =
  new Map([
    ['BkToCstmrStmt', ['Stmt', 'camt.053']],
    ['BkToCstmrAcctRpt', ['Rpt', 'camt.052']],
    ['BkToCstmrDbtCdtNtfctn', ['Ntfctn', 'camt.054']],
  ]);

/** The first version has its number in the name. */
const messageOf = (name = '') => messages.get(name.replace(/V01$/, ''));

/** Whether XML that begins like this is one of the messages. */
export function isCamt(beginning: string): boolean {
  const names = beginning.matchAll(/<(?:[\w.-]+:)?([\w.-]+)/g);
  return [...names].some(([, name]) => messageOf(name) !== undefined);
}

/** Reads camt.052, camt.053 and camt.054, in any version and namespace. */
export function camtReader(file: string, sink: StatementSink): TextReader {
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
    const expected = whatLacks(statement);
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

/** A statement of which not all was seen yet. */
type OpenStatement = ReturnType<typeof openStatement>;

interface Balance {
  readonly type: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: Decimal;
}

function openStatement(source: StatementSource, file: string, line: number) {
  const around: EntrySurroundings = { source, account: '', currency: '', file };
  /** What stands in it beside balances and entries. */
  const heads: XmlElement[] = [];
  const [balances, undated]: [Balance[], WrittenEntry[]] = [[], []];
  return { around, heads, balances, entries: new EntryColumns(), undated, line, isRead: true };
}

/** What a statement must have and has not: without it, nobody knows whose or of which days it is. */
function whatLacks({ around, isRead, ...statement }: OpenStatement): string | undefined {
  if (around.account === '') return 'an account';
  const { heads, balances, entries, undated } = statement;
  const days = heads.filter(({ name }) => name === 'FrToDt');
  const isEmpty = [days, balances, entries, undated].every(({ length }) => length === 0);
  return isEmpty && isRead ? 'a period, balances or entries' : undefined;
}

/** Takes an element of a statement. */
function take(record: XmlElement, statement: OpenStatement, sink: StatementSink): void {
  const { around, heads, balances, entries, undated } = statement;
  const { file, account, currency } = around;
  const unreadable = (misfit: Misfit) => {
    statement.isRead = false;
    sink.unreadable({ ...misfit, account, currency, place: { file, line: record.line } });
  };
  if (record.name === 'Ntry') {
    const entry = camtEntry(record, around);
    if ('place' in entry) (entry.date === '' ? undated : entries).push(entry);
    else unreadable(entry);
  } else if (record.name === 'Bal') {
    const [money] = elementsAt(record, 'Amt');
    const amount = amountIn(record, 'Amt', textAt(record, 'CdtDbtInd'));
    const type = textAt(record, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry', 'Tp/Cd');
    const date = dateAt(record, 'Dt');
    const doubt = doubtIn(record);
    if (doubt) unreadable(doubt);
    else if (amount) balances.push({ type, date, currency: money?.currency ?? '', amount });
    else {
      const found = money?.text.trim() ?? '';
      unreadable({ element: 'Bal/Amt', found, expected: 'an amount such as 12.50' });
    }
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
    ...{ from: from < to ? from : to, to },
    opening: opening?.amount,
    closing: closing?.amount,
    entries,
    undated,
    oddlyDated: oddlyDatedIn(entries),
    hasOtherCurrencies:
      (any.opening !== undefined && !opening) || (any.closing !== undefined && !closing),
    isRead,
    place: { file, line },
  };
}

/** The last day that a statement covers; midnight is the end of the day before. */
function lastDay(head: XmlElement, first: string): string {
  const written = textAt(head, 'FrToDt/ToDtTm', 'FrToDt/ToDt');
  const day = written.slice(0, 10);
  return /T00:00(:00(\.0+)?)?($|Z|[+-])/.test(written) && isDay(day) && first < day
    ? addDays(day, -1)
    : day;
}

/**
 * Opening is OPBD, else the closing balance of the day before (PRCD); closing is CLBD. Pages have interim
 * ones (ITBD) at their borders. Those of a report belong together only if both are of one kind: its entries may be those since the last report, or since the day began.
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
