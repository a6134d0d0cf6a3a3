import { profileTable } from '../common/rule-words.ts';

interface Proposal {
  readonly delimiter: string;
  readonly preset: string | undefined;
  readonly columns: readonly (readonly [key: string, column: string])[];
  readonly open: readonly string[];
  readonly names: readonly string[];
}

/** What is uncertain in a preset and must be checked. */
const doubts: Readonly<Record<string, string>> = {
  shopify:
    '# Check that Currency is what customers paid in: descriptions of this column disagree.\n#currency = "EUR"\n',
  magento:
    '# The grid has no currency. It must show the columns Payment Method and Total Refunded.\n',
  bigcommerce:
    '# Order Date has no time zone: set that of the shop.\n#time_zone = "Europe/Madrid"\n',
};

/** A first mapping of an order file, as part of a configuration file. */
export function ordersTemplate(proposal: Proposal, profile: string): string {
  const { preset, columns, open, names, delimiter } = proposal;
  const line = (key: string, value: string) => `${key} = ${JSON.stringify(value)}\n`;
  return [
    '# How the shop writes its order files. Check it. Then add these lines to the configuration file, or name\n',
    `# this file with --config.\n[${profileTable(profile)}.orders_csv]\n`,
    preset ? line('preset', preset) : '',
    delimiter === ',' ? '' : line('delimiter', delimiter),
    ...columns.map(([key, column]) => line(key, column)),
    ...open.map((key) => `# Needed, and not found in the file:\n#${line(key, '')}`),
    '# What the service pays, as the column method has it; [] if it pays every order.\n',
    '#methods = ["Cards"]\n',
    preset ? (doubts[preset] ?? '') : '# Check these, and how the file writes dates and amounts:\n',
    preset ? '' : '#date_format = "DD.MM.YYYY"\n#decimal = ","\n',
    `# The columns of the file: ${names.join(', ')}\n`,
  ].join('');
}
