import { accountNumber, type PaymentDetails } from '../model/bank.ts';
import { labelledDetails, labelsIn } from './labelled-text.ts';
import { joinedDetails, noDetails, references } from './written.ts';

/** What the text of an entry (`:86:`) says. */
export interface EntryText {
  readonly details: PaymentDetails;
  readonly returnReason: string;
}

/** Understands a text with numbered subfields (`166?00…?20…`), with names (`/EREF/…/REMI/…`), or a free one. */
export function mt940Details(text: string): EntryText {
  // Both are cut into lines anywhere.
  const joined = text.replaceAll('\n', '');
  const separator = /^\d{3}([^A-Za-z0-9\s])/.exec(joined)?.[1];
  if (separator !== undefined) return numbered(joined, separator);
  if (/^\s*\/[A-Z]{2,4}\//.test(joined)) return named(joined);
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const details = joinedDetails([{ ...noDetails, texts }, labelledDetails(texts)]);
  return { details, returnReason: '' };
}

/**
 * After a code of the kind of transaction (159 is a return): 00 says the same in words, 20 to 29 and 60 to
 * 63 are the text, 31 is the account of the other side, 32 and 33 its name, 34 a number for the reason.
 */
function numbered(text: string, separator: string): EntryText {
  const sign = separator.replace(/[\\^$.*+?()[\]{}|-]/, '\\$&');
  const fields = labelsIn(text, new RegExp(`${sign}(\\d\\d)`));
  const filled = fields.filter(([, value]) => value.trim() !== '');
  const valuesOf = (numbers: RegExp) =>
    filled.flatMap(([number, value]) => (numbers.test(number) ? [value] : []));
  const texts = valuesOf(/^(2\d|6[0-3])$/);
  const [name = '', more = ''] = valuesOf(/^3[23]$/);
  // A full first part may end within a word.
  const whole = (name.length < fullSubfield ? `${name.trim()} ${more}` : name + more).trim();
  const names = whole === '' ? [] : [whole];
  const own = { ...noDetails, texts, names, accounts: valuesOf(/^31$/).map(accountNumber) };
  return {
    details: joinedDetails([own, labelledDetails(texts)]),
    returnReason: text.startsWith('159') ? valuesOf(/^(00|34)$/).join(' ') : '',
  };
}

/** The characters that a subfield of a text or a name has room for. */
const fullSubfield = 27;

/** The names of Dutch banks. */
const fieldNames =
  /\/(TRTP|EREF|PREF|MARF|CSID|RTRN|REMI|NAME|IBAN|BIC|BENM|ORDP|ADDR|ISDT|CNTP|PURP|ULTC|ULTD|SVCL)\//;

function named(text: string): EntryText {
  const fields = labelsIn(text, fieldNames);
  const valuesOf = (...names: readonly string[]) =>
    fields.flatMap(([name, value]) =>
      names.includes(name) ? [value.replace(/^\/+|\/+$/g, '')] : [],
    );
  const remittance = valuesOf('REMI').map((value) => value.replace(/^(USTD|STRD)\/*(CUR\/)?/, ''));
  const [account = '', , counterparty = ''] = (valuesOf('CNTP')[0] ?? '').split('/');
  return {
    details: {
      endToEndIds: references(valuesOf('EREF')),
      paymentInformationIds: references(valuesOf('PREF')),
      references: references(valuesOf('MARF', 'CSID')),
      texts: remittance.length > 0 ? remittance : [text],
      names: references([...valuesOf('NAME'), counterparty]),
      accounts: references([...valuesOf('IBAN'), account]).map(accountNumber),
    },
    returnReason: valuesOf('RTRN')[0] ?? '',
  };
}
