import { readStatements } from '../../src/bank/read-statements.ts';
import type { BankEntry, BankMappings, BankStatements } from '../../src/model/bank.ts';
import { formatMinor } from '../../src/money/money.ts';

export interface Given {
  readonly mapping?: BankMappings;
  /** Bytes that are read at once. */
  readonly blockBytes?: number;
}

/** Reads files that are given as text or bytes, by their names. */
export function readFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  { mapping, blockBytes = 65_536 }: Given = {},
) {
  return readStatements(
    Object.entries(files).map(([name, content]) => ({
      name,
      blocks: async function* () {
        const bytes = Buffer.from(content);
        // As from a disk: the next block comes into the place of the last one.
        const block = Buffer.alloc(blockBytes);
        for (let start = 0; start < bytes.length; start += blockBytes) {
          yield block.subarray(0, bytes.copy(block, 0, start, start + blockBytes));
        }
      },
    })),
    mapping,
  );
}

/** Reads one file. */
export const read = (content: string | Uint8Array, given?: Given) =>
  readFiles({ file: content }, given);

export const amountOf = ({ amount, scale }: Pick<BankEntry, 'amount' | 'scale'>) =>
  formatMinor(amount, scale);

/** Day, amount and status of each entry. */
export const moneyIn = ({ entries }: BankStatements) =>
  entries
    .map((entry) =>
      `${entry.date} ${amountOf(entry)} ${entry.status === 'pending' ? 'pending' : ''}`.trim(),
    )
    .sort();

/** Code, place and what was there of each finding. */
export const findingsIn = ({ findings }: BankStatements) =>
  findings.map(({ code, place, element, found, difference, scale }) =>
    code === 'unreadable'
      ? `line ${place.line}: ${element} ${found}`.trim()
      : difference === undefined
        ? `line ${place.line}: ${code} ${found}`
        : `line ${place.line}: ${code} ${formatMinor(difference, scale)}`,
  );

/** Of each statement, whether its balances were checked, or why not. */
export const checksIn = ({ statements }: BankStatements) =>
  statements.map(({ notChecked }) => notChecked ?? 'checked');

/** What a camt message says: in the words of ISO 20022, with what is usual filled in. */
export interface Camt {
  readonly message?: 'camt.052' | 'camt.053' | 'camt.054';
  readonly account?: string;
  readonly number?: string;
  readonly page?: string;
  readonly day?: string;
  /** Decimal text by type of balance. */
  readonly balances?: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
}

const names = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
};

const iban = 'DE89370400440532013000';

export function camt({
  message = 'camt.053',
  account = iban,
  number = '',
  page = '',
  day = '2026-03-05',
  balances = {},
  entries,
}: Camt): string {
  const [root, statement] = names[message];
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${root}>
<GrpHdr><MsgId>1</MsgId></GrpHdr><${statement}><Id>1</Id>
${page && `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>`}
${number && `<ElctrncSeqNb>${number}</ElctrncSeqNb>`}
<CreDtTm>${day}T23:00:00+01:00</CreDtTm>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${Object.entries(balances)
  .map(([type, amount]) => balance(type, amount, day))
  .join('\n')}
${entries.join('\n')}
</${statement}></${root}></Document>
`;
}

const money = (amount: string) =>
  `<Amt Ccy="EUR">${amount.replace('-', '')}</Amt>` +
  `<CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

const balance = (type: string, amount: string, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;

export interface CamtEntry {
  readonly day?: string;
  readonly status?: string;
  readonly reference?: string;
  /** More elements of the entry. */
  readonly more?: string;
}

/** An entry of so much; money out has a minus. */
export function camtEntry(
  amount: string,
  { day = '2026-03-05', status = '<Cd>BOOK</Cd>', reference = '', more = '' }: CamtEntry = {},
): string {
  return (
    `<Ntry>${money(amount)}${status && `<Sts>${status}</Sts>`}<BookgDt><Dt>${day}</Dt></BookgDt>` +
    `<ValDt><Dt>${day}</Dt></ValDt>${reference && `<AcctSvcrRef>${reference}</AcctSvcrRef>`}${more}</Ntry>`
  );
}

/** An entry's payments. */
export const payments = (...content: readonly string[]) =>
  `<NtryDtls>${content.map((one) => `<TxDtls>${one}</TxDtls>`).join('')}</NtryDtls>`;
