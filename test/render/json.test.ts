import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ndjsonLine, renderJson, renderNdjson } from '../../src/render/json.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { month } from '../report/build-report.ts';
import { hostile } from './hostile.ts';

const acts = /[^\P{C}\n\u200c\u200d]|[\p{Zl}\p{Zp}]/u;

describe('JSON', () => {
  test('holds no character that acts, and the same data', () => {
    const text = renderJson({ hostile });
    expect(text).not.toMatch(acts);
    expect(JSON.parse(text)).toEqual({ hostile });
  });

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(renderJson({ text }))).toEqual({ text });
        expect(JSON.parse(ndjsonLine({ text }))).toEqual({ text });
      }),
    );
  });

  test('is the same, byte for byte, for the same data', () => {
    const once = () => renderJson(settlementsViews(month()).document());
    expect(once()).toBe(once());
  });
});

describe('NDJSON', () => {
  test('is an object a line, whatever the texts hold', () => {
    const lines = [...renderNdjson(hostile.map((text) => ({ text })))];
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.join('')).not.toMatch(acts);
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(hostile);
  });
});
