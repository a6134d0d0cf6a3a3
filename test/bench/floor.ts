import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Pool } from 'undici';

// The least that reads everything once: no check, no second walk, no retry, no error, no exact
// amounts. `floor.mjs sum` adds up the rows, `floor.mjs proofs` also asks for the page behind each list,
// `floor.mjs csv FILE` writes the rows too.

const connections = 8;
const rowsPerPage = 100;
const headersPerPage = 50;

const [mode, file] = process.argv.slice(2);
const pool = new Pool(process.env['RECON_BASE_URL'] ?? '', { connections });

async function post(path: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await answer.body.text());
}

const { access_token: token } = await post('/oauth/token', {
  client_id: 'a',
  client_secret: 'b',
  audience: 'c',
  grant_type: 'client_credentials',
});
const days = { startDate: '2026-03-01', endDate: '2026-03-31' };
const headers = [];
for (let offset = 0; ; ) {
  const body = { ...days, limit: headersPerPage, offset };
  const { data } = await post('/v1/merchant/settlement', body, token);
  if (data.length === 0) break;
  headers.push(...data);
  offset += data.length;
}

const sums = { rows: 0, gross: 0, fees: 0, tax: 0 };
const output = mode === 'csv' ? createWriteStream(file ?? '') : undefined;
const more = mode === 'proofs' ? 1 : 0;
const requests = headers.flatMap((header) =>
  Array.from({ length: Math.ceil(header.totalTransactions / rowsPerPage) + more }, (_, page) => ({
    header,
    offset: page * rowsPerPage,
  })),
);
let next = 0;
await Promise.all(Array.from({ length: connections }, work));
if (output) await finished(output.end());
await pool.close();
console.log(JSON.stringify(sums));

async function work() {
  for (let request = requests[next++]; request; request = requests[next++]) {
    const { header, offset } = request;
    const body = { settlementId: header.settlementId, limit: rowsPerPage, offset };
    const { data } = await post('/v1/merchant/settlement/transactions', body, token);
    let text = '';
    for (const row of data) {
      sums.rows += 1;
      sums.gross += row.amount;
      sums.fees += row.fees;
      sums.tax += row.tax;
      if (output) text += line(header, row);
    }
    output?.write(text);
  }
}

interface Header {
  readonly settlementDate: string;
  readonly settlementId: string;
  readonly accountingToken: string;
}

type Texts =
  | 'transactionId'
  | 'chargeId'
  | 'orderId'
  | 'timestamp'
  | 'transactionType'
  | 'paymentType'
  | 'state'
  | 'currencyCode'
  | 'decimalPlaces';

type Row = Readonly<Record<Texts, string> & Record<'amount' | 'fees' | 'tax', number>>;

/** The columns of `recon transactions --format csv`. */
function line(header: Header, row: Row): string {
  const places = Number(row.decimalPlaces);
  const decimal = (minor: number) => {
    const digits = String(minor).padStart(places + 1, '0');
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  return `${[
    header.settlementDate.slice(0, 10),
    header.settlementId,
    header.accountingToken,
    '',
    row.transactionId,
    row.chargeId,
    row.orderId,
    row.timestamp,
    row.transactionType,
    row.paymentType,
    row.state,
    row.currencyCode,
    places,
    decimal(row.amount),
    decimal(row.fees),
    decimal(row.tax),
    row.amount,
    row.fees,
    row.tax,
  ].join(',')}\r\n`;
}
