import { connect, createServer, type Socket } from 'node:net';
import { listen } from './loopback.ts';

/** A proxy on this machine that tunnels, and the targets that it was asked for. */
export async function connectProxy() {
  const targets: string[] = [];
  const url = await answering((client, head) => {
    const target = /^CONNECT (\S+) /.exec(head)?.[1] ?? '';
    targets.push(target);
    const [host, port] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
  });
  return { url, targets };
}

/** One that answers whatever it is asked for with these words, and hangs up. */
export function proxyThatSays(answer: string): Promise<string> {
  return answering((client) => client.end(answer));
}

/** One that answers nothing. */
export function silentProxy(): Promise<string> {
  return answering(() => {});
}

/** The address of a port at which nobody listens any more. */
export async function deadProxy(): Promise<string> {
  const server = createServer();
  const host = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://${host}`;
}

async function answering(answer: (client: Socket, head: string) => void): Promise<string> {
  const server = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (head) => answer(client, head.toString()));
  });
  return `http://${await listen(server)}`;
}
