import { addDays, daysOf, isDayIn } from '../base/calendar.ts';
import { bankAcceptanceOf } from '../match/bank-acceptance.ts';
import { entryKey, explainedEntries } from '../match/explained-entries.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import { matchPayouts } from '../match/match-payouts.ts';
import { daysAround, explainingDays, payoutDays } from '../match/payout-days.ts';
import type { AcceptedLine } from '../model/accepted-difference.ts';
import type { BankStatements } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import type { Acceptance, AcceptedDifferences } from '../reconcile/acceptance.ts';
import { isAcceptedMatch, isOpenOn } from '../report/bank/report.ts';
import { statementSentence } from '../report/bank/words.ts';
import type { NightOnBank, ProfileNight } from '../report/nightly/report.ts';
import type { Archive } from './archive.ts';
import type { BankStand, NightState } from './state.ts';

/** What a night is given of the bank. */
export interface BankOfNight {
  /** The statements, or why they cannot be read, as a sentence. */
  readonly statements: BankStatements | string;
  /** IBANs or numbers of the accounts that the service pays from. */
  readonly counterparties: readonly string[];
}

/** What the statements say beside what was told of them. */
export interface BankFindings {
  /** What is not as it should be. */
  readonly stands: readonly BankStandNow[];
  /** What was told, and is neither so now nor otherwise: it goes on as told. */
  readonly open: readonly BankStand[];
  /** Of pay-outs that were told of, the matches that they have now. */
  readonly matched: ReadonlyMap<string, BankMatch>;
  /** What is wrong with the statements themselves: sentences. */
  readonly problems: readonly string[];
  readonly onBank: NightOnBank;
}

/** A match that is not as it should be. */
export interface BankStandNow {
  readonly stand: BankStand;
  readonly match: BankMatch;
  /** What people have accepted of it, where that counts no longer. */
  readonly acceptance: Acceptance<AcceptedLine> | undefined;
}

/** The days around an entry whose settlements may explain it: those of a pay-out, and a weekend after it. */
const explained = { before: daysAround.after, after: 3 };

const kinds: Readonly<Partial<Record<BankState, BankStand['kind']>>> = {
  missing_on_bank: 'missing_on_bank',
  difference: 'bank_difference',
  returned: 'returned_by_bank',
  unknown_on_bank: 'unknown_on_bank',
};

/** States that leave open how a pay-out, or an entry, stands. */
const undecided: readonly BankState[] = [
  'suggested',
  'ambiguous',
  'in_transit',
  'not_covered',
  'pending_on_bank',
];

/**
 * Matches the days in place with the statements, as far back as these are about them, and further where
 * something was told. What is unknown to the service counts once the days around it are in place.
 */
export async function findOnBank(
  archive: Archive,
  { bank: told }: NightState,
  { statements, counterparties }: BankOfNight,
  accepted: AcceptedDifferences | undefined,
): Promise<BankFindings> {
  if (typeof statements === 'string') {
    const problems = [statements];
    const onBank = {
      ...{ ...countOnBank([], accepted), ...knownOf([], problems, told) },
      ...{ days: undefined, isRead: false, explained: new Set<string>() },
    };
    return { stands: [], open: told.stands, matched: new Map(), problems, onBank };
  }
  const range = payoutDays(statements);
  const settlements = await settlementsOf(archive, range, told.stands);
  const options = { range: range ?? { from: '', to: '' }, counterparties };
  const { matches, outside } = matchPayouts(settlements, statements, options);
  const toldIds = new Set(told.stands.map(({ id }) => id));
  const all = [
    ...matches,
    ...outside.filter((match) => idsOf(match).some((id) => toldIds.has(id))),
  ];
  const areDaysIn = daysAroundIn(archive);
  const counted = all.filter(
    ({ state, entries }) =>
      state !== 'unknown_on_bank' || entries.every(({ entry }) => areDaysIn(entry.date)),
  );
  const alarming = counted.flatMap((match) => standOf(match, accepted) ?? []);
  const isStanding = new Set(alarming.map(({ stand }) => stand.id));
  const byId = new Map(all.flatMap((match) => idsOf(match).map((id) => [id, match])));
  const findings = statements.findings.filter(({ code }) => code !== 'odd_value_date');
  const problems = findings.map(statementSentence);
  return {
    stands: alarming,
    open: told.stands.filter(({ id, kind }) => {
      const { state } = byId.get(id) ?? {};
      // An entry whose statement has left the folder is nobody's concern any more.
      const isOpen = state ? undecided.includes(state) : kind !== 'unknown_on_bank';
      return isOpen && !isStanding.has(id);
    }),
    matched: new Map([...byId].filter(([id, { state }]) => toldIds.has(id) && state === 'matched')),
    problems,
    onBank: {
      ...countOnBank(counted, accepted),
      ...knownOf(alarming, problems, told),
      explained: explainedEntries([...matches, ...outside]),
      days: range && { ...range, from: addDays(range.from, daysAround.before) },
      isRead: !findings.some((one) => isOpenOn(options.range, one)),
    },
  };
}

/** How many pay-outs there are of each kind, and which entries have none. */
function countOnBank(matches: readonly BankMatch[], accepted: AcceptedDifferences | undefined) {
  const counts = { matched: 0, missing: 0, differences: 0, accepted: 0, undecided: 0 };
  const unknown = new Set<string>();
  for (const match of matches) {
    const { state, entries } = match;
    const count = match.settlements.length;
    if (state === 'unknown_on_bank') for (const one of entries) unknown.add(entryKey(one));
    const isAccepted = isAcceptedMatch(match, accepted);
    if (state === 'matched') counts.matched += count;
    if (state === 'missing_on_bank') counts.missing += count;
    if (isAccepted) counts.accepted += count;
    else if (state === 'difference' || state === 'returned') counts.differences += count;
    if (state === 'suggested' || state === 'ambiguous') counts.undecided += count;
  }
  return { ...counts, unknown };
}

/** A night without the unknown entries that pay-outs of other profiles explain. */
export function withoutExplained<Of extends Pick<ProfileNight, 'news' | 'bank'>>(
  night: Of,
  explained: ReadonlySet<string>,
): Of {
  const { news, bank } = night;
  if (!bank) return night;
  const without = (ids: ReadonlySet<string>) =>
    new Set([...ids].filter((id) => !explained.has(id)));
  return {
    ...night,
    news: news.filter(({ entry = '' }) => !explained.has(entry)),
    bank: { ...bank, unknown: without(bank.unknown), known: without(bank.known) },
  };
}

/** What is written down of it once it was told. */
export function bankTold({ stands, open, problems }: BankFindings): NightState['bank'] {
  return { stands: [...stands.map(({ stand }) => stand), ...open], problems: [...problems] };
}

/** The settlements in place that entries may be about: of the range, of the days around it, and those told of. */
async function settlementsOf(
  archive: Archive,
  range: DateRange | undefined,
  told: readonly BankStand[],
): Promise<readonly Settlement[]> {
  const around = range && explainingDays(range);
  const toldDays = new Set(told.map(({ day }) => day));
  const settlements = new Map<string, Settlement>();
  for (const day of archive.days.keys()) {
    if (!(around && isDayIn(around, day)) && !toldDays.has(day)) continue;
    // One that has moved from a day that can't be read lies on two: it counts where it is later.
    for (const one of await archive.headers(day)) settlements.set(one.id, one);
  }
  return [...settlements.values()];
}

function idsOf({ settlements, entries }: BankMatch): readonly string[] {
  return [...settlements.map(({ settlement }) => settlement.id), ...entries.map(entryKey)];
}

/** Whether all days are in place whose settlements may explain what is booked on a day. */
function daysAroundIn({ days }: Archive): (day: string) => boolean {
  // A year has thousands of entries on a few hundred days.
  const known = new Map<string, boolean>();
  const areThere = (day: string) => {
    const from = addDays(day, -explained.before);
    return [...daysOf({ from, to: addDays(day, explained.after) })].every((one) => days.has(one));
  };
  return (day) => {
    const are = known.get(day) ?? areThere(day);
    known.set(day, are);
    return are;
  };
}

/** How a match stands that is not as it should be; nothing of one that people have accepted as it is. */
function standOf(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): BankStandNow | undefined {
  const kind = kinds[match.state];
  const [share] = match.settlements;
  const [first] = match.entries;
  const id = share?.settlement.id ?? (first && entryKey(first));
  const day = share?.settlement.date ?? first?.entry.date;
  const acceptance = bankAcceptanceOf(match, accepted);
  const isAccepted = acceptance?.state === 'accepted';
  if (!kind || id === undefined || day === undefined || isAccepted) return undefined;
  const { currency, scale, expected, received } = match;
  const amounts = [expected, received].map((minor) => formatMinor(minor, scale));
  const mark = [currency, ...amounts, acceptance?.state].join(' ').trim();
  return { stand: { id, day, kind, mark }, match, acceptance };
}

/** Whether it was told before that something stands so. */
export function wasTold({ stands }: NightState['bank'], { id, kind, mark }: BankStand): boolean {
  return stands.some((one) => one.id === id && one.kind === kind && one.mark === mark);
}

function knownOf(
  stands: readonly BankStandNow[],
  problems: readonly string[],
  told: NightState['bank'],
) {
  const known = stands.filter(({ stand }) => wasTold(told, stand));
  return {
    known: new Set(known.map(({ stand }) => stand.id)),
    knownProblems: problems.filter((problem) => told.problems.includes(problem)),
  };
}
