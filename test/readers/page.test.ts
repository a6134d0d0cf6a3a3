import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SettlementsReport } from '../../src/app/settlements-report.ts';
import { renderPage } from '../../src/render/html/page.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { idOf, reconciled, report, settlement } from '../report/build-report.ts';
import { programAt } from '../support/programs.ts';
import { runRecon } from '../support/run-recon.ts';

const executablePath = programAt('chromium', 'chromium-browser', 'google-chrome');
const folder = mkdtempSync(join(tmpdir(), 'recon-page-'));
/** Pictures to be looked at are kept here. */
const pictures = 'node_modules/.cache/readers';
const sizes = { phone: [390, 844], laptop: [1280, 800], wide: [1920, 1080] } as const;

let browser: Browser;

/** Opens a page as a mail attachment is opened, from a file, without a network; nothing but the page may be heard of. */
async function opened(file: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ offline: true, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const heard: string[] = [];
  page.on('console', (message) => heard.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('dialog', async (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => heard.push(`request: ${request.url()}`));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  onTestFinished(() => expect(heard).toEqual([`request: ${address}`]));
  return page;
}

/** Writes a report of the sandbox as a page; the file. */
async function written(name: string, args: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.html`);
  await runRecon([...args, '--output', file, '--quiet']);
  return file;
}

/** Writes a report that was built here as a page; the file. */
async function built(name: string, whole: SettlementsReport): Promise<string> {
  const file = join(folder, `${name}.html`);
  const options = { dialect: 'rfc', screen: { width: 80, colour: false } } as const;
  writeFileSync(file, renderPage(settlementsViews(whole), options));
  return file;
}

/** What the accessibility checks find. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly { readonly id: string }[];
  };
  return found.violations.map(({ id }) => id);
}

/** The texts of a column of the last table, of the rows that are shown. */
function column(page: Page, number: number): Promise<readonly string[]> {
  const cells = page.locator('table').last().locator(`tbody:visible td:nth-child(${number})`);
  return cells.allTextContents();
}

/** When a page has been loaded, in milliseconds since it was asked for. */
const loaded = 'performance.getEntriesByType("navigation")[0].loadEventEnd';

/** The tables that are wider than their place, by name. */
const cutTables = `[...document.querySelectorAll('.scroll')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.getAttribute('aria-label'))`;

const head = (page: Page, name: string) =>
  page.locator('table').last().getByRole('button', { name });

describe.skipIf(executablePath === undefined)('a page in a browser', () => {
  let month = '';

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox'],
    });
    month = await written('march', ['settlements', '--sandbox', '--month', '2026-03']);
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test.each(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      (['phone', 'laptop', 'wide'] as const).map((size) => ({ size, colorScheme })),
    ),
  )('fits a $size and is accessible ($colorScheme)', async ({ size, colorScheme }) => {
    const [width, height] = sizes[size];
    const page = await opened(month, { viewport: { width, height }, colorScheme });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.screenshot({ path: join(pictures, `${size}-${colorScheme}.png`), fullPage: true });
    expect(await violations(page)).toEqual([]);
  });

  test.each(['laptop', 'wide'] as const)('shows all of each table on a %s', async (size) => {
    const [width, height] = sizes[size];
    const page = await opened(month, { viewport: { width, height } });
    expect(await page.evaluate(cutTables)).toEqual([]);
  });

  test('shows differences and readable charts without scrolling on a phone', async () => {
    const [width, height] = sizes.phone;
    const page = await opened(month, { viewport: { width, height } });
    // The difference or, where nothing differs, the amount; and its currency.
    const decisive = await page.locator('th.decisive, th.decisive + th.unit').all();
    expect(decisive.length).toBeGreaterThanOrEqual(4);
    for (const one of decisive) {
      if (!(await one.isVisible())) continue;
      const box = await one.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    }
    const charts = await page.locator('svg:visible').all();
    expect(charts).toHaveLength(4);
    for (const one of charts) {
      const box = await one.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    }
    for (const one of await page.locator('figure.wide svg:visible text').all()) {
      expect((await one.boundingBox())?.height).toBeGreaterThan(10);
    }
  });

  test.each([
    ['explain', ['explain', '--sandbox', '--month', '2026-03']],
    ['nightly', ['nightly', '--sandbox', '--out', join(folder, 'night')]],
    ['by-day', ['settlements', '--sandbox', '--month', '2026-03', '--by', 'day']],
  ])('of %s is accessible and has no errors', async (name, args) => {
    const page = await opened(await written(name, args));
    expect(await violations(page)).toEqual([]);
  });

  test('sorts by amounts, up and down, with mouse and keyboard', async () => {
    const page = await opened(month);
    const difference = head(page, 'Net pay-out difference');
    await difference.click();
    const up = await column(page, 8);
    expect(up.slice(0, 2)).toEqual(['-5.00', '-0.01']);
    expect(up.slice(-2)).toEqual(['+5.00', '+82.79']);
    const th = difference.locator('..');
    expect(await th.getAttribute('aria-sort')).toBe('ascending');
    await difference.focus();
    await page.keyboard.press('Enter');
    expect((await column(page, 8)).slice(0, 2)).toEqual(['+82.79', '+5.00']);
    expect(await th.getAttribute('aria-sort')).toBe('descending');
    await head(page, 'Date').click();
    expect((await column(page, 2)).at(0)).toBe('2026-03-02');
    expect(await th.getAttribute('aria-sort')).toBeNull();
  });

  test('filters by verdict and account together, also by keyboard, and counts what is left', async () => {
    const page = await opened(month);
    await page.getByLabel('Verdict').last().selectOption('out of balance');
    expect(new Set(await column(page, 1))).toEqual(new Set(['out of balance']));
    expect(await page.getByRole('status').last().textContent()).toBe('Showing 6 of 40');
    const sums = page.locator('table').last().locator('tfoot td');
    expect((await sums.allTextContents()).filter(Boolean)).toEqual([
      ...['Sum', 'EUR', '20,212.61', '20,129.83', '82.78', '20,622.59', '342.37', '67.61'],
    ]);
    await page.getByLabel('Account').last().focus();
    await page.keyboard.type('Stores');
    expect(await page.getByRole('status').last().textContent()).toBe('Showing 2 of 40');
    await head(page, 'Net pay-out').first().click();
    expect(await column(page, 1)).toHaveLength(2);
    await page.getByLabel('Verdict').last().selectOption('All');
    expect(await page.getByRole('status').last().textContent()).toBe('Showing 9 of 40');
  });

  test('leads from an exception to its row in the table of all settlements', async () => {
    const page = await opened(month);
    const id = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
    await page.getByRole('link', { name: 'Out of balance' }).click();
    await page.getByRole('link', { name: id }).click();
    expect(await page.locator(':target').textContent()).toBe(id);
    expect(await page.locator('table').last().locator(':target').count()).toBe(1);
  });

  test('has everything without its script', async () => {
    const page = await opened(month, { javaScriptEnabled: false });
    expect(await page.locator('table').last().locator('tbody').count()).toBe(40);
    expect(await page.locator('button, select').count()).toBe(0);
    expect(await page.locator('svg:visible').count()).toBe(4);
  });

  test('prints dark on white, on five to seven pages', async () => {
    const page = await opened(month, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const background = 'getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)');
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const boxes = [...pdf.matchAll(/\/MediaBox\s*\[([^\]]*)\]/g)].map(([, box]) => box?.trim());
    expect(boxes.length).toBeGreaterThanOrEqual(5);
    expect(boxes.length).toBeLessThanOrEqual(7);
    for (const box of boxes) expect(box).toMatch(/^0 0 84[12](\.\d+)? 59[456](\.\d+)?$/);
  });

  test('shows the text of a merchant and runs none of it', async () => {
    const attack =
      '</td></table><script>alert(1)</script><img src="https://evil.example/x" onerror="alert(2)">';
    const attacked = reconciled(
      settlement({ id: attack, accountingToken: attack, currency: attack }),
      { gross: 5n },
    );
    const whole = report(
      [1, 2, 3].map((at) => ({
        ...attacked,
        settlement: { ...attacked.settlement, date: `2026-03-0${at}` },
      })),
    );
    const page = await opened(await built('hostile', whole));
    await head(page, 'Account').click();
    expect(await column(page, 3)).toEqual([attack, attack, attack]);
    expect(await page.locator('img').count()).toBe(0);
  });

  test('of 1,000 settlements opens within a second', async () => {
    const all = Array.from({ length: 1_000 }, (_, at) =>
      reconciled(
        settlement({ id: idOf(at), date: `2026-03-${10 + (at % 20)}` }),
        at % 20 === 0 ? { gross: 5n } : {},
      ),
    );
    const file = await built('many', report(all));
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const page = await opened(file);
      times.push(Number(await page.evaluate(loaded)));
      expect(await page.locator('table').last().locator('tbody').count()).toBe(1_000);
    }
    // What else runs on the machine makes it longer, and nothing makes it shorter.
    expect(Math.min(...times)).toBeLessThan(1_000);
  });
});
