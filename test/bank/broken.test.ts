import * as fc from 'fast-check';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { formatFiles } from './format-files.ts';
import { camt, camtEntry, payments, read } from './reading.ts';

const xml = camt({
  ...{ number: '3', page: '1', balances: { OPBD: '1', CLBD: '4' } },
  entries: [
    camtEntry('1.00', { more: payments('<RmtInf><Ustrd>EREF+A für</Ustrd></RmtInf>') }),
    camtEntry('2.00', { reference: 'B' }),
  ],
});
const mt940 = [
  ...[':20:X', ':25:DE89370400440532013000', ':28C:1/1', ':60F:C260304EUR0,'],
  ...[':61:2603050305C6,NTRFE-1//B-9', ':86:166?20EREF+E-1?32Pay', ':62F:C260305EUR6,', '-', ''],
].join('\r\n');
const zip = zipSync({ 'a.xml': Buffer.from(xml) });
const wholes = [xml, mt940, zip, ...Object.values(formatFiles)].map((file) => Buffer.from(file));

test('a damaged file is read in part or refused, in the same way in pieces of any size', async () => {
  const marks = [
    '',
    '<',
    '>',
    '&x;',
    ':61:',
    '\r',
    '\0',
    '\xff',
    '-',
    '<!DOCTYPE a>',
    '<?xml ',
    '9',
  ];
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    lost: fc.nat(30),
    added: fc.constantFrom(...marks),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...wholes),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 40 }),
      async (whole, damages, blockBytes) => {
        let bytes = whole;
        for (const { at, lost, added } of damages) {
          const from = Math.floor(at * bytes.length);
          const middle = Buffer.from(added, 'latin1');
          bytes = Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(from + lost)]);
        }
        const result = await read(bytes).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(ReconError);
        else expect(await read(bytes, { blockBytes })).toEqual(result);
      },
    ),
    { numRuns: 300 },
  );
});
