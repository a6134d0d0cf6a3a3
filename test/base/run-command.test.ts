import { describe, expect, test } from 'vitest';
import { runCommand, runProgram } from '../../src/base/run-command.ts';

const options = { where: 'the setting', env: { PATH: '/usr/bin:/bin', WORD: 'from-env' } };

describe('running a command', () => {
  test('returns what it prints, without the final line break', async () => {
    expect(await runCommand("printf ' a b \\n\\n'", options)).toBe(' a b \n');
    expect(await runCommand("printf 'x\\r\\n'", options)).toBe('x');
  });

  test('runs in a shell, with the given environment and an empty input', async () => {
    expect(await runCommand('cat; echo "$WORD" | tr a-z A-Z', options)).toBe('FROM-ENV');
  });

  test('names the exit status and the setting, not the command and its output', async () => {
    const failing = runCommand('echo s3cret; exit 3', options);
    await expect(failing).rejects.toMatchObject({
      failure: 'configuration',
      message: expect.stringContaining('exit status 3'),
      where: 'the setting',
      hint: expect.stringContaining('terminal'),
    });
    const error = await failing.catch((thrown) => thrown);
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('s3cret');
  });

  test.each([
    ['a command that prints nothing', 'true', 'exit status 0, but printed nothing'],
    ['a command that prints an empty line', 'echo', 'printed nothing'],
    ['a command that a signal ends', 'kill -TERM $$', 'SIGTERM'],
    ['a command that prints without end', 'yes 2>/dev/null', 'too much to be a credential'],
    ['a command that is not there', 'no-such-helper 2>/dev/null', 'exit status 127'],
  ])('refuses %s', async (_name, command, words) => {
    await expect(runCommand(command, options)).rejects.toMatchObject({
      message: expect.stringContaining(words),
    });
  });

  test('does not wait longer than the limit, even for a process left behind', async () => {
    const stuck = runCommand('sleep 5 & wait', { ...options, timeoutMs: 50 });
    await expect(stuck).rejects.toMatchObject({ message: expect.stringContaining('0.05 s') });
  });
});

describe('running a program', () => {
  const heard: string[] = [];
  const how = {
    folder: '/',
    env: options.env,
    signal: new AbortController().signal,
    onMessage: (line: string) => heard.push(line),
  };

  test('returns all that it prints and how it ended, and reports its messages line by line', async () => {
    const script = 'pwd; head -c 200000 /dev/zero; printf "one\\ntwo" >&2; exit 3';
    const run = await runProgram('sh', ['-c', script], how);
    expect(run?.printed).toHaveLength(200_002);
    expect(run?.ended).toBe(3);
    expect(heard).toEqual(['one', 'two']);
    expect(await runProgram('sh', ['-c', 'kill -9 $$'], how)).toMatchObject({ ended: 'SIGKILL' });
  });

  test('returns undefined if the program does not exist', async () => {
    expect(await runProgram('no-such-program', [], how)).toBeUndefined();
    expect(await runProgram('/etc', [], how)).toBeUndefined();
  });

  test('ends as soon as a program ends that was asked to end', async () => {
    const stop = new AbortController();
    const onMessage = () => stop.abort(new Error('enough'));
    const script = "trap 'echo bye; exit' TERM; echo ready >&2; while :; do sleep 0.01; done";
    const run = runProgram('sh', ['-c', script], { ...how, signal: stop.signal, onMessage });
    await expect(run).rejects.toThrow('enough');
  });
});
