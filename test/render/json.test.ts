import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertJson } from '../../src/render/inert.ts';
import { ndjsonLine, renderJson, renderNdjson } from '../../src/render/json.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { month } from '../report/build-report.ts';
import { anyText } from './any-text.ts';
import { hostile } from './hostile.ts';

const acts = /[^\P{C}\n\u200c\u200d]|[\p{Zl}\p{Zp}]/u;

const jsonText = (document: object) => [...renderJson(document)].join('');

describe('JSON', () => {
  test('has no control characters, and the same data', () => {
    const text = jsonText({ hostile });
    expect(text).not.toMatch(acts);
    expect(JSON.parse(text)).toEqual({ hostile });
  });

  test('is read back as it was written', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(JSON.parse(jsonText({ text }))).toEqual({ text });
        expect(JSON.parse(ndjsonLine({ text }))).toEqual({ text });
      }),
    );
  });

  test('is the same in pieces and as one text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        const document = { schema: 1, ...members };
        const whole = JSON.stringify(document, null, 2);
        expect(jsonText({ left: undefined, ...document })).toBe(`${inertJson(whole)}\n`);
        const lists = Object.fromEntries(
          Object.entries(document).map(([key, value]) => [
            key,
            Array.isArray(value) ? value.values() : value,
          ]),
        );
        expect(jsonText(lists)).toBe(`${inertJson(whole)}\n`);
      }),
    );
  });

  test('has the same bytes for the same data', () => {
    const once = () => jsonText(settlementsViews(month()).document());
    expect(once()).toBe(once());
  });
});

describe('NDJSON', () => {
  test('has one object per line, with any texts', () => {
    const lines = [...renderNdjson(hostile.map((text) => ({ text })))];
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.join('')).not.toMatch(acts);
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(hostile);
  });
});
