import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Amount, parseDecimal } from '../../../src/money/money.ts';
import type { RenderOptions } from '../../../src/render/formats.ts';
import { renderPage } from '../../../src/render/html/page.ts';
import { amountOf } from '../../../src/report/common/columns.ts';
import type { Chart, ReportPage, Section } from '../../../src/report/common/view.ts';
import { settlementsPage } from '../../../src/report/settlements/view.ts';
import { idOf, month, reconciled, report, settlement } from '../../report/build-report.ts';
import { hostile } from '../hostile.ts';

const options: RenderOptions = { dialect: 'rfc', screen: { width: 80, colour: false } };

async function pageOf(page: ReportPage, changes: Partial<RenderOptions> = {}): Promise<string> {
  const views = { page: () => page, view: () => [], records: none, document: none, lines: none };
  return renderPage(views, { ...options, ...changes });
}

function none(): never {
  throw new Error('A page is made of nothing else.');
}

/** Decimal text as an amount. */
function amountIn(text: string): Amount | undefined {
  const scale = text.split('.')[1]?.length ?? 0;
  return amountOf(parseDecimal(text, scale), scale);
}

function table(
  title: string,
  kinds: readonly Section['columns'][number]['kind'][],
  rows: readonly (readonly string[])[],
): Section {
  return {
    kind: 'section',
    title,
    columns: kinds.map((kind, at) => ({
      kind,
      title: `${title} ${at}`,
      priority: 1,
      unbroken: 18,
    })),
    rows: rows.map((cells) => ({
      cells: cells.map((cell, at) => (kinds[at] === 'text' ? cell : amountIn(cell))),
      remarks: [],
    })),
    note: undefined,
  };
}

function waterfall(...values: readonly string[]): Chart {
  const steps = table(
    'Steps',
    ['text', 'difference'],
    values.map((value, at) => [`Step ${at}`, value]),
  );
  const rows = steps.rows.map((row, at) => ({ ...row, isTotal: at === values.length - 1 }));
  return { kind: 'chart', type: 'waterfall', text: '', unit: 'EUR', table: { ...steps, rows } };
}

/** A text at every place where one can stand. */
function everywhere(one: string): ReportPage {
  const section = table(
    one,
    ['text', 'amount'],
    [
      [one, '-1.00'],
      ['b', '2.00'],
      ['c', '3.00'],
    ],
  );
  const remark = { mark: '!', tone: 'bad', text: one } as const;
  const [first, ...others] = section.rows;
  const rows = [...(first ? [{ ...first, remarks: [remark] }] : []), ...others];
  const chart = { kind: 'chart', text: one, unit: one, table: section } as const;
  return [
    { kind: 'answer', label: one, tone: 'bad', text: one },
    { kind: 'facts', facts: [[one, one]] },
    { ...section, rows, note: one },
    { kind: 'remarks', title: one, remarks: [remark] },
    { ...chart, type: 'barsAndLine' },
    { ...chart, type: 'signedBars' },
    { ...chart, type: 'waterfall' },
    { ...chart, type: 'bars' },
  ];
}

/** What a browser acts on: tags and the names of their attributes, without any text. */
function skeleton(page: string): readonly string[] {
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));
}

describe('a page', () => {
  test('allows only its own style and script, by their hashes', async () => {
    const page = await pageOf(settlementsPage(month()));
    const hash = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(page).toContain(
      `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; ` +
        `style-src ${hash('style')}; script-src ${hash('script')}; `.replaceAll("'", '&#39;') +
        'base-uri &#39;none&#39;; form-action &#39;none&#39;">',
    );
  });

  test('has links to its own parts only, and no handlers or styles in its tags', async () => {
    const page = await pageOf(settlementsPage(month()));
    expect(page).not.toMatch(/https?:|\burl\(|@import|\bsrc=|\bhref="(?!#)/);
    expect(
      skeleton(page).filter((tag) => /\s(?:style|on\w+)=|<(?:img|link|iframe)\b/.test(tag)),
    ).toEqual([]);
    expect(page.match(/<(?:script|style)/g)).toEqual(['<style', '<script']);
  });

  test.each([
    ...hostile,
    '</script><script>alert(1)</script>',
    '</style><img src=x onerror=alert(1)>',
    '" onfocus="alert(1)" x="',
    "'><svg onload=alert(1)>",
    '<!-- ',
    '&lt;b&gt;',
  ])('shows %j as it is, in every place', async (text) => {
    const page = await pageOf(everywhere(text));
    expect(skeleton(page)).toEqual(skeleton(await pageOf(everywhere('plain'))));
    expect(page).not.toMatch(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  test('has the same bytes each time, and its time of creation only on request', async () => {
    const page = settlementsPage(month());
    const plain = await pageOf(page);
    expect(await pageOf(settlementsPage(month()))).toBe(plain);
    expect(plain).not.toContain('Created');
    const stamped = await pageOf(page, { madeAt: '2026-04-05T12:00:00.000Z' });
    expect(stamped).toContain('<dt>Created</dt><dd>2026-04-05T12:00:00.000Z</dd>');
  });

  test('has its verdict and range in its title, and its paper in its style', async () => {
    const page = settlementsPage(month());
    expect(await pageOf(page)).toContain(
      '<title>Settlement reconciliation · INCOMPLETE · 2026-03-01 to 2026-03-31 (inclusive)</title>',
    );
    expect(await pageOf(page)).toContain('@page { size: A4 landscape;');
    expect(await pageOf(page, { paper: 'letter' })).toContain('@page { size: letter landscape;');
  });

  test('sorts amounts of one column by the same minor units, with any decimals', async () => {
    const list = table(
      'List',
      ['text', 'amount'],
      [
        ['a', '10'],
        ['b', '-9.955'],
        ['c', ''],
      ],
    );
    const keys = (await pageOf([list])).match(/data-k="[^"]*"/g);
    expect(keys).toEqual(['data-k="10000"', 'data-k="-9955"', 'data-k=""']);
  });

  test('of 1,000 settlements has charts of the first 30 that differ, and names the others', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) =>
      reconciled(
        settlement({ id: idOf(at), date: `2026-03-${String(1 + (at % 31)).padStart(2, '0')}` }),
        at % 20 === 0 ? { gross: 5n, fees: 1n } : {},
      ),
    );
    const whole = report(many);
    const page = await pageOf(settlementsPage(whole));
    expect(page).toContain('All settlements: 1,000');
    expect(page.match(/role="img"/g)).toHaveLength(2 * 2 + 30);
    expect(page).toContain('20 more settlements have no chart: see the table at the end.');
  });
});

test('a page of more than a year has one bar per month, however late a settlement is', async () => {
  const dates = ['2026-03-02', '2026-03-09', '2027-05-03', '9999-12-31'];
  const all = dates.map((date, at) => reconciled(settlement({ id: idOf(at), date })));
  const page = await pageOf(settlementsPage(report(all)));
  const [, chart = ''] = page.split('<h3>Net pay-out by month, EUR</h3>');
  expect(chart).toContain('No month has a difference.');
  expect(chart.slice(0, chart.indexOf('</svg>')).match(/<rect class="bar"/g)).toHaveLength(3 + 1);
});

describe('a chart', () => {
  /** The bars of a picture 460 wide, of which 456 are drawn on. */
  const paths = async (...values: readonly string[]) =>
    [
      ...(await pageOf([waterfall(...values)])).matchAll(
        /<path class="(off|off below|total)" d="([^"]*)"/g,
      ),
    ].map(([, tone, path]) => `${tone}: ${path}`);

  test('is a waterfall from zero: each part begins at the end of the one before', async () => {
    expect(await paths('+10.00', '-4.00', '+6.00')).toEqual([
      'off: M2 20H452L458 26L452 32H2Z',
      'off below: M458 62H281.6L275.6 68L281.6 74H458Z',
      'total: M2 104H275.6L275.6 110L275.6 116H2Z',
    ]);
  });

  test('has zero in the middle if parts go to both sides', async () => {
    expect(await paths('-5.00', '+10.00', '+5.00')).toEqual([
      'off below: M230 20H8L2 26L8 32H230Z',
      'off: M2 62H452L458 68L452 74H2Z',
      'total: M230 104H458L458 110L458 116H230Z',
    ]);
  });

  test('shows exact figures that a double cannot keep', async () => {
    const page = await pageOf([waterfall('+90071992547409.93', '-90071992547409.93', '0.00')]);
    expect(page.match(/\+90,071,992,547,409\.93/g)).toHaveLength(2);
  });

  test('compares two amounts by a bar and a line, and marks differences by shape', async () => {
    const days = table(
      'Days',
      ['text', 'amount', 'amount', 'difference'],
      [
        ['2026-03-01', '10.00', '10.00', ''],
        ['2026-03-02', '', '', ''],
        ['2026-03-03', '20.00', '15.00', '+5.00'],
      ],
    );
    const page = await pageOf([
      { kind: 'chart', type: 'barsAndLine', text: '', unit: 'EUR', table: days },
    ]);
    const [picture = ''] = /<svg viewBox[\s\S]*?<\/svg>/.exec(page) ?? [];
    expect(picture.match(/<rect class="bar[^>]*><title>/g)).toEqual([
      '<rect class="bar" x="156.4" y="146" width="56" height="104"><title>',
      '<rect class="bar off" x="748.1" y="42" width="56" height="208"><title>',
    ]);
    // A day without any amount interrupts the line; a triangle stands above what differs.
    expect(picture).toContain('<path class="line" d="M184.4,146ZM776.1,94Z"/>');
    expect(picture.match(/class="mark"/g)).toHaveLength(2);
  });
});

test('groups of charts have links of their own names, a single one is called charts', async () => {
  const [first, ...others] = ['A', 'B', 'C', 'D'].map((name) => table(name, ['text'], [['x']]));
  if (!first) throw new Error('There are four.');
  const chart = (title: string): Chart => {
    const one = waterfall('1.00', '2.00', '3.00');
    return { ...one, table: { ...one.table, title: `${title}, EUR` } };
  };
  const linksOf = async (parts: ReportPage) =>
    [...(await pageOf(parts)).matchAll(/<li><a href="[^"]*">([^<]*)</g)].map(([, text]) => text);
  expect(await linksOf([first, chart('Sales'), chart('Fees'), ...others])).toContain('Charts');
  const both = await linksOf([first, chart('Sales'), ...others, chart('Ages')]);
  expect(both).toEqual(['A', 'Sales, charts', 'B', 'C', 'D', 'Ages, charts']);
});
