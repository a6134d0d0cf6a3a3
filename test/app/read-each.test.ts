import { describe, expect, test } from 'vitest';
import { readEach } from '../../src/app/read-settlements.ts';
import { type FailureCause, ReconError } from '../../src/base/errors.ts';

/** Asks for charges 1, 2, 3 ... of which some fail in some way. */
async function read(
  count: number,
  causes: Readonly<Record<number, FailureCause>>,
  endsRun = false,
) {
  const asked: string[] = [];
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  const ask = async (id: string) => {
    asked.push(id);
    const cause = causes[Number(id)];
    if (cause) throw new ReconError(cause, `no ${id}`, { endsRun });
    return `charge ${id}`;
  };
  const story: string[] = [];
  for await (const one of readEach({ of: 'charge', ids, ahead: 1, ask })) {
    story.push('result' in one ? one.result : `${one.error.failure}: ${one.error.message}`);
  }
  return { asked, story };
}

const all = (count: number, cause: FailureCause) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, cause]));

describe('a reading by several ids', () => {
  test('gives each one or its failure, in order', async () => {
    const { story } = await read(3, { 2: 'not_found' });
    expect(story).toEqual(['charge 1', 'not_found: no 2', 'charge 3']);
  });

  test('continues whatever number of ids are unknown', async () => {
    expect((await read(20, all(19, 'not_found'))).story.at(-1)).toBe('charge 20');
  });

  test('ends after five faults in a row, and names the ids that were not tried', async () => {
    const { asked, story } = await read(9, {
      ...all(2, 'service'),
      ...{ 4: 'network', 5: 'network', 6: 'service', 7: 'network', 8: 'service' },
    });
    expect(asked).toHaveLength(8);
    expect(story).toHaveLength(9);
    expect(story.at(-1)).toBe('service: Charge 9 was skipped after earlier failures.');
  });

  test('ends at once if a failure concerns the others too', async () => {
    expect((await read(3, { 1: 'damaged' })).asked).toEqual(['1']);
    expect((await read(3, { 1: 'authentication' })).asked).toEqual(['1']);
    expect((await read(3, { 1: 'network' }, true)).asked).toEqual(['1']);
  });

  test('throws an error that is not a failure of a request', async () => {
    const ask = () => Promise.reject(new RangeError('bug'));
    const reading = readEach({ of: 'charge', ids: ['1'], ahead: 1, ask });
    await expect(reading.next()).rejects.toThrow('bug');
  });
});
