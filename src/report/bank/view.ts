import { bankMovements } from '../../app/bank-movements.ts';
import {
  acceptedMatches,
  type BankLine,
  type BankReport,
  bankLines,
  bankVerdict,
  type EntryLine,
  entryTexts,
  linesOfMatch,
  listedMatches,
  openMatches,
  payoutsIn,
  type ShareFigure,
  shareFigures,
  waitingStates,
} from '../../app/bank-report.ts';
import { groupedBy, keysOf, largestOf } from '../../base/lists.ts';
import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import { confirmationsOf, isConfirmed } from '../../match/confirmed.ts';
import {
  type BankMatch,
  type BankState,
  type BankTotal,
  type EntryShare,
  entryKey,
  type MatchKey,
  type SettlementShare,
} from '../../match/match.ts';
import {
  type BankStatement,
  placeText,
  plainEntry,
  type StatementFinding,
} from '../../model/bank.ts';
import type { Names } from '../../model/settlement.ts';
import { sumAt } from '../../money/money.ts';
import {
  acceptanceRemarks,
  decidedText,
  jsonAcceptance,
  jsonConfirmations,
} from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  type CellColumn,
  column,
  listed,
  maxPageRows,
  plain,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf, type Column, field, type Records, records } from '../common/columns.ts';
import { jsonAccount, jsonEntry, jsonSettlementKey, jsonViews } from '../common/json.ts';
import {
  accountName,
  cutTo,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import type { Remark, Section, View, Views, Workbook } from '../common/view.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import { bankSummary } from './summary.ts';
import {
  bankRuleText,
  bankStates,
  businessDaysText,
  earlierPayoutsText,
  endToEndText,
  entryText,
  matchReasonWords,
  nearText,
  notCheckedText,
  shortIdTexts,
  statementSentence,
  takenBackAdvice,
  takenBackText,
  unknownWords,
} from './words.ts';

/** The report of `recon bank`. A record is a settlement with its entry, or an entry alone. */
export function bankViews(report: BankReport): Views {
  return {
    view: () => [...bankView(report), ...listed('Next', bankSummary(report).advice, '>')],
    page: () => [
      ...bankView(report),
      ...payoutList(report, maxPageRows),
      ...entryList(report, maxPageRows),
    ],
    records: () => bankRecords(report),
    workbook: () => bankWorkbook(report),
    ...jsonViews(() => bankJson(report)),
  };
}

const sheets = {
  'Pay-outs': payoutList,
  'Bank entries': entryList,
  Statements: statementSections,
  Accounts: totalSections,
};

function bankRecords(report: BankReport): Records {
  const own = records(bankColumns(report), bankLines(report.matching.matches));
  return report.scope === 'profile' ? own : withUnreadFiles(own, report.statements.findings);
}

function bankWorkbook(report: BankReport): Workbook {
  const tables = Object.entries(sheets).flatMap(([name, sections]) =>
    sections(report, maxSheetRows).map((section) => ({ name, section })),
  );
  const cut = tables.flatMap(({ name, section: { note } }) => (note ? `${name}: ${note}` : []));
  return {
    title: `Bank ${rangeText(report.range)}`,
    summary: textBlocks([...bankView(report), ...listed('About the sheets', cut)]),
    tables: tables.map(({ name, section }) => sectionSheet(name, section)),
  };
}

function bankView(report: BankReport): View {
  const { head, notes } = bankSummary(report);
  return [
    ...head,
    ...bankSections(report),
    ...totalSections(report),
    ...movementSections(report),
    ...statementSections(report),
    ...listed('Notes', notes),
  ];
}

/** Sections of what needs a decision, what is accepted and what is waiting. */
function bankSections(report: BankReport): readonly Section[] {
  const { earlier = [] } = report;
  const before = `Open from before the range: ${grouped(payoutsIn(earlier))}`;
  const own = parts.flatMap(({ title: words, matchesIn, isOfEntries = false }) => {
    const title = typeof words === 'string' ? words : words(unknownWords(report));
    const matches = matchesIn(report).filter(
      ({ settlements }) => (settlements.length === 0) === isOfEntries,
    );
    if (matches.length === 0) return [];
    const count = isOfEntries ? matches.length : payoutsIn(matches);
    const whole = `${title}: ${grouped(count)}`;
    return [(isOfEntries ? entrySection : payoutSection)(whole, matches, report)];
  });
  return earlier.length === 0 ? own : [...own, payoutSection(before, earlier, report)];
}

interface Part {
  readonly title: string | ((unknown: string) => string);
  readonly matchesIn: (report: BankReport) => readonly BankMatch[];
  readonly isOfEntries?: true;
}

const open =
  (...states: readonly BankState[]): Part['matchesIn'] =>
  (report) =>
    states.flatMap((state) => openMatches(report, state));
const such =
  (is: (match: BankMatch) => unknown): Part['matchesIn'] =>
  ({ matching }) =>
    matching.matches.filter(is);

const parts: readonly Part[] = [
  { title: 'Not on the bank statements', matchesIn: open('missing_on_bank') },
  { title: 'Paid with a difference', matchesIn: open('difference') },
  { title: 'Returned by the bank', matchesIn: open('returned') },
  { title: 'Several matches possible, none chosen', matchesIn: open('ambiguous') },
  {
    title: (unknown) => `On the bank statements, ${unknown}`,
    matchesIn: open('unknown_on_bank'),
    isOfEntries: true,
  },
  { title: 'Suggested, not counted as paid', matchesIn: open('suggested') },
  { title: 'Less bank charges', matchesIn: open('charged') },
  { title: 'Confirmed by a person', matchesIn: such(isConfirmed) },
  { title: 'Accepted differences', matchesIn: acceptedMatches },
  { title: (unknown) => `Accepted, ${unknown}`, matchesIn: acceptedMatches, isOfEntries: true },
  { title: 'By a rule of the profile', matchesIn: such(({ rule }) => rule), isOfEntries: true },
  { title: 'Waiting', matchesIn: open(...waitingStates) },
  {
    title: 'Announced by the bank, without a pay-out',
    matchesIn: open(...waitingStates),
    isOfEntries: true,
  },
  { title: 'On days without a statement', matchesIn: open('not_covered') },
];

function payoutSection(title: string, matches: readonly BankMatch[], report: BankReport) {
  const hasStates = new Set(matches.map(({ state }) => state)).size > 1;
  const isPaid = matches.every(({ difference }) => difference !== undefined);
  const lines = matches.flatMap((match) => linesOfMatch(match));
  const columns = [
    ...(hasStates ? [stateColumn] : []),
    ...payoutColumns(report.names),
    ...payoutFigures(isPaid ? 2 : 1),
    ...(isPaid ? [] : [ageColumn]),
  ];
  const payouts = lines.filter(({ hasSettlement }) => hasSettlement);
  return section(title, payouts, columns, { remarks: onFirstLine(matchRemarks, report) });
}

/** What a pay-out and an entry have in common. */
const matchKeyWords: Readonly<Record<MatchKey, string>> = {
  end_to_end_id: 'end-to-end id',
  payment_information_id: 'payment reference',
  reference: 'id in a reference field',
  text: 'id in the text',
  text_start: 'the beginning of its id',
  confirmed: 'confirmation',
  amount_and_date: 'amount and date',
  sum: 'sum of amounts',
  short_id: 'short id',
};

function onFirstLine(remarksOn: typeof matchRemarks, report: BankReport) {
  const { accepted, matching } = report;
  return ({ match, isFirst }: BankLine) =>
    isFirst
      ? [
          ...confirmationsOf(match, accepted).map((line) => plain(decidedText(line), '=')),
          ...acceptanceRemarks(bankAcceptanceOf(match, accepted)),
          ...present(
            nearText(match, matching.near),
            takenBackText(match, matching.takenBack),
            takenBackAdvice(match, report),
          ).map((text) => plain(text)),
          ...remarksOn(match),
        ]
      : [];
}

const mostEntries = 10;

function matchRemarks(match: BankMatch): readonly Remark[] {
  const { state, by, reason, settlements, entries, scale, rivals = [] } = match;
  const { expected, received, difference, currency } = match;
  const money = (minor: bigint) => ({ minor, scale, currency });
  const amounts = present(
    `expected ${moneyText(money(expected))}`,
    !!difference && `received ${moneyText(money(received))}`,
    !!difference && `difference ${signedMoneyText(money(difference))}`,
  );
  const together = `${many(settlements.length, 'pay-out')} together: ${amounts.join(', ')}`;
  const doubt = { ambiguous: 'possible ', suggested: 'suggested ' }[String(state)] ?? '';
  const found = by ? `${doubt}by ${matchKeyWords[by]}: ` : doubt;
  const tone = state === 'difference' ? alarm : plain;
  const lost = state === 'missing_on_bank' ? settlements.map((one) => one.settlement) : [];
  return [
    ...present(endToEndText(lost)).map((text) => plain(text)),
    // Not repeated if the title of the section or the next lines say the same.
    ...(reason && reason !== state && rivals.length === 0 ? [tone(matchReasonWords[reason])] : []),
    ...rivals.map((one) => plain(`possible for ${one.settlementId} of ${one.profile}, too`)),
    ...(settlements.length > 1 ? [plain(together)] : []),
    ...shortIdTexts(match)
      .slice(0, mostEntries)
      .map((text) => plain(text)),
    ...cutTo(
      mostEntries,
      entries.map((one) => plain(`${found}${entryText(one, scale)}`, '=')),
      (count) => plain(`${many(count, 'more entry', 'more entries')}; --format csv lists all`),
    ),
  ];
}

function entrySection(title: string, matches: readonly BankMatch[], report: BankReport): Section {
  const lines = matches.flatMap((match) => linesOfMatch(match));
  const remarksOn = ({ reason, rule }: BankMatch) =>
    present(reason && matchReasonWords[reason], rule && bankRuleText(rule)).map((text) =>
      plain(text),
    );
  return section(title, lines, entryColumns, { remarks: onFirstLine(remarksOn, report) });
}

type Cells = CellColumn<BankLine>;

const stateOf = ({ match }: BankLine) => bankStates[match.state][0];
const stateColumn = column.text('State', stateOf, { filters: true });

function payoutColumns(names: Names): readonly Cells[] {
  const token = ({ share }: BankLine) => share?.settlement.accountingToken ?? '';
  return [
    column.day('Date', ({ share }) => share?.settlement.date),
    column.text('Settlement', ({ share }) => share?.settlement.id),
    accountColumn(names, token, { priority: 4, filters: true }),
    column.text('Currency', ({ match }) => match.currency),
  ];
}

/** The expected and received amounts of a pay-out; `priority` is that of the amounts other than the difference. */
function payoutFigures(priority: number): readonly Cells[] {
  const of =
    (figure: ShareFigure) =>
    ({ match, share }: BankLine) =>
      share && shareFigures(match, share)[figure];
  return [
    column.amount('Expected', of('expected'), { priority }),
    column.amount('Received', of('received'), { priority }),
    column.difference('Difference', of('difference')),
  ];
}

const ageColumn: Cells = column.integer('Days', ({ match: { difference, ageDays } }) =>
  difference === undefined ? ageDays : undefined,
);

const byColumn: Cells = column.text('By', ({ match: { by } }) => by && matchKeyWords[by]);

const bookingDate = (title: string): CellColumn<EntryLine> =>
  column.day(title, ({ entry }) => entry?.entry.date);

export const entryColumns: readonly CellColumn<EntryLine>[] = [
  bookingDate('Date'),
  column.id('Bank account', ({ entry }) => entry?.entry.account, { priority: 3 }),
  column.text('Currency', ({ entry }) => entry?.entry.currency),
  column.amount('Amount', ({ entry }) => entry?.amount),
  column.text('Other side', ({ entry }) => entryTexts(entry, 'names').join(', ')),
  column.text('Text', textOf, { priority: 2, unbroken: 35 }),
  column.id('Place', ({ entry }) => entry && placeText(entry.entry.place), { priority: 4 }),
];

function textOf({ entry }: EntryLine): string {
  return entryTexts(entry, 'texts').join(' ');
}

const numberColumn: Cells = column.integer('Match', ({ number }) => number);

/** All pay-outs, a row each, to be sorted and filtered, at most `limit` of them. */
function payoutList({ matching, names }: BankReport, limit: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasSettlement }) => hasSettlement);
  const columns: readonly Cells[] = [
    stateColumn,
    ...payoutColumns(names),
    ...payoutFigures(1),
    byColumn,
    bookingDate('Booking date'),
    column.text('Reason', ({ match: { reason } }) => reason && matchReasonWords[reason]),
    ageColumn,
    column.text('End-to-end id', ({ share }) => share?.settlement.paymentEndToEndIds.join(' | ')),
    numberColumn,
  ];
  return list('All pay-outs', lines, columns, limit);
}

/** The same for bank entries, or the parts of them that belong to a match. */
function entryList({ matching }: BankReport, limit: number): readonly Section[] {
  const lines = [...bankLines(matching.matches)].filter(({ hasEntry }) => hasEntry);
  const columns: readonly Cells[] = [
    stateColumn,
    ...entryColumns,
    byColumn,
    column.text('Settlement', ({ match }) =>
      match.settlements.map(({ settlement }) => settlement.id).join(' | '),
    ),
    numberColumn,
  ];
  return list('Bank entries', lines, columns, limit);
}

function list(title: string, lines: readonly BankLine[], columns: readonly Cells[], limit: number) {
  const toneOf = ({ match }: BankLine) => bankStates[match.state][1];
  return sectionIfAny(`${title}: ${grouped(lines.length)}`, lines, columns, { limit, toneOf });
}

const paidStates: readonly BankState[] = ['matched', 'charged', 'difference', 'returned'];
const entryStates: readonly BankState[] = ['unknown_on_bank', 'by_rule', 'unrelated'];

function linesOf({ states, ...whose }: BankTotal) {
  return keysOf(bankStates).flatMap((state) => {
    const of = states.get(state);
    if (!of) return [];
    const [isPaid, isEntry] = [paidStates, entryStates].map((all) => all.includes(state));
    const { settlements, entries, expected, received, difference } = of;
    return {
      ...whose,
      state,
      words: bankStates[state][0],
      settlements,
      entries,
      expected: isEntry ? undefined : expected,
      received: isPaid || isEntry || received !== 0n ? received : undefined,
      difference: isPaid ? difference : undefined,
    };
  });
}

type TotalLine = Omit<ReturnType<typeof linesOf>[number], 'state' | 'accountingToken'> & {
  /** Absent for all accounts together. */
  readonly accountingToken: string | undefined;
};

/** What lines of one currency come to; a figure that none of them has is left out. */
function sumOf(words: string, lines: readonly TotalLine[]): TotalLine {
  const scale = largestOf(lines.map((line) => line.scale));
  const count = (of: (line: TotalLine) => number) => lines.reduce((sum, line) => sum + of(line), 0);
  const sum = (of: (line: TotalLine) => bigint | undefined) =>
    lines.some((line) => of(line) !== undefined)
      ? sumAt(scale, lines, (line) => of(line) ?? 0n)
      : undefined;
  const net = sum(({ difference }) => difference?.net);
  const absolute = sum(({ difference }) => difference?.absolute) ?? 0n;
  return {
    accountingToken: undefined,
    currency: lines[0]?.currency ?? '',
    scale,
    words,
    settlements: count(({ settlements }) => settlements),
    entries: count(({ entries }) => entries),
    expected: sum(({ expected }) => expected),
    received: sum(({ received }) => received),
    difference: net === undefined ? undefined : { net, absolute },
  };
}

/** All of each currency; before it what `recon settlements` totals, which is without what is pending. */
function currencyTotals(lines: ReturnType<typeof linesOf>): readonly TotalLine[] {
  return [...groupedBy(lines, ({ currency }) => currency).values()].flatMap((own) => {
    const settled = own.filter(({ state }) => state !== 'not_paid_yet');
    const all = sumOf('all', own);
    return settled.length === own.length ? [all] : [sumOf('without pending', settled), all];
  });
}

/** The totals of pay-outs and entries by account, currency and state; entries without a pay-out last. */
function totalSections({ matching, names }: BankReport, limit?: number): readonly Section[] {
  const lines = matching.totals.flatMap(linesOf);
  const isOfEntries = ({ accountingToken }: TotalLine) => accountingToken === '';
  const totals = currencyTotals(lines);
  return sectionIfAny<TotalLine>(
    'Totals by account and currency',
    [...lines.filter((one) => !isOfEntries(one)), ...lines.filter(isOfEntries)],
    [
      column.text('Account', ({ accountingToken: token }) => {
        if (token === undefined) return 'Total';
        return token === '' ? 'no pay-out' : accountName(names, token);
      }),
      column.text('Currency', ({ currency }) => currency),
      column.text('State', ({ words }) => words),
      column.integer('Pay-outs', ({ settlements }) => settlements, { priority: 4 }),
      column.integer('Entries', ({ entries }) => entries, { priority: 4 }),
      column.amount('Expected', ({ expected }) => expected, { priority: 2 }),
      column.amount('Received', ({ received }) => received, { priority: 2 }),
      column.difference('Net difference', ({ difference }) => difference?.net, { priority: 3 }),
      column.amount('Absolute difference', ({ difference }) => difference?.absolute, {
        priority: 5,
      }),
    ],
    { totals: lines.length > totals.length ? totals : [], limit },
  );
}

/** The booked entries of each bank account in the range, by what they are for. */
function movementSections(report: BankReport): readonly Section[] {
  if (report.scope === 'profile') return [];
  return bankMovements(report).map(({ account, currency, scale, ...one }) => {
    const steps = [
      ['received for pay-outs of the range', one.received],
      [`received for ${earlierPayoutsText(report)}`, one.earlier],
      ['unknown', one.unknown],
      ['booked by rules', one.byRule],
      ['unrelated', one.unrelated],
    ] as const;
    return section<readonly [string, bigint]>(
      `Movement of ${account}, ${currency}`,
      steps.filter(([, minor]) => minor !== 0n),
      [
        column.text('What', ([what]) => what, { unbroken: 40 }),
        column.amount('Amount', ([, minor]) => amountOf(minor, scale)),
      ],
      { totals: [['movement', one.movement]] },
    );
  });
}

/** `CSV by bank_csv.dkb`. */
export function readAs({ format, setting }: Pick<BankStatement, 'format' | 'setting'>): string {
  return setting === undefined ? format : `${format} by ${setting}`;
}

function checkedText({ notChecked, opening = 0n, sum, closing = 0n }: BankStatement): string {
  if (notChecked) return `not checked: ${notCheckedText(notChecked)}`;
  return opening + sum === closing ? 'checked' : 'checked: do not add up';
}

export function statementSections(
  { statements, scope }: Pick<BankReport, 'statements' | 'scope'>,
  limit?: number,
): readonly Section[] {
  if (scope === 'profile') return [];
  return sectionIfAny<BankStatement>(
    'Statements',
    statements.statements,
    [
      column.id('Bank account', ({ account }) => account),
      column.text('Currency', ({ currency }) => currency),
      column.text('Number', ({ number }) => number, { priority: 4 }),
      column.day('First day', ({ from }) => from),
      column.day('Last day', ({ to }) => to),
      column.integer('Entries', ({ entries }) => entries, { priority: 2 }),
      column.text('Balances', checkedText),
      column.amount('Opening balance', ({ opening }) => opening, { priority: 3 }),
      column.amount('Sum of entries', ({ sum }) => sum, { priority: 3 }),
      column.amount('Closing balance', ({ closing }) => closing, { priority: 3 }),
      column.id('Place', ({ place }) => placeText(place), { priority: 5 }),
      column.text('Read as', readAs, { priority: 5 }),
    ],
    { limit },
  );
}

/** A row a settlement with its entry, or an entry alone. New columns go to the end. */
function bankColumns({ names, accepted }: BankReport): readonly Column<BankLine>[] {
  return [
    field.integer('match', ({ number }) => number),
    field.text('state', ({ match }) => match.state),
    field.text('matched_by', ({ match }) => match.by),
    field.text('reason', ({ match }) => match.reason),
    field.text('accepted', ({ match }) => bankAcceptanceOf(match, accepted)?.state),
    ...shareColumns(names),
    field.text('currency', ({ match }) => match.currency),
    field.integer('decimal_places', ({ match }) => match.scale),
    field.amount('expected', ofSettlement('expected')),
    field.amount('received', ofSettlement('received')),
    field.amount('difference', ofSettlement('difference')),
    field.integer('age_days', ({ match, share }) => share && match.ageDays),
    field.amount('match_expected', (line) => ofMatch(line)?.expected),
    field.amount('match_received', (line) => ofMatch(line)?.received),
    field.amount('match_difference', (line) => ofMatch(line)?.difference),
    ...entryCsvColumns,
    field.list('confirmed_by', ({ match }) => confirmationsOf(match, accepted).map(({ by }) => by)),
    field.list('confirmed_on', ({ match }) => confirmationsOf(match, accepted).map(({ on }) => on)),
    field.text('rule', ({ match }) => match.rule?.text),
  ];
}

/** The same, and at the end a row for each file that was not read. */
export function withUnreadFiles(
  { columns, rows }: Records,
  findings: readonly StatementFinding[],
): Records {
  const files = findings.filter(({ code }) => code === 'not_read' || code === 'other_file');
  const fileRow = (one: StatementFinding) => {
    const { code: state, place } = one;
    const own = { state, bank_text: statementSentence(one), bank_place: placeText(place) };
    const values: Readonly<Record<string, string>> = own;
    return columns.map(({ key }) => values[key]);
  };
  return { columns, rows: files.length === 0 ? rows : [...rows, ...files.map(fileRow)] };
}

function shareColumns(names: Names): readonly Column<BankLine>[] {
  return [
    field.text('settlement_date', ({ share }) => share?.settlement.date),
    field.text('settlement_id', ({ share }) => share?.settlement.id),
    ...field.account<BankLine>(names, ({ share }) => share?.settlement.accountingToken ?? ''),
    field.text('merchant_id', ({ share }) => share?.settlement.merchantId),
    field.text('settlement_status', ({ share }) => share?.settlement.status),
    field.list('payment_references', ({ share }) => share?.settlement.paymentReferences),
    field.list('payment_end_to_end_ids', ({ share }) => share?.settlement.paymentEndToEndIds),
  ];
}

export const entryCsvColumns: readonly Column<EntryLine>[] = [
  field.text('bank_date', ({ entry }) => entry?.entry.date),
  field.text('bank_value_date', ({ entry }) => entry?.entry.valueDate),
  field.text('bank_status', ({ entry }) => entry?.entry.status),
  field.amount('bank_amount', ({ entry, hasEntry }) => (hasEntry ? entry?.amount : undefined)),
  field.text('bank_currency', ({ entry }) => entry?.entry.currency),
  field.text('bank_account', ({ entry }) => entry?.entry.account),
  field.list('counterparty', ({ entry }) => entryTexts(entry, 'names')),
  field.list('counterparty_account', ({ entry }) => entryTexts(entry, 'accounts')),
  field.list('bank_text', ({ entry }) => entryTexts(entry, 'texts')),
  field.text('bank_reference', ({ entry }) => entry?.entry.bankReference),
  field.text('return_reason', ({ entry }) => entry?.entry.returnReason),
  // Its number in the entry, from 1.
  field.integer('bank_part', ({ entry: { part } = {} }) =>
    part !== undefined ? part + 1 : undefined,
  ),
  field.text('bank_place', ({ entry }) => entry && placeText(entry.entry.place)),
  field.text('bank_entry_id', ({ entry }) => entry && entryKey(entry)),
];

/** A figure of a settlement, on one line only: the sum of the column is then correct. */
function ofSettlement(figure: ShareFigure) {
  return ({ match, share, hasSettlement }: BankLine) =>
    share && hasSettlement ? shareFigures(match, share)[figure] : undefined;
}

/** The amounts of a match, on its first line; none for an entry alone. */
function ofMatch({ match, isFirst, share }: BankLine) {
  if (!isFirst || !share) return undefined;
  const { expected, difference } = match;
  return { expected, difference, received: difference === undefined ? undefined : match.received };
}

/** The report in JSON: facts about it, and its lists by name, each with the type of its lines. */
function bankJson(report: BankReport) {
  const { matching, statements, findings, names } = report;
  const matches = listedMatches(matching.matches);
  const isPart = report.scope === 'profile';
  return {
    about: {
      range: report.range,
      profile: report.profile,
      filters: report.filters,
      verdict: bankVerdict(report),
      paidFrom: matching.paidFrom,
      businessDays: businessDaysText(report),
      isEarlierKnown: report.earlier !== undefined,
      repeatedEntries: statements.repeated,
      findings: findings.map((entry) => jsonEntry(entry, 0)),
      notes: bankSummary(report).notes,
    },
    lists: {
      totals: ['total', matching.totals.map((total) => jsonTotal(total, names))],
      matches: ['match', matches.map((match, index) => jsonMatch(match, index + 1, report))],
      earlier: ['earlier', (report.earlier ?? []).map((match) => jsonMatch(match, 0, report))],
      movements: ['movement', isPart ? [] : bankMovements(report)],
      statements: ['statement', isPart ? [] : statements.statements.map(jsonStatement)],
      statementFindings: ['statementFinding', isPart ? [] : statements.findings.map(jsonFinding)],
    },
  } as const;
}

function jsonMatch(match: BankMatch, number: number, { names, accepted }: BankReport) {
  const { state, by, reason, currency, scale, settlements, entries } = match;
  const { expected, received, difference, ageDays, rivals } = match;
  return {
    match: number,
    state,
    matchedBy: by,
    reason,
    rule: match.rule?.text,
    accepted: jsonAcceptance(bankAcceptanceOf(match, accepted)),
    confirmed: jsonConfirmations(confirmationsOf(match, accepted)),
    currency,
    scale,
    expected,
    received,
    difference,
    ageDays,
    settlements: settlements.map((share) => jsonShare(match, share, names)),
    entries: entries.map((share) => jsonBankEntry(share, scale)),
    ...(rivals && { rivals }),
  };
}

function jsonShare(match: BankMatch, share: SettlementShare, names: Names) {
  const { merchantId, status, paymentReferences, paymentEndToEndIds } = share.settlement;
  return {
    ...jsonSettlementKey(share.settlement, names),
    merchantId,
    status,
    paymentReferences,
    paymentEndToEndIds,
    ...shareFigures(match, share),
  };
}

export function jsonBankEntry(share: EntryShare, scale: number) {
  const { details: _, parts: __, scale: own, place, charges, ...entry } = plainEntry(share.entry);
  return {
    ...entry,
    part: share.part === undefined ? null : share.part + 1,
    amount: { minor: share.amount, scale },
    charges: amountOf(charges, own),
    counterparty: entryTexts(share, 'names'),
    counterpartyAccount: entryTexts(share, 'accounts'),
    endToEndIds: entryTexts(share, 'endToEndIds'),
    paymentInformationIds: entryTexts(share, 'paymentInformationIds'),
    references: entryTexts(share, 'references'),
    texts: entryTexts(share, 'texts'),
    ...place,
  };
}

function jsonTotal({ accountingToken, currency, scale, states }: BankTotal, names: Names) {
  return {
    ...jsonAccount(accountingToken, names),
    currency,
    scale,
    states: Object.fromEntries(states),
  };
}

export function jsonStatement(statement: BankStatement) {
  const { scale, opening, sum, closing, notChecked, place, setting = null, ...one } = statement;
  const checked = { checked: notChecked === undefined, notCheckedBecause: notChecked };
  return { ...one, setting, scale, opening, sum, closing, ...checked, ...place };
}

/** A finding in a statement, in JSON. */
export function jsonFinding(finding: StatementFinding) {
  const { scale, place, difference, setting = null, ...one } = finding;
  return { ...one, setting, scale, difference, ...place, message: statementSentence(finding) };
}
