import { afterToken, type Reply, type Server, startServer, wrapped } from '../cli/server.ts';

const paths = {
  headers: '/v1/merchant/settlement',
  rows: '/v1/merchant/settlement/transactions',
} as const;

interface Header {
  readonly settlementId: string;
  readonly settlementDate: string;
}

interface ServedSettlement {
  readonly header: Header;
  readonly records: readonly unknown[];
}

/** The service over HTTP (doc 4), with nothing in it but these. Closed when the test ends. */
export function serveSettlements(settlements: readonly ServedSettlement[]): Promise<Server> {
  return serveChanging(() => settlements);
}

/** The same, with what is there at each request. */
export function serveChanging(now: () => readonly ServedSettlement[]): Promise<Server> {
  return startServer(
    afterToken(({ path, text }): Reply => {
      const settlements = now();
      const headers = settlements.map(({ header }) => header);
      headers.sort((a, b) => (a.settlementId < b.settlementId ? -1 : 1));
      const records = new Map(
        settlements.map(({ header, records }) => [header.settlementId, records]),
      );
      const { settlementId, startDate, endDate, limit = 50, offset = 0 } = JSON.parse(text || '{}');
      const page = (list: readonly unknown[], maximum: number) =>
        wrapped(list.slice(offset, offset + Math.min(limit, maximum)));
      if (path === paths.rows) return page(records.get(settlementId) ?? [], 100);
      if (path !== paths.headers) return { status: 404, body: {} };
      const isAsked = (header: Header) => {
        const day = header.settlementDate.slice(0, 10);
        if (settlementId) return header.settlementId === settlementId;
        return !startDate || !endDate || (day >= startDate && day <= endDate);
      };
      return page(headers.filter(isAsked), 1000);
    }),
  );
}
