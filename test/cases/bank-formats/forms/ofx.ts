import type { Random } from '../../../support/random.ts';
import { type Country, decimal, digits, later, sumOf, type Truth } from '../truth.ts';
import { type Form, type Line, line, partsOf } from '../written.ts';

// OFX: 1.x is SGML, whose elements with a value need no end; 2.x is XML. An amount has its sign,
// and a point or a comma. A time has its zone in brackets. ORIGCURRENCY tells what was converted.

const country: Country = {
  currencies: ['USD', 'EUR', 'GBP', 'JPY'],
  mostAccounts: 3,
  names: ['Example Payments', "O'Brien & Sons", 'Müller <Söhne>'],
  account: (random) => {
    const number = digits(random, random.pick([8, 10, 12]));
    return { bank: digits(random, 9), branch: '', number, name: number };
  },
};

function write({ accounts }: Truth, random: Random) {
  const isXml = random.chance(40);
  const closes = isXml || random.chance(30);
  const isOneLine = !isXml && random.chance(25);
  const point = random.chance(20) ? ',' : '.';
  const isUtf8 = isXml || random.chance(40);
  const lines: Line[] = [];
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const element = (name: string, value: string) =>
    `<${name}>${escaped(value)}${closes ? `</${name}>` : ''}`;
  const add = (text: string, rest: Partial<Line> = {}, kind: Line['kind'] = 'frame') =>
    lines.push(line(kind, text, rest));
  const yyyymmdd = (day: string) => day.replaceAll('-', '');
  const time = random.pick([
    '',
    '120000',
    '120000.000',
    '230000[-5:EST]',
    '003000.000[+1:CET]',
    '120000[0:GMT]',
  ]);

  if (isXml) {
    add('<?xml version="1.0" encoding="UTF-8" standalone="no"?>');
    add(
      '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
    );
  } else {
    const encoding = isUtf8
      ? ['ENCODING:UTF-8', 'CHARSET:NONE']
      : ['ENCODING:USASCII', 'CHARSET:1252'];
    const head = ['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', ...encoding];
    for (const one of [...head, 'COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', ''])
      add(one);
  }
  const status = `<STATUS>${element('CODE', '0')}${element('SEVERITY', 'INFO')}</STATUS>`;
  const made = yyyymmdd(later(accounts[0]?.to ?? '', 1));
  add('<OFX>');
  add(
    `<SIGNONMSGSRSV1><SONRS>${status}${element('DTSERVER', made)}${element('LANGUAGE', 'ENG')}</SONRS></SIGNONMSGSRSV1>`,
  );
  accounts.forEach((account) => {
    const isCard = random.chance(25);
    const [set, answer, statement, from] = isCard
      ? ['CREDITCARDMSGSRSV1', 'CCSTMTTRNRS', 'CCSTMTRS', 'CCACCTFROM']
      : ['BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS', 'BANKACCTFROM'];
    add(`<${set}>`);
    add(`<${answer}>${element('TRNUID', '0')}${status}`);
    add(`<${statement}>`);
    add(element('CURDEF', account.currency), { currency: account.currency });
    add(`<${from}>`);
    if (!isCard) add(element('BANKID', account.bank));
    add(element('ACCTID', account.number), { account: account.number });
    if (!isCard) add(element('ACCTTYPE', 'CHECKING'));
    add(`</${from}>`);
    add('<BANKTRANLIST>');
    add(element('DTSTART', yyyymmdd(account.from) + (time && '000000')));
    add(element('DTEND', yyyymmdd(account.to) + (time && '235959')));
    const inOrder = random.chance(50) ? account.entries : account.entries.toReversed();
    for (const { day, valueDay, amount, text, reference, name } of inOrder) {
      const written = decimal(amount, account.decimals, point);
      const isSigned = amount > 0 && random.chance(15);
      const value = (isSigned ? '+' : '') + written;
      const { y, m } = partsOf(day);
      add('<STMTTRN>', {}, 'entry');
      add(
        element(
          'TRNTYPE',
          amount < 0
            ? random.pick(['DEBIT', 'CHECK', 'POS', 'FEE'])
            : random.pick(['CREDIT', 'DEP', 'XFER']),
        ),
        {},
        'detail',
      );
      add(
        element('DTPOSTED', yyyymmdd(day) + time),
        { date: yyyymmdd(day), noDate: `${y}${m}32` },
        'detail',
      );
      if (random.chance(40)) add(element('DTAVAIL', yyyymmdd(valueDay)), {}, 'detail');
      add(
        element('TRNAMT', random.chance(10) && closes ? ` ${value} ` : value),
        { amount: written },
        'detail',
      );
      add(element('FITID', reference), {}, 'detail');
      if (random.chance(20)) add(element('CHECKNUM', digits(random, 4)), {}, 'detail');
      const isName = text.length <= 32 && random.chance(50);
      add(element('NAME', isName ? text : name), {}, 'detail');
      if (!isName) add(element('MEMO', text), {}, 'detail');
      if (random.chance(10)) {
        add(
          `<ORIGCURRENCY>${element('CURRATE', '1.0843')}${element('CURSYM', 'CHF')}</ORIGCURRENCY>`,
          {},
          'detail',
        );
      }
      add('</STMTTRN>', {}, 'detail');
    }
    add('</BANKTRANLIST>');
    const closing = decimal(account.opening + sumOf(account), account.decimals, point);
    add(
      `<LEDGERBAL>${element('BALAMT', closing)}${element('DTASOF', yyyymmdd(account.to))}</LEDGERBAL>`,
      { amount: closing },
      'total',
    );
    if (random.chance(40)) {
      add(
        `<AVAILBAL>${element('BALAMT', closing)}${element('DTASOF', yyyymmdd(account.to))}</AVAILBAL>`,
      );
    }
    for (const name of [statement, answer, set]) add(`</${name}>`);
  });
  add('</OFX>');
  // What is all on one line is still one file: the header keeps its lines.
  const body = lines.findIndex(({ text }) => text === '<OFX>');
  const joined = isOneLine
    ? [
        ...lines.slice(0, body),
        line(
          'frame',
          lines
            .slice(body)
            .map(({ text }) => text)
            .join(''),
        ),
      ]
    : lines;
  const [end, how] = [random.pick(['\r\n', '\n']), [isXml ? 'XML' : 'SGML', time].join(' ')];
  return {
    ...{ name: isXml ? 'stmt.qfx' : 'stmt.ofx', lines: joined, end, how },
    ...{ encoding: isUtf8 ? ('utf8' as const) : ('latin1' as const) },
    ...{ isProved: false, saysOpening: false, saysClosing: true, saysDays: true },
  };
}

/** OFX and QFX, 1.x and 2.x. */
export const ofx: Form = { name: 'OFX', country, write };
