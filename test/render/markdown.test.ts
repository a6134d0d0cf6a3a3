import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import type { View } from '../../src/report/common/view.ts';
import { anyText } from './any-text.ts';

const text = (kind: 'text' | 'amount', title: string) =>
  ({ kind, title, priority: 1, unbroken: 18 }) as const;

/** A text at every place where it can stand. */
function viewOf(one: string): View {
  return [
    { kind: 'answer', label: 'Label', tone: 'bad', text: one },
    { kind: 'facts', facts: [['Status', one]] },
    {
      kind: 'section',
      title: one,
      columns: [text('text', 'Type'), text('amount', 'Gross')],
      rows: [{ cells: [one, '-1.00'], remarks: [{ mark: '!', tone: 'bad', text: one }] }],
      note: one,
    },
    { kind: 'remarks', title: one, remarks: [{ mark: '!', tone: 'bad', text: one }] },
  ];
}

/** What Markdown makes of a line: escapes resolved, so that only what acts is left to be seen. */
function withoutEscapes(markdown: string): string {
  return markdown.replace(/\\[!-/:-@[-`{-~]/g, 'e').replace(/`(?:@|:\/\/|www\.)`/gi, 'e');
}

describe('Markdown', () => {
  test('has headings, lists and tables that are readable as text', () => {
    expect(renderMarkdown(viewOf('plain'))).toMatchInlineSnapshot(`
      "## Label

      plain

      - **Status:** plain

      ### plain

      | Type  | Gross |
      | ----- | ----: |
      | plain | -1.00 |

      - plain, -1.00: plain

      plain

      ### plain

      - plain
      "
    `);
  });

  test.each([
    '<script>alert(1)</script>',
    '</td></table><img src=x onerror=y>',
    '&lt;b&gt;',
    '[click](https://evil.example)',
    '![x](//evil.example/p.png)',
    '<https://evil.example>',
    'see https://evil.example or www.evil.example',
    '@everyone',
    '**bold** _em_ ~~gone~~ `code` $x$',
    'a | b | c',
    '\\| \\',
    '# heading',
    '- item',
    '+ item',
    '1. item',
    '> quote',
    '===',
    '---',
    '```',
    'line\n\n# break',
    '    code',
  ])('shows %j as it is', (hostile) => {
    const acting = withoutEscapes(renderMarkdown(viewOf(hostile))).replace(
      '**Status:**',
      'Status:',
    );
    expect(acting).not.toMatch(/[<>[\]*`$~]|&(?!(?:amp|lt|gt);)|@|:\/\/|www\./i);
    const lines = acting.split('\n');
    expect(lines.filter((line) => line.startsWith('|'))).toHaveLength(3);
    const contents = lines.map((line) => line.replace(/^- |^#{2,3} .*/, ''));
    expect(contents.filter((one) => /^(?:[-+=#>]|\d+[.)]| {4})/.test(one))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(3);
  });

  test('keeps its lines and columns with any texts', () => {
    const shape = (one: string) => {
      const lines = withoutEscapes(renderMarkdown(viewOf(one))).split('\n');
      const table = lines.filter((line) => line.startsWith('|'));
      return [lines.length, ...table.map((line) => line.split('|').length)];
    };
    fc.assert(
      fc.property(anyText({ minLength: 1 }), (one) => {
        expect(shape(one)).toEqual(shape('plain'));
      }),
    );
  });

  test('keeps ids and names as they are', () => {
    const id = '0a1b2c3d-0000-4000-8000-00000000abcd';
    expect(renderMarkdown(viewOf(`${id} settled_out_of_balance`))).toContain(
      `- **Status:** ${id} settled_out_of_balance\n`,
    );
  });
});
