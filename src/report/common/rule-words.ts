import type { ReportSettings } from '../../app/settlements-report.ts';
import type { Figures, RuleEffect } from '../../reconcile/computed.ts';
import type { RuleTotal } from '../../reconcile/groups.ts';
import type { ProposedRule } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { type Rule, type Rules, ruleLines, rulesIn, withRule } from '../../reconcile/rules.ts';
import { enumerate, many, present, type Unit } from './phrase.ts';
import { amountsThatDiffer } from './words.ts';

/** What a rule says is normal, as a clause: `transactions in state "declined" are not counted`. */
export function ruleClause(rule: Rule): string {
  switch (rule.rule) {
    case 'not_counted':
      return rule.count === 'stays'
        ? `${rowsOf(rule)} are counted without their amounts`
        : `${rowsOf(rule)} are not counted`;
    case 'signs': {
      const { amount, type } = rule;
      const whose = type === undefined ? '' : ` of ${rowsOf(rule)}`;
      const what = amount === undefined ? rowsOf(rule) : `${signedWords[amount]}${whose}`;
      const has = amount === 'gross' || amount === 'tax' ? 'has' : 'have';
      return `${what} ${has} the opposite sign`;
    }
    case 'rounding': {
      const how = rule.round === 'half_up' ? 'half up' : 'half to even';
      const where = rule.of === 'row' ? 'transaction by transaction' : 'in total';
      return `${rule.amount} ${rule.amount === 'tax' ? 'is' : 'are'} rounded ${where}, ${how}`;
    }
    case 'tax_in_fees':
      return taxWords[rule.tax];
  }
}

const signedWords = { gross: 'gross', fees: 'fees', tax: 'tax', fees_and_tax: 'fees and tax' };

export const taxWords = {
  moved: 'the settlement includes the tax in its fees and shows no separate tax',
  also_in_header: 'the settlement includes the tax in its fees and also shows it as tax',
  also_in_rows: 'the transactions include the tax in their fees and the settlement does not',
};

function rowsOf({ state, type }: Partial<Record<'state' | 'type', string | undefined>>): string {
  const ofType = type === undefined ? '' : ` of type "${type}"`;
  return `transactions${ofType}${state === undefined ? '' : ` in state "${state}"`}`;
}

/** The rules in use, in a line; empty if there are none. */
export function rulesText(rules: Rules): string {
  return rulesIn(rules).map(ruleClause).join('; ');
}

/** The settings of checks, for people; `none` if nothing is set. */
export function settingFacts(settings: ReportSettings, none = '') {
  const { tolerance, ignored, expectedScales, rules } = settings;
  const scales = [...expectedScales].map(([currency, places]) => `${currency} ${places}`);
  const minorUnits = `minor ${tolerance === 1n ? 'unit' : 'units'}`;
  return [
    ['Tolerance', tolerance === 0n ? none : `${tolerance} ${minorUnits} per amount`],
    ['Ignored checks', enumerate(ignored) || none],
    ['Decimal places', scales.length === 0 ? '' : `expected: ${scales.join(', ')}`],
    ['Rules', rulesText(rules)],
  ] as const;
}

/** The changes of a rule in a settlement. */
export function effectText({ rule, rows, change }: RuleEffect, form: Unit): string {
  const clause = ruleClause(rule);
  return change === undefined
    ? `${clause}: not applied, because the transactions do not follow a single rate`
    : `${clause} (${many(rows, 'transaction')}${changeText(change, form)})`;
}

/** The changes of all rules in a settlement. */
export function effectTexts({ byRule, scale, settlement }: ReconciledSettlement) {
  const { currency } = settlement;
  return byRule.map((effect) => effectText(effect, { scale, currency }));
}

/** The changes of a rule in several settlements. */
export function ruleTotalText(total: RuleTotal, form: Unit): string {
  const { rule, rows, change, settlements, notApplied } = total;
  const applied = `${many(rows, 'transaction')} in ${many(settlements, 'settlement')}`;
  const parts = present(
    settlements > 0 && `${applied}${changeText(change, form)}`,
    notApplied > 0 && notAppliedText(notApplied),
  );
  return `${ruleClause(rule)} (${parts.join('; ')})`;
}

/** Says that a rounding could not be applied. */
export function notAppliedText(settlements: number): string {
  return `not applied in ${many(settlements, 'settlement')} whose transactions do not follow a single rate`;
}

/** `, computed gross -57.00, net pay-out -57.00 EUR`; empty if no amount changes. */
function changeText(change: Figures, { scale, currency }: Unit): string {
  const amounts = amountsThatDiffer(change, scale);
  return amounts.length === 0 ? '' : `, computed ${amounts.join(', ')} ${currency}`;
}

/** The evidence for a rule, in a sentence. */
export function proposalText({ rule, settlements, tested }: ProposedRule): string {
  const more =
    rule.rule === 'rounding'
      ? many(settlements, 'more settlement agrees', 'more settlements agree')
      : many(settlements, 'more settlement balances', 'more settlements balance');
  const agree = rule.rule === 'rounding' ? `${more} in ${rule.amount}` : more;
  return `If ${ruleClause(rule)}, ${agree}. Of ${many(tested, 'settlement')} tested, none contradicts this.`;
}

/** The table of a profile in the configuration file: `profiles.spain`, `profiles."my shop"`. */
export function profileTable(profile: string): string {
  return `profiles.${/^[\w-]+$/.test(profile) ? profile : JSON.stringify(profile)}`;
}

type Proposed = readonly ProposedRule[];
type OfProfile = Pick<ReportSettings, 'profile' | 'rules'>;

/** The lines of the configuration file that set the proposed rules and the rules in use. */
export function proposedLines(proposed: Proposed, { profile, rules }: OfProfile) {
  const all = proposed.reduce((known, { rule }) => withRule(known, rule), rules);
  return [
    `[${profileTable(profile ?? 'NAME')}.rules]`,
    ...ruleLines(all).flatMap(([key, value]) => {
      if (typeof value === 'string') return [`${key} = ${value}`];
      const [only, ...others] = value;
      if (others.length === 0) return [`${key} = [${only}]`];
      return [`${key} = [`, ...value.map((entry) => `  ${entry},`), ']'];
    }),
  ];
}
