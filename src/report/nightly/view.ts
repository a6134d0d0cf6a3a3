import type { News, NightOnBank, ProfileNight } from '../../app/night-result.ts';
import { hasNews, isKnownFailure, verdictOfNight } from '../../app/night-result.ts';
import { shellWord } from '../../base/texts.ts';
import type { NewsKind } from '../../model/night.ts';
import {
  answerBlock,
  column,
  facts,
  listed,
  plain,
  remarks,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonFacts, jsonSum, jsonViews } from '../common/json.ts';
import {
  canBeCopied,
  command,
  daysText,
  firstOf,
  grouped,
  many,
  present,
  rangeText,
  signedDigitsOf,
  signedMoneyText,
} from '../common/phrase.ts';
import type { Block, Remark, Section, View, Views, Workbook } from '../common/view.ts';
import { verdictTones, verdictWords } from '../common/words.ts';
import { sectionSheet, type TableColumn, tableSheet, textBlocks } from '../common/workbook.ts';
import { statesText } from '../export/view.ts';
import {
  detailTexts,
  jsonEnding,
  jsonNews,
  knownText,
  newsRemark,
  newsSentence,
  newsWords,
} from './words.ts';

interface ProfileNews extends Omit<News, 'details'>, Pick<ProfileNight, 'profile' | 'names'> {
  readonly details: readonly string[];
  /** The likely cause, or else the first finding: the rest is in CSV, JSON and `recon explain`. */
  readonly brief: readonly string[];
}

/** The report of `recon nightly`, in the order of the profiles. A record is one piece of news. */
export function nightlyViews(profiles: readonly ProfileNight[]): Views {
  const news = profiles.flatMap(newsOfProfile);
  return {
    view: () => nightlyView(profiles, news),
    records: () => records(newsColumns, news),
    workbook: () => nightlyWorkbook(profiles, news),
    ...jsonViews(() => ({
      about: { verdict: verdictOfNight(profiles) },
      lists: {
        profiles: ['profile', profiles.map(jsonProfile)],
        news: ['news', news.map(jsonNewsWithDetails)],
      },
    })),
  };
}

const nothingToRead = 'nothing to read';

/** No day is due and the folder is empty, so there is no verdict to show. */
function isWithoutDays({ lagDays, publishedTo }: ProfileNight): boolean {
  return lagDays === 0 && publishedTo === undefined;
}

function newsOfProfile({ profile, names, news }: ProfileNight): readonly ProfileNews[] {
  return news.map((one) => {
    const details = one.details.flatMap(detailTexts);
    return { ...one, profile, names, details, brief: briefOf(one.details).flatMap(detailTexts) };
  });
}

/** Without the findings that a cause explains, or all but the first of them. */
function briefOf(details: News['details']): News['details'] {
  const [first] = details.filter(({ about }) => about === 'discrepancy');
  const isExplained = details.some((one) => one.about === 'explanation' && one.explained.best);
  return details.filter((one) => one.about !== 'discrepancy' || (one === first && !isExplained));
}

/** New columns go to the end. */
const newsColumns: readonly Column<ProfileNews>[] = [
  field.text('id', ({ id }) => id),
  field.text('profile', ({ profile = '' }) => profile),
  field.text('kind', ({ kind }) => kind),
  field.list('also', ({ also }) => also),
  field.text('day', ({ day = '' }) => day),
  field.text('settlement_id', ({ settlement }) => settlement?.id),
  field.text('accounting_token', ({ settlement }) => settlement?.accountingToken),
  field.text('verdict', ({ settlement }) => settlement?.verdict),
  field.text('currency', ({ settlement }) => settlement?.currency),
  {
    key: 'difference',
    kind: 'amount',
    value: ({ settlement }) => settlement?.difference && signedDigitsOf(settlement.difference),
  },
  field.list('codes', ({ settlement }) => settlement?.codes ?? []),
  field.list('details', ({ details }) => details),
];

function nightlyView(profiles: readonly ProfileNight[], news: readonly ProfileNews[]): View {
  const verdict = verdictOfNight(profiles);
  const [only] = profiles;
  const isOne = profiles.length === 1 && only?.profile === undefined;
  const isEmpty = profiles.every(isWithoutDays);
  const nothing = isEmpty && !profiles.some(hasNews);
  return [
    answerBlock(
      (isEmpty ? nothingToRead : verdictWords[verdict]).toUpperCase(),
      isEmpty ? 'quiet' : verdictTones[verdict],
      nothing ? 'No day is due, and the folder has no days before today.' : newsSentence(profiles),
    ),
    isOne && only ? facts(factsOf(only)) : profilesSection(profiles),
    ...newsBlocks(news, profiles.length > 1),
    ...remarks('Known', profiles.flatMap(knownRemarks)),
    ...listed('Next', profiles.flatMap(nextSteps), '>'),
  ];
}

const explained: ReadonlySet<NewsKind> = new Set([
  'out_of_balance',
  'changed',
  'acceptance',
  'closed_changed',
]);
const ofBank: ReadonlySet<NewsKind> = new Set([
  'missing_on_bank',
  'bank_difference',
  'returned_by_bank',
  'unknown_on_bank',
]);

/** The commands that explain the alarms of a night, from its folder. */
function nextSteps({ news, profile, folder, bank }: ProfileNight): readonly string[] {
  const whose = profile === undefined ? '' : `--profile ${shellWord(profile)}`;
  const of = `--from-export ${shellWord(folder)}`;
  const id = news.find(({ kind }) => explained.has(kind))?.settlement?.id ?? '';
  const days = news.flatMap(({ kind, day }) => (kind === 'overcharged' && day ? day : [])).sort();
  const [first, last] = [days[0], days.at(-1)];
  const isOff = news.some(({ kind }) => ofBank.has(kind));
  return present(
    canBeCopied(id) && `Why it does not balance: ${command('recon explain', id, of, whose)}`,
    first &&
      `What was overcharged: ${command(`recon fees --from ${first} --to ${last}`, of, whose)}`,
    isOff &&
      bank?.days &&
      `What the bank has: ${command(`recon bank --from ${bank.days.from} --to ${bank.days.to}`, of, whose)}`,
  );
}

function factsOf(one: ProfileNight): readonly (readonly [string, string | undefined])[] {
  return [
    ['Folder', one.folder],
    ['Published up to', one.publishedTo],
    ['Days read', readText(one)],
    ['Bank', one.bank && onBankText(one.bank)],
  ];
}

/** `2026-03-01 to 2026-03-31: 37 matched, 1 missing`. */
function onBankText({ days, isRead, ...counts }: NightOnBank): string {
  const said = (count: number, words: string) => count > 0 && `${grouped(count)} ${words}`;
  const parts = present(
    said(counts.matched, 'matched'),
    said(counts.missing, 'missing'),
    said(counts.differences, 'with a difference'),
    said(counts.accepted, 'with an accepted difference'),
    said(counts.unknown.size, 'unknown to the service'),
    said(counts.undecided, 'to decide'),
    !isRead && (days ? 'NOT FULLY READ' : 'STATEMENTS NOT READ'),
  );
  return present(days && rangeText(days), parts.join(', ') || 'no pay-outs').join(': ');
}

function readText({ days }: ProfileNight): string {
  const states = statesText(days.map(({ exported }) => exported));
  return days.length === 0 ? 'none' : `${many(days.length, 'day')}: ${states}`;
}

function profilesSection(profiles: readonly ProfileNight[]): Section {
  return section('Profiles', profiles, [
    column.text('Profile', ({ profile = '' }) => profile),
    column.text('Verdict', (one) =>
      isWithoutDays(one) ? nothingToRead : verdictWords[one.verdict],
    ),
    column.integer('New', ({ news }) => news.length),
    column.integer('Known', ({ known }) => known.settlements, { priority: 2 }),
    column.text('Published up to', ({ publishedTo = '' }) => publishedTo, { priority: 2 }),
    column.text('Days read', readText, { priority: 3 }),
    column.integer('Days missing', ({ lagDays = '' }) => lagDays, { priority: 3 }),
    column.text('Bank', ({ bank }) => (bank ? onBankText(bank) : ''), { priority: 2 }),
  ]);
}

function newsBlocks(news: readonly ProfileNews[], hasSeveral: boolean): readonly Block[] {
  const title = 'New since the last run';
  const others = news.filter(({ settlement }) => !settlement);
  const ofSettlements = news.filter(({ settlement }) => settlement);
  const whose = column.text<ProfileNews>('Profile', ({ profile }) => profile, { priority: 3 });
  return [
    ...remarks(
      title,
      // `spain: 2026-03-05: day not read: 1 row cannot be read`.
      others.map(({ profile, day, kind, details }) =>
        newsRemark(kind, present(profile, day, newsWords(kind), ...details).join(': ')),
      ),
    ),
    ...sectionIfAny(
      others.length > 0 ? 'Settlements' : title,
      ofSettlements,
      [
        ...(hasSeveral ? [whose] : []),
        column.day('Day', ({ day }) => day, { priority: 3 }),
        column.text('What', kindsText),
        column.id('Settlement', ({ settlement }) => settlement?.id),
        // One column for the amount and its currency, so the table fits 80 columns.
        column.text(
          'Difference',
          ({ settlement }) => settlement?.difference && signedMoneyText(settlement.difference),
          { priority: 2 },
        ),
      ],
      {
        remarks: ({ kind, brief }) => brief.map((text) => newsRemark(kind, text)),
        // The next run does not repeat it.
        limit: news.length,
      },
    ),
  ];
}

function kindsText({ kind, also }: ProfileNews): string {
  return [kind, ...also].map(newsWords).join(', ');
}

function knownRemarks(one: ProfileNight): readonly Remark[] {
  const { profile, knownUnread, incompleteDays, pending, overdue, failure, bank } = one;
  const unread = one.pendingUnread.map(({ id, day }) => `${id} (${day})`);
  const label = profile === undefined ? '' : `${profile}: `;
  return present(
    failure?.cause === 'locked' && failure.message,
    one.aheadTo &&
      `The folder has days up to ${one.aheadTo}, which are still to come by the clock of this machine: correct the clock, or move these days away.`,
    isKnownFailure(one) && `The run failed again: ${failure?.message}`,
    knownRemark(one),
    knownUnread.length > 0 &&
      `${daysText(knownUnread)}: still not read, for the same reason.${publishText(one)}`,
    incompleteDays.length > 0 && `${daysText(incompleteDays)}: published incomplete.`,
    ...(bank?.knownProblems ?? [])
      .flatMap(detailTexts)
      .map((text) => `Bank statements, as before: ${text}`),
    pending > 0 &&
      `${many(pending, 'pending settlement')}${overdue > 0 ? `, ${overdue} overdue` : ''}.`,
    unread.length > 0 &&
      `Pending and not fully read, so read again each night: ${firstOf(unread)}.`,
  ).map((text) => plain(`${label}${text}`));
}

/** `3 known differences, 87.80 EUR absolute: recon settlements ...`. */
function knownRemark({ known, folder }: ProfileNight): string | undefined {
  const text = knownText([known]);
  if (text === '') return undefined;
  const show = command(
    `recon settlements --from-export ${shellWord(folder)}`,
    `--from ${known.from} --to ${known.to}`,
    '--only out_of_balance',
  );
  return `${text}: ${show}`;
}

function publishText({ publishable, folder }: ProfileNight): string {
  if (publishable === undefined) return '';
  const publish = 'recon export --publish-incomplete';
  return ` To publish what can be read: ${command(publish, publishable, '--out', shellWord(folder))}`;
}

function jsonProfile(one: ProfileNight) {
  const { folder, known, pending, overdue } = one;
  return {
    ...jsonEnding(one),
    folder,
    days: one.days.map(({ day, reason, exported: { state, verdict } }) => {
      return { day, reason, state, verdict };
    }),
    known: {
      settlements: known.settlements,
      from: known.from,
      to: known.to,
      absolute: known.absolute.map(jsonSum),
    },
    pending,
    overdue,
    knownUnread: one.knownUnread,
    incompleteDays: one.incompleteDays,
    ...(one.aheadTo && { aheadTo: one.aheadTo }),
    ...(one.stateKeptAs && { stateDamaged: true, stateKeptAs: one.stateKeptAs }),
    ...(one.bank && { bank: jsonBank(one.bank) }),
    error: one.failure,
  };
}

function jsonBank({ days, unknown, known, explained: _, ...counts }: NightOnBank) {
  return {
    from: days?.from,
    to: days?.to,
    ...counts,
    knownProblems: counts.knownProblems.flatMap(detailTexts),
    unknown: unknown.size,
    known: known.size,
  };
}

function jsonNewsWithDetails(news: ProfileNews) {
  const { facts: overdue = null } = news.settlement?.overdue ?? {};
  return { ...jsonNews(news, news), overdue: jsonFacts(overdue, 0), details: news.details };
}

function nightlyWorkbook(
  profiles: readonly ProfileNight[],
  news: readonly ProfileNews[],
): Workbook {
  const several = profiles.length > 1;
  const columns: readonly TableColumn<ProfileNews>[] = [
    ...(several ? [{ title: 'Profile', cell: ({ profile = '' }) => profile, isKey: true }] : []),
    { title: 'Day', kind: 'day', cell: ({ day }) => day, isKey: true },
    { title: 'What', cell: kindsText },
    { title: 'Settlement', cell: ({ settlement }) => settlement?.id },
    { title: 'Details', cell: ({ details }) => details.join('; '), isProse: true },
    { title: 'Currency', cell: ({ settlement }) => settlement?.currency },
    { ...difference((one) => !isOfBank(one)), title: 'Difference in net pay-out' },
    { title: 'Findings', cell: ({ settlement }) => (settlement?.codes ?? []).join(' | ') },
    { title: 'Account id', cell: ({ settlement }) => settlement?.accountingToken },
    ...(news.some(isOfBank) ? [{ ...difference(isOfBank), title: 'Bank difference' }] : []),
  ];
  return {
    title: 'Nightly run',
    summary: textBlocks(nightlyView(profiles, news)),
    tables: [
      tableSheet('News', news, columns),
      sectionSheet('Profiles', profilesSection(profiles)),
    ],
  };
}

function isOfBank({ kind }: ProfileNews): boolean {
  return kind === 'bank_difference' || kind === 'returned_by_bank' || kind === 'on_bank';
}

function difference(isMeant: (one: ProfileNews) => boolean) {
  const cell = (one: ProfileNews) => (isMeant(one) ? one.settlement?.difference : undefined);
  return { kind: 'difference', cell } as const;
}
