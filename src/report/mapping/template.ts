import { toml, tomlEscaped } from '../../base/texts.ts';
import type { MappingNote, Proposal, Setting } from '../../mapping/proposal.ts';
import { capitalised, grouped, many, present } from '../common/phrase.ts';
import { profileTable } from '../common/rule-words.ts';

const whose = {
  bank_csv: 'How the bank writes its files',
  orders_csv: 'How the shop writes its order files',
  settlements_csv: 'How the provider writes its settlement files',
};

/** A first mapping of the files of a bank, a shop or a provider, as part of a configuration file. */
export function fileMapping(proposal: Proposal, profile: string, name = ''): string {
  const { table, rows, settings, names, reading } = proposal;
  return [
    `# ${whose[table]}, by the ${many(rows, 'row')} of this one. Check it.`,
    `[${profileTable(profile)}.${present(table, name).join('.')}]`,
    ...settings.filter(({ isOpen }) => !isOpen).map(settingLine),
    ...settings.filter(({ isOpen }) => isOpen).flatMap((one) => openLines(one, table)),
    ...(doubts[String(settings[0]?.value)] ?? []),
    ...(reading ? readingLines(reading) : []),
    `# The columns of the file: ${names.map(tomlEscaped).join(', ')}`,
    '',
  ].join('\n');
}

function settingLine({ key, value, notes }: Setting): string {
  const said = notes.map(noteText).join('; ');
  return `${key} = ${tomlOf(value)}${said === '' ? '' : `  # ${said}`}`;
}

/** What is to be decided, and the line to uncomment. */
function openLines(one: Setting, table: string): readonly string[] {
  return [`# ${openQuestion(one, table)}`, `#${one.key} = ${tomlOf(one.value)}`];
}

/** What is to be decided of a setting, in sentences. */
export function openQuestion({ key, notes }: Setting, table: string): string {
  const question = questions[`${table}.${key}`] ?? questions[key];
  return present(question, ...notes.map((one) => `${noteText(one)}.`))
    .map(capitalised)
    .join(' ');
}

/** What the user must know to decide. */
const questions: Readonly<Record<string, string>> = {
  account: 'The number of your account: needed beside other statements of it.',
  currency: 'A column, or a code such as "EUR".',
  'bank_csv.currency':
    'A column, a code such as "EUR", or a code for each account: { "ACCOUNT" = "EUR" }.',
  'payouts.currency': 'A column, or a code such as "EUR".',
  payout_types:
    'Nothing in this file says what is paid out. Name the types of such lines, with type, or add the report of pay-outs: --init LINES --init PAYOUTS.',
  document: 'Some orders have several totals: the column that tells their documents apart.',
  methods: 'What the service pays, as the column method has it; [] if it pays every order.',
  'bank_csv.status': 'Say which words mean booked, pending or never money of the account.',
  'orders_csv.status':
    'Say which words mean unpaid or cancelled, in unpaid_words and cancelled_words.',
};

/** What is uncertain in a preset and must be checked. */
const doubts: Readonly<Record<string, readonly string[]>> = {
  shopify: [
    '# Check that Currency is what customers paid in: descriptions of this column disagree.',
  ],
  magento: [
    '# The grid has no currency. It must show the columns Payment Method and Total Refunded.',
  ],
  bigcommerce: [
    '# Order Date has no time zone: set that of the shop.',
    '#time_zone = "Europe/Madrid"',
  ],
  woocommerce: [
    '# If transactions name order_id instead: order = "order_id". Refunds are not in this file.',
  ],
  shopware: [
    '# Shopware writes times in UTC. The days are those of the shop: set its zone, unless the profile has it.',
    '#time_zone = "Europe/Berlin"',
    "# The shop's default profile has no method, status and refunds. Without them, bank transfers,",
    '# unpaid and cancelled orders are reported as missing: add them to it in the shop.',
  ],
  prestashop: ['# Orders of a split cart share a Reference. Refunds are not in this file.'],
  pretix_orders: [
    '# Beside a gift card, it does not say what each paid: order payments and refunds do.',
  ],
  square: ['# Card is what was paid by card, not by cash or a gift card.'],
  stripe: ['# What was paid in test mode is left out by the column Mode.'],
};

function noteText(note: MappingNote): string {
  switch (note.code) {
    case 'dates':
    case 'amounts':
      return `${grouped(note.count)} of ${many(note.of, note.code.slice(0, -1))}`;
    case 'lines':
      return `${grouped(note.count)} of ${many(note.of, 'line')} can be read, and add up`;
    case 'pairs':
      return `it has ${grouped(note.count)} of ${many(note.of, 'pay-out')} of the lines`;
    case 'balances':
      return `${grouped(note.count)} of ${many(note.of, 'row')} agree`;
    case 'lacks':
      return `the file has no column ${note.values.map(tomlOf).join(', ')}`;
    case 'or':
      return `or ${note.values.map(tomlOf).join(', ')}`;
    case 'either':
      return note.values.length > 1
        ? `which of these is meant is not clear: ${note.values.map(tomlOf).join(', ')}`
        : 'it could be this column, by its name';
    case 'dates_of_both':
      return `no day is above 12, so all of these fit: ${note.values.map(tomlOf).join(', ')}`;
    case 'words':
      return note.words
        .map(([word, count]) => `${tomlEscaped(word)} (${grouped(count)})`)
        .join(', ');
    default:
      return noteTexts[note.code];
  }
}

const noteTexts = {
  by_name: 'in the name of a column',
  by_amounts: 'beside the amounts',
  by_lines_above: 'in a line above the table',
  by_values: 'by its values alone',
  by_profile: 'the name of the profile: change it if you like',
  empty: 'no value in this file',
  not_found: 'not found in the file',
  no_sign: 'no amount has a sign, so money out is not told from money in',
  not_read: 'its values are not as expected',
  no_sum: 'the gross less fees and tax is not the net',
  repeated: 'some values repeat, and lines with the same id count once',
};

function readingLines({
  entries,
  unreadable,
}: NonNullable<Proposal['reading']>): readonly string[] {
  const named = unreadable
    .slice(0, 3)
    .map(({ line, element }) => `line ${line} (${tomlEscaped(element)})`);
  const more = unreadable.length > named.length ? ' and others' : '';
  return [
    `# Read by this mapping: ${many(entries, 'entry', 'entries')}.`,
    ...(named.length > 0 ? [`# Not readable by it: ${named.join(', ')}${more}.`] : []),
  ];
}

function tomlOf(value: Setting['value']): string {
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : toml(value);
}
