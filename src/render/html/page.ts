import { createHash } from 'node:crypto';
import { facts } from '../../report/common/blocks.ts';
import type { ReportPage, Views } from '../../report/common/view.ts';
import type { RenderOptions } from '../renderer.ts';
import { blockMarkup } from './blocks.ts';
import { chartMarkup } from './charts.ts';
import { type Markup, markup, trusted } from './markup.ts';
import { pageScript } from './page-script.ts';
import { styleSheet } from './style-sheet.ts';

/** A page for a browser, in one file: it asks for nothing else, and nothing in it acts but its script. */
export function renderPage({ page, view }: Views, options: RenderOptions): string {
  return pageMarkup((page ?? view)(), options).text;
}

const about = 'Settlement reconciliation';

function pageMarkup(page: ReportPage, { paper = 'a4', madeAt }: RenderOptions): Markup {
  const style = styleSheet(paper);
  // The policy comes before all that it is about.
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style, pageScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(page)}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>${about}</h1>
${partsMarkup(withCreationTime(page, madeAt))}</main>
<script>${trusted(pageScript)}</script>
</body>
</html>
`;
}

/** Allows only this style and this script, by their hashes. */
function policy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return (
    `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; ` +
    "base-uri 'none'; form-action 'none'"
  );
}

function titleOf(page: ReportPage): string {
  const answer = page.find((part) => part.kind === 'answer');
  const [fact] = page.find((part) => part.kind === 'facts')?.facts ?? [];
  return [about, answer?.label, fact?.[1]].filter(Boolean).join(' · ');
}

function withCreationTime(page: ReportPage, madeAt: string | undefined): ReportPage {
  if (madeAt === undefined) return page;
  return [...page.slice(0, 1), facts([['Created', madeAt]]), ...page.slice(1)];
}

function partsMarkup(parts: ReportPage): readonly Markup[] {
  return parts.map((part, index) => {
    if (part.kind !== 'chart') return blockMarkup(part);
    const isFirst = parts[index - 1]?.kind !== 'chart';
    const isLast = parts[index + 1]?.kind !== 'chart';
    return markup`${
      isFirst
        ? markup`<div class="charts">
`
        : undefined
    }${chartMarkup(part, index)}${
      isLast
        ? markup`</div>
`
        : undefined
    }`;
  });
}
