import { describe, expect, test } from 'vitest';
import { formatFiles } from './format-files.ts';
import { moneyIn, read } from './reading.ts';

describe.each(Object.entries(formatFiles))('of a file in the format %s', (name, file) => {
  const lines = file.split('\r\n').slice(0, -1);

  test('everything is read', async () => {
    const result = await read(file);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
    expect(result.statements).toMatchObject([{ isWhole: true }]);
  });

  /** Only texts, which no total includes for sure; and OFX has no totals. */
  const isUncounted = (line: string) =>
    name === 'ofx' ? !/^<(\/|OFX|BANKACCT)/.test(line) : /^(05|23)/.test(line);

  test.each(lines.map((line, at) => [at + 1, line] as const))(
    'no record is lost unseen: line %i',
    async (at, line) => {
      const lacking = lines.filter((_, index) => index !== at - 1);
      const result = await read(`${lacking.join('\r\n')}\r\n`).catch(() => undefined);
      const isSeen = !result || result.findings.length > 0;
      if (!isUncounted(line)) expect(isSeen).toBe(true);
    },
  );

  test.each(lines.slice(1).map((_, at) => at + 1))(
    'its end is not lost unseen: after line %i',
    async (at) => {
      const cut = `${lines.slice(0, at).join('\r\n')}\r\n`;
      const result = await read(cut).catch(() => undefined);
      expect(result?.findings.length ?? 1).toBeGreaterThan(0);
    },
  );
});
