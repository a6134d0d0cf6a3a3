import { expect, test } from 'vitest';
import { parseProfileFile } from '../../../src/config/config-file.ts';
import { type Rule, type Rules, withRule } from '../../../src/reconcile/rules.ts';
import { proposedLines } from '../../../src/report/common/rule-words.ts';

const every: readonly Rule[] = [
  { rule: 'not_counted', state: 'follows', count: 'follows' },
  { rule: 'not_counted', state: 'a "b" \\ c\n', type: 'x', count: 'stays' },
  { rule: 'signs', type: 'refund' },
  { rule: 'signs', type: 'refund', amount: 'fees_and_tax' },
  { rule: 'rounding', amount: 'fees', of: 'total', round: 'half_even' },
  { rule: 'tax_in_fees', tax: 'also_in_rows' },
];

/** The rules that a configuration file with these lines has. */
function understood(lines: readonly string[], profile: string): unknown {
  const { profiles } = parseProfileFile(lines.join('\n'), 'config.toml');
  return JSON.parse(String(profiles.get(profile)?.rules));
}

test.each(every)('the proposed lines contain the rule: $rule', (rule) => {
  const proposed = [{ rule, settlements: 3, tested: 5, settlementIds: [] }];
  const lines = proposedLines(proposed, { profile: 'my "shop"', rules: {} });
  expect(understood(lines, 'my "shop"')).toEqual(withRule({}, rule));
});

test('the proposed lines contain the rules in use too, and are short enough', () => {
  const [first, , third, , ...others] = every;
  const rules = [first, third].reduce<Rules>((all, rule) => (rule ? withRule(all, rule) : all), {});
  const more = [...others, { rule: 'not_counted', type: 'chargeback', count: 'stays' } as const];
  const proposed = more.map((rule) => ({ rule, settlements: 3, tested: 5, settlementIds: [] }));
  const lines = proposedLines(proposed, { profile: undefined, rules });
  expect(understood(lines, 'NAME')).toEqual(more.reduce(withRule, rules));
  expect(lines).toContain('  { state = "follows" },');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(76);
});
