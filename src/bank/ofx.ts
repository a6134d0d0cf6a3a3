import { isDay } from '../base/calendar.ts';
import { longestRecord, longestText, type TextReader } from '../base/text-reader.ts';
import { accountNumber } from '../model/bank.ts';
import { type Decimal, parseDigits, signed } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { RecordedFile, recordedEntry } from './records.ts';
import type { StatementFormat } from './written.ts';
import { declaredEncoding } from './xml.ts';

/** OFX and QFX: as SGML, in which values need no end tags (1.x), and as XML (2.x). */
export const ofxFormat: StatementFormat = {
  matches: (beginning) => /OFXHEADER\s*[:=]|<OFX>/i.test(beginning),
  encodingOf: declaredEncoding,
  reader: (file, sink) => tagReader(new Ofx(file, sink)),
};

interface TagSink {
  /** Receives a tag and the text after it. */
  opened(tag: string, value: string, line: number): void;
  closed(tag: string, line: number): void;
  /** `isCut`: whether a tag has no end. */
  end(line: number, isCut: boolean): void;
}

/** A comment, a text as it is, a declaration, a tag, or a text. */
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(?:\?|!(?!--|\[))[^>]*>|<(\/?)([A-Za-z][\w.-]*)[^>]*>|([^<]+|<(?=[^A-Za-z/!?]))/y;

/** Reads tags and the texts after them, whether or not they have end tags. */
function tagReader(sink: TagSink): TextReader {
  let held = '';
  let line = 1;
  let open = { tag: '', value: '', line };
  const finish = (tag = '') => {
    if (open.tag !== '') sink.opened(open.tag, plainText(open.value), open.line);
    open = { tag, value: '', line };
  };
  return {
    push: (text) => {
      if (held.length <= longestRecord) held += text;
      let start = 0;
      for (;;) {
        markup.lastIndex = start;
        const [all, asIs = '', slash, name = '', piece = ''] = markup.exec(held) ?? [];
        if (all === undefined) break;
        start += all.length;
        const tag = name.toUpperCase();
        if (open.value.length <= longestText) open.value += asIs.replaceAll('&', '&amp;') + piece;
        if (tag !== '') finish(slash === '' ? tag : '');
        if (slash === '/') sink.closed(tag, line);
        line += all.split('\n').length - 1;
      }
      held = held.slice(start);
    },
    end: () => {
      finish();
      sink.end(line, held !== '');
    },
  };
}

const entities = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

function plainText(text: string): string {
  const decode = (
    whole: string,
    hex: string | undefined,
    digits: string | undefined,
    name: string,
  ) => {
    const code = Number(digits === undefined ? `0x${hex}` : digits);
    if (name !== undefined) return entities.get(name) ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  };
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, decode).trim();
}

/** Elements that have elements; in SGML, others cannot be told from them. */
const groups = new Set(
  (
    'STATUS STMTRS CCSTMTRS BANKACCTFROM CCACCTFROM BANKTRANLIST BANKTRANLISTP STMTTRN STMTTRNP PAYEE ' +
    'BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY LEDGERBAL AVAILBAL BALLIST BAL'
  ).split(' '),
);

class Ofx extends RecordedFile {
  readonly #path: string[] = [];
  /** Values of the statement and of the transaction that is being read, by their last two names. */
  #own = new Map<string, string>();
  #values = new Map<string, string>();
  #start = 0;
  #line = 0;
  #hasStatement = false;
  #server = '';

  opened(tag: string, value: string, line: number): void {
    const group = this.#path.at(-1) ?? '';
    if (/^(INV|LOAN)STMTRS$/.test(tag)) this.refuse(line, tag, 'a statement of a bank or a card');
    if (tag === 'SEVERITY' && value === 'ERROR')
      this.refuse(line, value, 'a statement without errors');
    if (tag === 'DTSERVER') this.#server = dayOf(value);
    if (tag === 'STMTRS' || tag === 'CCSTMTRS') this.#open(line);
    if (/^(TRNAMT|DTPOSTED|FITID)$/.test(tag) && this.#line === 0) {
      this.refuse(line, `<${tag}>`, 'a transaction, <STMTTRN>, around it');
    }
    if (/^STMTTRNP?$/.test(tag)) {
      if (this.#line > 0) this.refuse(line, `<${tag}>`, 'the end tag of the transaction before');
      this.#finishTransaction();
      this.#line = line;
      this.#values = new Map();
    }
    const isTwice = this.#path.includes(tag) && /^BANKTRANLISTP?$|^LEDGERBAL$/.test(tag);
    if (isTwice) this.refuse(line, `<${tag}>`, `the end tag </${tag}> before it`);
    if (groups.has(tag)) this.#path.push(tag);
    else this.#keep(`${group}/${tag}`, value, line);
  }

  closed(tag: string, line: number): void {
    if (!groups.has(tag)) return;
    const at = this.#path.lastIndexOf(tag);
    if (at < 0) this.refuse(line, `</${tag}>`, `the beginning <${tag}> before its end`);
    if (at < 0) return;
    for (const inner of this.#path.slice(at + 1)) {
      this.refuse(line, `</${tag}>`, `the end tag </${inner}> before it`);
    }
    if (/^STMTTRNP?$/.test(tag)) this.#finishTransaction();
    if (tag === 'STMTRS' || tag === 'CCSTMTRS') this.#finish();
    this.#path.splice(at);
  }

  end(line: number, isCut: boolean): void {
    if (isCut) this.refuse(line, '', 'the end of a tag');
    if (this.statement) this.refuse(line, '', 'an end tag </STMTRS> or </CCSTMTRS>');
    this.#finish();
    if (!this.#hasStatement) this.refuse(line, '', 'a statement of a bank account or a card');
  }

  #open(line: number): void {
    if (this.statement) this.refuse(line, '', 'an end tag of the statement before');
    this.#finish();
    this.#hasStatement = true;
    this.#own = new Map();
    this.#start = line;
    this.openStatement(line);
  }

  #keep(name: string, value: string, line: number): void {
    const values = this.#line > 0 ? this.#values : this.#own;
    if (value === '') return;
    if (name === 'STMTRS/CURDEF' || name === 'CCSTMTRS/CURDEF') {
      if (this.statement) this.statement.currency = value.toUpperCase();
    }
    if (/^(BANK|CC)ACCTFROM\/ACCTID$/.test(name) && this.statement) {
      this.statement.account = accountNumber(value);
    }
    const isMoney = /^STMTTRNP?\/(TRNAMT|DTPOSTED|DTTRAN)$|^LEDGERBAL/.test(name);
    if (isMoney && values.has(name)) this.refuse(line, value, `one ${name}`);
    values.set(name, value);
  }

  #finishTransaction(): void {
    const [line, values, { statement }] = [this.#line, this.#values, this];
    this.#line = 0;
    // Those of other accounts are refused as a whole.
    if (line === 0 || !statement) return;
    const isPending = values.has('STMTTRNP/TRNAMT') || values.has('STMTTRNP/DTTRAN');
    const at = (name: string) => values.get(`${isPending ? 'STMTTRNP' : 'STMTTRN'}/${name}`) ?? '';
    const currency = (values.get('CURRENCY/CURSYM') ?? statement.currency).toUpperCase();
    statement.currency ||= currency;
    const corrected = at('CORRECTFITID');
    if (corrected !== '') this.refuse(line, corrected, 'no correction of another transaction');
    const name = at('NAME') || (values.get('PAYEE/NAME') ?? '');
    this.entry = recordedEntry({
      line,
      record: [...values.values()].join(' '),
      amount: amountIn(at('TRNAMT'), currency),
      date: dayOf(at(isPending ? 'DTTRAN' : 'DTPOSTED')),
      valueDate: at('DTAVAIL') === '' ? '' : dayOf(at('DTAVAIL')),
      currency,
      isPending,
      bankReference: at('FITID').replace(/^0+$/, ''),
      texts: [[name], [at('EXTDNAME')], [at('MEMO')]],
    });
    const { details } = this.entry;
    details.references.push(at('REFNUM'), at('CHECKNUM'));
    details.names.push(name);
    details.accounts.push(values.get('BANKACCTTO/ACCTID') ?? values.get('CCACCTTO/ACCTID') ?? '');
    this.finishEntry();
  }

  #finish(): void {
    this.#finishTransaction();
    const { statement } = this;
    if (!statement) return;
    const at = (name: string) => this.#own.get(name) ?? '';
    const [from, end] = [dayOf(at('BANKTRANLIST/DTSTART')), dayOf(at('BANKTRANLIST/DTEND'))];
    // What is booked after the file was made is not in it.
    const to = isDay(this.#server) && this.#server < end ? this.#server : end;
    if (isDay(from) && isDay(to) && from <= to) statement.days = { from, to };
    else if (from + end !== '') this.refuse(this.#start, `${from} ${end}`, 'the days of a period');
    const [record, day] = [at('LEDGERBAL/BALAMT'), dayOf(at('LEDGERBAL/DTASOF'))];
    const amount = amountIn(record, statement.currency);
    const balance = { line: this.#start, record, amount, date: day };
    if (record !== '' && (!amount || day === statement.days?.to)) statement.closing = balance;
    this.finishStatement('OFX');
  }
}

/** The day as it is written, in the time zone that follows it. */
const dayOf = (text: string) => text.replace(/^(\d{4})(\d\d)(\d\d).*$/s, '$1-$2-$3');

/** A decimal comma is allowed. Three decimals are refused where the currency has fewer: they could be thousands. */
function amountIn(text: string, currency: string): Decimal | undefined {
  const [, sign, number = ''] = /^([+-]?)(\d*[.,]?\d*)$/.exec(text) ?? [];
  const areThousands = /[.,]\d{3}$/.test(number) && (minorUnitsOf(currency) ?? 2) < 3;
  const amount = areThousands ? undefined : parseDigits(number.replace(',', '.'));
  return amount && signed(amount, sign === '-');
}
