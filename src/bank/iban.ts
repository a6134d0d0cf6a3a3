/** Whether a text is an IBAN by its check digits, ISO 13616. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(text) && remainderOf(text) === 1n;
}

/** The IBAN of a national account number with its own check digits. */
export function ibanOf(country: string, account: string): string {
  const check = 98n - remainderOf(`${country}00${account}`);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

function remainderOf(iban: string): bigint {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n;
}
