import { describe, expect, test } from 'vitest';
import type { SettlementsReport } from '../../../src/app/settlements-report.ts';
import { entry } from '../../../src/reconcile/entry.ts';
import type { Remarks, Section } from '../../../src/report/common/view.ts';
import { settlementsView } from '../../../src/report/settlements/view.ts';
import { idOf, month, reconciled, report, settlement } from '../build-report.ts';

function sections(from: SettlementsReport): readonly Section[] {
  return settlementsView(from).filter((block) => block.kind === 'section');
}

function remarksOf(from: SettlementsReport, title: string): readonly string[] {
  return settlementsView(from)
    .filter((block): block is Remarks => block.kind === 'remarks' && block.title === title)
    .flatMap(({ remarks }) => remarks.map(({ text }) => text));
}

const off = (number: number, id = idOf(number)) => reconciled(settlement({ id }), { fees: 1n });

describe('the view of settlements', () => {
  test('begins with the verdict', () => {
    expect(settlementsView(month()).slice(0, 2)).toMatchObject([
      { kind: 'answer', label: 'INCOMPLETE', tone: 'unsure' },
      { kind: 'facts' },
    ]);
  });

  test('shows the settings behind the figures', () => {
    const run = report([], {
      settings: { tolerance: 2n, ignored: ['tax'], filters: { cid: 7 }, identity: 'gross-fees' },
    });
    expect(settlementsView(run)[1]).toEqual({
      kind: 'facts',
      facts: [
        ['Range', '2026-03-01 to 2026-03-31 (inclusive)'],
        ['Filters', 'cid 7'],
        ['Profile', 'es'],
        ['Net pay-out', 'gross - fees'],
        ['Tolerance', '2 minor units per amount'],
        ['Ignored checks', 'tax'],
        ['Everything read', 'yes: 0 settlements, 0 transactions'],
      ],
    });
  });

  test('has a section for each verdict that needs attention, with pending apart', () => {
    expect(sections(month()).map(({ title }) => title)).toEqual([
      'Totals by account and currency (differences in net pay-out)',
      'From gross to net pay-out (as reported)',
      'Out of balance: 4 settlements',
      'Incomplete: 1 settlement',
      'Pending: 1 settlement, net pay-out 98.20 EUR',
    ]);
  });

  test('shows balanced settlements if they are asked for', () => {
    expect(sections({ ...month(), only: ['balanced'] }).map(({ title }) => title)).toEqual([
      'Totals by account and currency (differences in net pay-out)',
      'From gross to net pay-out (as reported)',
      'Balanced: 7 settlements',
    ]);
  });

  test('leaves out single settlements by group', () => {
    const blocks = settlementsView({ ...month(), splitBy: ['account'] });
    expect(blocks.filter((block) => block.kind === 'section')).toHaveLength(2);
  });

  test('leaves out columns without information', () => {
    const titles = sections(report([off(1)])).map(({ columns }) =>
      columns.map(({ title }) => title),
    );
    expect(titles[0]).not.toContain('Pending');
    expect(titles[0]).not.toContain('Incomplete');
    const identityOff = report([off(1)], { settings: { identity: 'off' } });
    expect(sections(identityOff)[2]?.columns.map(({ title }) => title)).not.toContain(
      'Net pay-out difference',
    );
  });

  test('has the findings of each settlement in words, opinions first', () => {
    const remarks = sections(month())[2]?.rows.map((row) => row.remarks.map(({ text }) => text));
    expect(remarks?.[0]).toEqual([
      'the service says balanced; the checks say out of balance',
      'fees: reported 1.51 EUR, computed 1.50 EUR (difference +0.01)',
    ]);
    expect(remarks?.[2]).toEqual(['the service says out of balance; the checks say balanced']);
  });

  test('has the explanation of a settlement under it', () => {
    const explanations = new Map([[idOf(11), 'The difference equals one row.']]);
    const rows = sections({ ...month(), explanations })[2]?.rows;
    expect(rows?.[1]?.remarks.at(-1)).toEqual({
      mark: '=',
      tone: 'plain',
      text: 'The difference equals one row.',
    });
    expect(rows?.[0]?.remarks.filter(({ mark }) => mark === '=')).toEqual([]);
  });

  test('cuts a long list on a screen and says how to list all', () => {
    const settlements = Array.from({ length: 62 }, (_, index) =>
      reconciled(settlement({ id: idOf(index + 1), status: 'validated' })),
    );
    const list = sections(report(settlements, { commandForAll: 'recon' }))[2];
    expect(list?.rows).toHaveLength(50);
    expect(list?.note).toBe('Showing 50 of 62; --format csv lists all.');
    expect(sections(report(settlements))[2]?.rows).toHaveLength(62);
  });

  test('shows findings across settlements', () => {
    const finding = entry('unsteady_headers', 1, { reason: 'too_long' });
    expect(remarksOf(report([], { finding }), 'Findings across settlements')).toHaveLength(1);
  });

  test('suggests the next commands with the same service', () => {
    const unread = reconciled(settlement({ id: idOf(15) }), {}, [
      entry('not_read', 1, { reason: { code: 'other', facts: { message: 'offline' } } }),
    ]);
    const run = report([off(1), off(2), off(3), unread], { flags: '--profile es' });
    expect(remarksOf(run, 'Next')).toEqual([
      'recon explain --from 2026-03-01 --to 2026-03-31 --profile es # why each does not balance',
      'recon settlements --from 2026-03-01 --to 2026-03-31 --profile es # try again to read the rest',
    ]);
    expect(remarksOf(report([]), 'Next')).toEqual([]);
  });

  test('does not suggest to read unreadable records again', () => {
    expect(remarksOf(month(), 'Next').slice(1)).toEqual([
      'Report the record and the field to the provider. Reading again will not help.',
    ]);
  });

  test('never says balanced if no settlements exist', () => {
    const [answer] = settlementsView(report([]));
    expect(answer).toMatchObject({ label: 'NOTHING FOUND', tone: 'plain' });
    const finding = entry('unsteady_headers', 1, { reason: 'too_long' });
    const [incomplete] = settlementsView(report([], { finding }));
    expect(incomplete).toMatchObject({ label: 'INCOMPLETE' });
  });

  test('names what the totals of groups leave out', () => {
    expect(sections(month())[0]?.note).toBe(
      'Totals include 11 settlements, balanced or out of balance. Not included: 1 pending and 1 ' +
        'incomplete.',
    );
    expect(sections(report([off(1)]))[0]?.note).toBeUndefined();
  });

  test('keeps the pay-in of pending settlements on a narrow screen, not the difference', () => {
    const pending = sections(month()).find(({ title }) => title.startsWith('Pending'));
    const priority = (title: string) =>
      pending?.columns.find((column) => column.title === title)?.priority;
    expect(priority('Net pay-out')).toBe(1);
    expect(priority('Net pay-out difference')).toBeGreaterThan(1);
  });

  test('suggests no command with an id that a shell could run', () => {
    const dates = '--from 2026-03-01 --to 2026-03-31';
    for (const id of ['$(reboot)', '--output=x']) {
      expect(remarksOf(report([off(1, id)]), 'Next')).toEqual([
        `recon explain ${dates} # why each does not balance`,
      ]);
    }
    expect(remarksOf(report([off(3)]), 'Next')).toEqual([
      `recon explain ${idOf(3)} # why it does not balance`,
    ]);
  });
});
