/** Kinds of faults that are known not to be told yet, each with a test in faults.test.ts. They are planted again once mended. */
export const known: {
  /** By name of the fault, the names of the forms; or all of them. */
  readonly untold: Readonly<Record<string, readonly string[] | 'all'>>;
  /** A refusal for the days or the currency hides what could not be read. */
  readonly hidden: boolean;
} = {
  untold: {
    'a currency is none': ['CFONB 120'],
    'an element of an entry is lost': ['OFX'],
    'a field is huge': ['OFX'],
    'a NUL stands in an entry': 'all',
    'NULs fill the place of an entry': 'all',
    'it is stopped by an error of the disk': 'all',
  },
  hidden: true,
};

export function isKnown(fault: string, form: string): boolean {
  const forms = known.untold[fault] ?? [];
  return forms === 'all' || forms.includes(form);
}
