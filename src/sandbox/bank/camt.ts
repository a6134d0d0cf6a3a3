import { addDays } from '../../base/calendar.ts';
import { formatMinor, magnitude } from '../../money/money.ts';
import type { SandboxAccount, SandboxEntry } from './accounts.ts';

/** One camt.053 message (version 8) with the statements of accounts. */
export function camtOf(name: string, accounts: readonly SandboxAccount[]): string {
  const statements = accounts.map((account, at) => statement(name, account, at + 1));
  const made = accounts.map(writtenAt).sort().at(-1) ?? '';
  const header = `<GrpHdr>${text('MsgId', name)}${text('CreDtTm', made)}</GrpHdr>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    `<BkToCstmrStmt>${header}`,
    ...statements,
    '</BkToCstmrStmt>',
    '</Document>',
    '',
  ].join('\n');
}

function statement(name: string, account: SandboxAccount, number: number): string {
  const { iban, currency, from, to, opening, closing, entries } = account;
  const days = `${text('FrDtTm', `${from}T00:00:00Z`)}${text('ToDtTm', `${to}T23:59:59Z`)}`;
  return [
    `<Stmt>${text('Id', `${name}-${currency}`)}${text('ElctrncSeqNb', String(number))}`,
    `${text('CreDtTm', writtenAt(account))}<FrToDt>${days}</FrToDt>`,
    `<Acct><Id>${text('IBAN', iban)}</Id>${text('Ccy', currency)}</Acct>`,
    balance('OPBD', opening, from, account),
    balance('CLBD', closing, to, account),
    ...entries.map((one) => entry(one, account)),
    '</Stmt>',
  ].join('\n');
}

const writtenAt = ({ to }: SandboxAccount): string => `${addDays(to, 1)}T06:00:00Z`;

function balance(code: string, minor: bigint, day: string, account: SandboxAccount): string {
  const type = `<Tp><CdOrPrtry>${text('Cd', code)}</CdOrPrtry></Tp>`;
  return `<Bal>${type}${amount(minor, account)}${direction(minor)}<Dt>${text('Dt', day)}</Dt></Bal>`;
}

function entry(one: SandboxEntry, account: SandboxAccount): string {
  const { date, reference, payouts, fee } = one;
  const family = one.amount < 0n ? 'ICDT' : 'RCDT';
  const code = `<Fmly>${text('Cd', family)}${text('SubFmlyCd', 'ESCT')}</Fmly>`;
  const batch = payouts.length > 1 ? `<Btch>${text('NbOfTxs', String(payouts.length))}</Btch>` : '';
  return [
    `<Ntry>${amount(one.amount, account)}${direction(one.amount)}<Sts>${text('Cd', 'BOOK')}</Sts>`,
    `<BookgDt>${text('Dt', date)}</BookgDt><ValDt>${text('Dt', date)}</ValDt>${text('AcctSvcrRef', reference)}`,
    `<BkTxCd><Domn>${text('Cd', 'PMNT')}${code}</Domn></BkTxCd>${fee > 0n ? charges(fee, account) : ''}`,
    `<NtryDtls>${batch}`,
    ...(payouts.length > 0 ? payouts : [{ endToEndId: 'NOTPROVIDED', amount: one.amount }]).map(
      (payout) => details(payout.endToEndId, payout.amount - fee, one, account),
    ),
    '</NtryDtls></Ntry>',
  ].join('\n');
}

function charges(fee: bigint, account: SandboxAccount): string {
  const record = `<Rcrd>${amount(fee, account)}${direction(-fee)}</Rcrd>`;
  return `<Chrgs>${amount(fee, account, 'TtlChrgsAndTaxAmt')}${record}</Chrgs>`;
}

function details(
  endToEndId: string,
  minor: bigint,
  { name, iban, text: remittance, fee }: SandboxEntry,
  account: SandboxAccount,
): string {
  const side = minor < 0n ? 'Cdtr' : 'Dbtr';
  const parties = `<${side}><Pty>${text('Nm', name)}</Pty></${side}><${side}Acct><Id>${text('IBAN', iban)}</Id></${side}Acct>`;
  const instructed = `<InstdAmt>${amount(minor + fee, account)}</InstdAmt>`;
  return [
    `<TxDtls><Refs>${text('EndToEndId', endToEndId)}</Refs>${amount(minor, account)}${direction(minor)}`,
    ...(fee > 0n ? [`<AmtDtls>${instructed}</AmtDtls>`] : []),
    `<RltdPties>${parties}</RltdPties>`,
    `<RmtInf>${text('Ustrd', remittance)}</RmtInf></TxDtls>`,
  ].join('\n');
}

function amount(minor: bigint, { currency, scale }: SandboxAccount, name = 'Amt'): string {
  return `<${name} Ccy="${currency}">${formatMinor(magnitude(minor), scale)}</${name}>`;
}

function direction(minor: bigint): string {
  return text('CdtDbtInd', minor < 0n ? 'DBIT' : 'CRDT');
}

/** What XML 1.0 cannot hold becomes a question mark. */
function text(name: string, value: string): string {
  const kept = value.replace(
    /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu,
    '?',
  );
  const escaped = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${escaped}</${name}>`;
}
