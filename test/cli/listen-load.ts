// npm run load [SECONDS]: how many webhooks a second recon listen takes, with its peak memory, and
// whether all that it acknowledged is answered. The service and the listener are processes of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { Random } from '../support/random.ts';

const seconds = Number(process.argv[2] ?? 30);
const connections = 64;
const scenario = await loadScenario('month');
const settlements = scenario.settlements.map(({ header }) => String(header['settlementId']));
const charges = scenario.settlements.flatMap(({ rows }) =>
  rows.map((row) => String(row['chargeId'])),
);

interface Sent {
  readonly text: string;
  /** In the middle of which it stops for a while. */
  readonly slow?: boolean;
  readonly mark?: string;
}

let count = 0;
let lastSettlement: Sent = { text: '' };

/** A request of a random kind. */
function nextRequest(random: Random): Sent {
  count += 1;
  const mark = `load-${count}`;
  const dice = random.int(1, 1000);
  const charge = JSON.stringify({ charge_id: pick(charges, random), service_id: mark });
  if (dice <= 450) return { text: httpPost(charge), mark };
  if (dice <= 900) {
    const settlement = { id: mark, settlement_id: pick(settlements, random) };
    lastSettlement = { text: httpPost(JSON.stringify(settlement)), mark };
    return lastSettlement;
  }
  if (dice <= 960 && lastSettlement.mark) return lastSettlement;
  if (dice <= 975) return { text: httpPost(JSON.stringify({ [mark]: true })), mark };
  if (dice <= 990) return { text: httpPost(charge.slice(0, -1)) };
  if (dice <= 995) return { text: httpPost(charge), slow: true, mark };
  return { text: httpPost(JSON.stringify({ padding: 'x'.repeat(300_000) })) };
}

function pick(items: readonly string[], random: Random): string {
  return items[random.int(0, items.length - 1)] ?? '';
}

function httpPost(body: string): string {
  return `POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const owed = new Set<string>();
const statuses = new Map<string, number>();

/** Sends one request after the other over connections that stay open. */
async function send(port: number, until: number, random: Random): Promise<void> {
  while (Date.now() < until) {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    socket.on('error', () => {});
    const closed = once(socket, 'close').then(() => undefined);
    while (Date.now() < until && !socket.destroyed) {
      const { text, slow, mark } = nextRequest(random);
      const answered = Promise.race([once(socket, 'data'), closed]);
      if (slow) {
        socket.write(text.slice(0, text.length / 2));
        await pause(50);
        socket.write(text.slice(text.length / 2));
      } else socket.write(text);
      const data = await answered;
      const status = data ? String(data[0]).slice(9, 12) : 'cut off';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === '200' && mark) owed.add(mark);
      if (status !== '200' && status !== '400') break;
    }
    socket.destroy();
  }
}

/** Starts the built program; resolves with what it says once that is something like `wanted`. */
async function start(args: readonly string[], wanted: RegExp, stdout: 'pipe' | number) {
  const child = spawn(process.execPath, ['bin/recon.js', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let said = '';
  const keep = (text: Buffer) => {
    said += text.toString();
  };
  child.stderr?.on('data', keep);
  child.stdout?.on('data', keep);
  while (!wanted.test(said)) {
    if (child.exitCode !== null) throw new Error(said);
    await pause(20);
  }
  return { child, said: () => said };
}

async function memory(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

let env: Record<string, string> = {};
const folder = await mkdtemp(join(tmpdir(), 'recon-load-'));
const path = join(folder, 'events.ndjson');
const output = await open(path, 'w+');
const service = await start(['sandbox'], /RECON_JWT_SECRET=\S+\n/, 'pipe');
env = Object.fromEntries(
  [...service.said().matchAll(/^export (RECON_\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);
const journal = join(folder, 'journal');
const flags = ['listen', '--port', '0', '--journal', journal];
const { child, said } = await start(flags, /Listening at/, output.fd);
const port = Number(/127\.0\.0\.1:(\d+)/.exec(said())?.[1]);
console.log(`at rest: ${await memory(child, 'VmRSS')} MB`);

const told = new Set<string>();
let lines = 0;
let position = 0;
let rest = '';
/** Reads the lines that have been written since. */
async function readLines(): Promise<void> {
  const block = Buffer.alloc(16 * 1024 * 1024);
  for (;;) {
    const { bytesRead } = await output.read(block, 0, block.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const parts = (rest + block.toString('utf8', 0, bytesRead)).split('\n');
    rest = parts.pop() ?? '';
    lines += parts.length;
    for (const line of parts) {
      const mark = /"(?:payloadId|serviceId)":"(load-\d+)"|"fields":\["(load-\d+)"/.exec(line);
      told.add(mark?.[1] ?? mark?.[2] ?? '');
    }
  }
}

const began = Date.now();
const sending = Promise.all(
  Array.from({ length: connections }, (_, seed) =>
    send(port, began + seconds * 1000, new Random(seed)),
  ),
);
let isOver = false;
void sending.then(() => {
  isOver = true;
});
while (!isOver) {
  await pause(3000);
  const rss = await memory(child, 'VmRSS');
  console.log(`${Math.round((Date.now() - began) / 1000)} s: ${owed.size} kept, ${rss} MB`);
}
await sending;
const took = (Date.now() - began) / 1000;
const requests = [...statuses.values()].reduce((sum, one) => sum + one, 0);
console.log(
  `requests: ${requests} in ${took.toFixed(1)} s, ${Math.round(requests / took)} a second`,
);
console.log(`events kept: ${owed.size}, ${Math.round(owed.size / took)} a second`);
console.log(`by status: ${[...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`);

const missing = () => [...owed].filter((mark) => !told.has(mark)).length;
await readLines();
console.log(`answered by then: ${lines}`);
for (let left = missing(); left > 0 && child.exitCode === null; left = missing()) {
  await pause(10_000);
  await readLines();
  console.log(`${left} still to be answered, ${await memory(child, 'VmRSS')} MB`);
}
console.log(`all answered after ${((Date.now() - began) / 1000).toFixed(1)} s: ${lines} lines`);
console.log(`lost: ${missing()}; peak memory: ${await memory(child, 'VmHWM')} MB`);
child.kill('SIGTERM');
await once(child, 'close');
console.log(`exit code ${child.exitCode}; ${said().trim().split('\n').at(-1)}`);
service.child.kill('SIGINT');
await output.close();
await rm(folder, { recursive: true });
