import {
  type BankReport,
  type BankVerdict,
  entryTexts,
  isBroken,
  matchesOfAll,
} from '../../app/bank-report.ts';
import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import { cut, shellWord } from '../../base/texts.ts';
import { calendarOf, daysCovered } from '../../match/business-days.ts';
import { confirmationsOf } from '../../match/confirmed.ts';
import { shortIdsIn } from '../../match/id-owners.ts';
import {
  type BankMatch,
  type BankMatching,
  type BankState,
  bankMatchesIn,
  type EntryShare,
  type MatchReason,
  type NettedPayouts,
} from '../../match/match.ts';
import {
  type BankRule,
  entryPlace,
  isRemark,
  type NotCheckedReason,
  placeText,
  type StatementFinding,
} from '../../model/bank.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { magnitude, rescale } from '../../money/money.ts';
import { acceptedText } from '../common/acceptance.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import {
  amountsText,
  amountText,
  canBeCopied,
  command,
  enumerate,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import type { Remark, Tone } from '../common/view.ts';

/** `2 statements, 2026-03-01 to 2026-03-31`. */
export function statementDays({
  statements: { statements },
}: Pick<BankReport, 'statements'>): string {
  const span = daysCovered(statements);
  return present(many(statements.length, 'statement'), span && rangeText(span)).join(', ');
}

/** `EUR by TARGET; JPY from Monday to Friday, without 1 holiday`: the calendars of due days. */
export function businessDaysText(report: BankReport): string {
  const { businessDays } = report;
  const currencies = new Set(matchesOfAll(report).map(({ currency }) => currency));
  const calendars = [...currencies].sort().map((currency) => {
    const count = businessDays.holidaysOf(currency);
    const calendar = calendarOf(currency) === 'target' ? 'by TARGET' : 'from Monday to Friday';
    return `${currency} ${calendar}${count > 0 ? `, without ${many(count, 'holiday')}` : ''}`;
  });
  return calendars.join('; ');
}

/** Pay-outs of days before a range. */
export function earlierPayoutsText({ range }: Pick<BankReport, 'range'>): string {
  return `pay-outs of earlier ${range.from.endsWith('-01') ? 'months' : 'days'}`;
}

/** The state of a pay-out or an entry in a word or two, and its tone. */
export const bankStates: Readonly<Record<BankState, readonly [words: string, tone: Tone]>> = {
  matched: ['matched', 'good'],
  charged: ['less charges', 'good'],
  difference: ['difference', 'bad'],
  returned: ['returned', 'bad'],
  suggested: ['suggested', 'unsure'],
  ambiguous: ['several matches', 'unsure'],
  missing_on_bank: ['not on the statements', 'bad'],
  in_transit: ['in transit', 'plain'],
  not_covered: ['no statement', 'unsure'],
  pending_on_bank: ['announced', 'plain'],
  not_paid_yet: ['pending', 'plain'],
  nothing_due: ['nothing due', 'plain'],
  unknown_on_bank: ['unknown', 'bad'],
  by_rule: ['booked by a rule', 'plain'],
  unrelated: ['unrelated', 'quiet'],
};

export const matchReasonWords: Readonly<Record<MatchReason, string>> = {
  paid_twice: 'paid twice',
  other_currency: 'paid in another currency',
  returned: 'returned by the bank',
  same_amount: 'several with the same amount',
  same_key: 'several with the same id',
  several_sums: 'several sums give this amount',
  rule_held: 'a rule fits, but the line has the id of a pay-out',
  settled_with: 'settled together, as decided',
  other_profile: 'a pay-out of another profile is possible, too',
};

/** `unknown to the service`: what no pay-out explains. */
export function unknownWords({ scope }: Pick<BankReport, 'scope'>): string {
  return `unknown to ${scope ? 'all profiles' : 'the service'}`;
}

/** `end-to-end id "E2E-1"`, by which the service finds pay-outs; empty if it names none. */
export function endToEndText(settlements: readonly Settlement[]): string {
  const ids = settlements.flatMap(({ paymentEndToEndIds }) => paymentEndToEndIds);
  return ids.length === 0 ? '' : `end-to-end id ${firstOf(ids.map((id) => `"${id}"`))}`;
}

/** `52ce… (-58.00) and 63df… (200.00) may be settled together: 142.00 EUR.` */
export function nettedSentence({ settlements, ...sum }: NettedPayouts): string {
  const parts = settlements.map(
    ({ id, payIn, scale }) => `${id} (${grouped(amountText(payIn, scale))})`,
  );
  return `${enumerate(parts)} may be settled together: ${moneyText(sum)}.`;
}

/** `may be 2026-03-16, 1,132.77 EUR from … (march.csv:12): 3.00 EUR short`; of an entry, which pay-out it may be. */
export function nearText(match: BankMatch, near: BankMatching['near']): string | undefined {
  const other = near.get(match);
  if (!other) return undefined;
  const [payout, entry] = match.settlements.length > 0 ? [match, other] : [other, match];
  const texts = entry.entries.map((share) => entryText(share, entry.scale));
  const ids = payout.settlements.map(({ settlement: { id, date } }) => `pay-out ${id} of ${date}`);
  const scale = Math.max(payout.scale, entry.scale);
  const expected = rescale(payout.expected, payout.scale, scale);
  const minor = rescale(entry.received, entry.scale, scale) - expected;
  const off = moneyText({ minor: magnitude(minor), scale, currency: payout.currency });
  const what = enumerate(match === payout ? texts : ids);
  const side = minor < 0n === expected > 0n ? 'short' : 'too much';
  return `may be ${what}: ${minor === 0n ? 'the same amount' : `${off} ${side}`}`;
}

/** `may have been taken back: 2026-03-31, -1.00 EUR (march.csv:12); came again: 2026-04-02, …`; undefined without such entries. */
export function takenBackText(
  match: BankMatch,
  all: BankMatching['takenBack'],
): string | undefined {
  const texts = all.get(match)?.map((share) => {
    const isBack = share.amount < 0n === match.expected > 0n;
    const what = isBack ? 'may have been taken back' : 'came again';
    return `${what}: ${entryText(share, share.entry.scale)}`;
  });
  return texts?.join('; ');
}

/** The command that confirms the entries of a suggestion with those that take it back. */
export function takenBackAdvice(match: BankMatch, report: BankReport): string | undefined {
  const back = report.matching.takenBack.get(match);
  const [id] = match.settlements.map(({ settlement }) => settlement.id);
  if (!back || !id || !canBeCopied(id)) return undefined;
  const entries = [...match.entries, ...back].map((one) => `--entry ${shellWord(entryPlace(one))}`);
  const words = command('recon accept', id, sameBank(report), ...entries, '--by NAME');
  return `If all of them are of this pay-out: ${words}`;
}

/** The command that settles them together; undefined without any. */
export function nettedAdvice(report: BankReport): string | undefined {
  const [one, other] = report.matching.netted[0]?.settlements ?? [];
  if (!one || !other || !canBeCopied(one.id) || !canBeCopied(other.id)) return undefined;
  const words = command(
    'recon accept',
    one.id,
    sameBank(report),
    `--settled-with ${other.id} --by NAME`,
  );
  return `If they are settled together: ${words}`;
}

/** The flags that name the same service and the same statements. */
export function sameBank({ flags, paths }: Pick<BankReport, 'flags' | 'paths'>): string {
  const named = paths.map((path) => `--bank ${shellWord(path)}`);
  return command(flags, ...(named.length === 0 ? ['--bank'] : named));
}

/** Confirmations of pay-outs that are gone; of others, they are told with these. */
export function lapsedConfirmations(report: BankReport): readonly string[] {
  const { matching, accepted, range, filters } = report;
  if (!accepted || Object.keys(filters).length > 0) return [];
  const due = matching.matches.filter(({ state }) => state !== 'nothing_due');
  const ids = new Set(
    due.flatMap(({ settlements }) => settlements.map((one) => one.settlement.id.toLowerCase())),
  );
  return [...accepted.decided.confirmed].flatMap(([id, line]) => {
    const isGone = isDayIn(range, line.settlementDate) && !ids.has(id);
    return isGone ? `Settlement ${id} was ${acceptedText(line)}, but is gone.` : [];
  });
}

/** `2 pay-outs were confirmed by Anna on 2026-04-02: 350.00 EUR.`, a sentence a person and day, of a range. */
export function confirmedSentences(
  { matching, accepted, range: all }: BankReport,
  range: DateRange = all,
): readonly string[] {
  const lines = matching.matches
    .flatMap((match) => confirmationsOf(match, accepted))
    .filter(({ settlementDate }) => isDayIn(range, settlementDate));
  return [...groupedBy(lines, ({ by, on }) => `${by} on ${on}`)].map(([who, own]) => {
    const count = own.reduce((sum, { confirmed }) => sum + 1 + (confirmed?.others.length ?? 0), 0);
    const [pays, were] = [many(count, 'pay-out'), count === 1 ? 'was' : 'were'];
    const amounts = own.map(({ expected: minor, ...money }) => ({ ...money, minor }));
    return `${pays} ${were} confirmed by ${who}: ${amountsText(amounts, moneyText)}.`;
  });
}

/** `by the rule "account fee": account 4970`. */
export function bankRuleText({ text, books_account, unrelated }: BankRule): string {
  return `by the rule "${text}": ${unrelated ? 'unrelated' : `account ${books_account}`}`;
}

/** The rules of the profile that no entry needs. */
export function unusedRules({ rules = [], matching }: BankReport): readonly string[] {
  const used = new Set(bankMatchesIn(matching).map(({ rule }) => rule));
  const texts = rules.filter((rule) => !used.has(rule)).map(({ text }) => `"${text}"`);
  return texts.length === 0 ? [] : [`No entry is taken by these bank_rules: ${enumerate(texts)}.`];
}

/** What is wrong in a statement, and where. Without a full stop, for lists. */
function statementFindingText(finding: StatementFinding): string {
  const { code, account, currency, scale, from, place, element, found, expected, difference } =
    finding;
  const { setting = '' } = finding;
  const of = `account ${account}`;
  const minor = difference ?? 0n;
  const off = ` (difference ${signedMoneyText({ minor, scale, currency })})`;
  const texts: Readonly<Record<StatementFinding['code'], string>> = {
    not_read: `not read: ${otherFileText(finding)}`,
    other_file: `not read: ${otherFileText(finding)}`,
    unreadable: present(
      `${element || 'this'} cannot be read: found ${found || 'nothing'}, expected ${expected}`,
      setting && `check ${settingText(setting)}`,
    ).join('; '),
    undated: `${of}: an entry of ${found} ${currency} has neither a booking date nor a value date, so it is not matched or booked`,
    odd_value_date: `${of}: the value date ${found} does not exist; the booking date counts`,
    balance_break: `${of}: the opening balance and the entries do not add up to the closing balance${off}`,
    overlap_break: `${of}: the balances are not those of the longer statement of these days${off}`,
    overlap: `${of}: ${found} ${currency} of ${from} counts once; ${element} lists it with other details`,
    statement_gap: `${of}: the opening balance is not the closing balance of the previous statement${off}`,
  };
  return `${placeText(place)}: ${texts[code]}`;
}

/** What is known of a file that was not read. */
function otherFileText({ element, found, expected, setting = '' }: StatementFinding): string {
  if (setting !== '' && expected === '') return `several mappings fit it: ${setting}`;
  if (setting !== '') {
    const has = found && `it has ${found}`;
    return present(`it lacks ${expected}, which ${setting} names`, has).join('; ');
  }
  if (element === 'a table') return 'a table, and the profile has no bank_csv for it';
  return element || 'not a bank statement that recon can read';
}

const decimals = ['decimal', 'thousands'];

/** The keys of a mapping that say how the values of a column are written. */
const keysFor: Readonly<Record<string, readonly string[]>> = {
  date: ['date_format'],
  value_date: ['date_format'],
  amount: decimals,
  debit: decimals,
  credit: decimals,
  fee: decimals,
  balance: decimals,
  direction: ['debit_words', 'credit_words'],
  status: ['booked_words', 'pending_words', 'ignored_words'],
};

/** `decimal and thousands in bank_csv`, for the column `bank_csv.amount`. */
function settingText(setting: string): string {
  const key = setting.slice(setting.lastIndexOf('.') + 1);
  const mapping = setting.slice(0, setting.lastIndexOf('.'));
  return `${enumerate(keysFor[key] ?? [key])} in ${mapping}`;
}

export function statementRemark(finding: StatementFinding): Remark {
  const tone = isRemark(finding) ? plain : isBroken(finding) ? alarm : unsure;
  return tone(statementFindingText(finding));
}

/** Why balances were not checked. */
export function notCheckedText(reason: NotCheckedReason): string {
  return reason.replaceAll('_', ' ');
}

/** The same as a sentence. */
export function statementSentence(finding: StatementFinding): string {
  return `${statementFindingText(finding)}.`;
}

/** `2026-03-05, 408.70 EUR from Example Payments, "E2E-1" (march.xml:120)`. */
export function entryText(share: EntryShare, scale: number): string {
  return `${share.entry.date}, ${paymentText(share, scale)}`;
}

/** `"PMT-0" stands in the text (march.csv:12); too short to count alone`: ids in entries that are only possible. */
export function shortIdTexts({ state, settlements, entries }: BankMatch): readonly string[] {
  if (state !== 'suggested' && state !== 'ambiguous') return [];
  return settlements.flatMap(({ settlement }) =>
    entries.flatMap((share) => {
      const texts = [...entryTexts(share, 'texts'), ...entryTexts(share, 'references')];
      const ids = shortIdsIn(settlement, texts).map((id) => `"${id}"`);
      const stand = ids.length === 1 ? 'stands' : 'stand';
      const where = entries.length === 1 ? '' : ` (${entryPlace(share)})`;
      return ids.length === 0
        ? []
        : `${enumerate(ids)} ${stand} in the text${where}; too short to count alone`;
    }),
  );
}

export function paymentText(share: EntryShare, scale: number): string {
  const { entry, part, amount } = share;
  const [name] = entryTexts(share, 'names');
  const text = cut(entryTexts(share, 'texts').join(' '), longestText);
  const money = moneyText({ minor: amount, scale, currency: entry.currency });
  const what = present(
    money,
    name && `${amount < 0n ? 'to' : 'from'} ${name}`,
    entry.isReversal && '(reversal)',
    part !== undefined && `(part ${part + 1} of an entry)`,
  ).join(' ');
  const returned = entry.returnReason && `returned: ${entry.returnReason}`;
  const said = present(what, returned, text && `"${text}"`).join(', ');
  return `${said} (${entryPlace(share)})`;
}

const longestText = 60;

export const reconciliationTones: Readonly<Record<BankVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};
