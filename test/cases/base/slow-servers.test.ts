import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RequestFailure } from '../../../src/base/errors.ts';
import { Transport, type TransportOptions } from '../../../src/base/http/transport.ts';
import { silentProxy } from '../../base/http/connect-proxy.ts';
import { listen } from '../../base/http/loopback.ts';

// Real time, but little of it.
const timeouts = { connectMs: 300, answerMs: 400 };
/** undici looks at the clock each half second. */
const longest = 2 * timeouts.answerMs + 1_500;

/** How a server leaves its client waiting, once a connection is there. */
type Habit = (socket: Socket) => void;

/** Writes a piece again and again, until the client has had enough. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}

const heads = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const habits: Readonly<Record<string, Habit>> = {
  'accepts a connection and is silent': () => {},
  'sends a header byte by byte': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ');
    drip(socket, 'x');
  },
  'sends headers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x-another: one\r\n');
  },
  'never begins the body': (socket) => socket.write(`${heads}content-length: 10\r\n\r\n`),
  'sends a body byte by byte': (socket) => {
    socket.write(`${heads}content-length: 1000000\r\n\r\n`);
    drip(socket, ' ');
  },
  'sends a body in chunks without end': (socket) => {
    socket.write(`${heads}transfer-encoding: chunked\r\n\r\n`);
    drip(socket, '1\r\n \r\n');
  },
  'begins a body and stops': (socket) => {
    socket.write(`${heads}content-length: 10\r\n\r\n{"sta`);
  },
  'says for ever that it goes on': (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
};

async function serve(habit: Habit): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => habit(socket));
  });
  return listen(server);
}

/** How a request fails, and after how many milliseconds. */
async function askInVain(
  url: string,
  given: Partial<TransportOptions> = {},
): Promise<{ failure: unknown; ms: number }> {
  const { signal } = new AbortController();
  const options = { connections: 2, proxy: {}, userAgent: 'recon/test', signal, now: Date.now };
  const transport = new Transport({ ...options, timeouts, ...given });
  onTestFinished(() => transport.close());
  const started = performance.now();
  const failure = await transport.send({ method: 'GET', url, token: 'token-1' }).then(
    () => 'answered',
    (error: unknown) => error,
  );
  return { failure, ms: performance.now() - started };
}

test('a request to a server that does not finish its answer ends in time, and is tried again', async () => {
  const names = Object.keys(habits);
  const ends = await Promise.all(
    Object.values(habits).map(async (habit) => askInVain(`http://${await serve(habit)}`)),
  );
  for (const [at, { failure, ms }] of ends.entries()) {
    expect.soft(failure, names[at]).toBeInstanceOf(RequestFailure);
    expect.soft(failure, names[at]).toMatchObject({ policy: 'retry', failure: 'network' });
    expect.soft(String(failure), names[at]).toMatch(/in time|Connection closed/);
    expect.soft(ms, names[at]).toBeLessThan(longest);
  }
});

test('a handshake that never ends and a silent proxy end in time, and the proxy is named', async () => {
  // Long enough for undici to notice before the whole exchange is given up.
  const patient = { connectMs: 300, answerMs: 1_200 };
  const url = await silentProxy();
  const [handshake, proxy] = await Promise.all([
    askInVain(`https://${await serve(() => {})}`, { timeouts: patient }),
    askInVain('https://service.example', {
      proxy: { httpsProxy: { variable: 'HTTPS_PROXY', url } },
      timeouts: patient,
    }),
  ]);
  expect(handshake.failure).toMatchObject({ policy: 'retry', failure: 'network' });
  expect(String(handshake.failure)).toContain('Timed out connecting');
  expect(handshake.ms).toBeLessThan(2 * patient.answerMs + 1_500);
  expect(proxy.failure).toMatchObject({
    policy: 'retry',
    message: `No answer in time from the proxy ${url} (UND_ERR_HEADERS_TIMEOUT).`,
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
});
