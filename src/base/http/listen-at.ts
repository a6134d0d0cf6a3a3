import { once } from 'node:events';
import type { Server } from 'node:http';

/** Opens a server and returns its port; port 0 takes any free one. Rejects if the address cannot be used. */
export async function listenAt(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
