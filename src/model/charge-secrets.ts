/** The people of a charge (doc 2.3, 2.4), and what describes them wherever it may stand. */
const personal: readonly string[] = ['customer', 'payer', 'entity_details'];

/** Whether a field of a charge holds people. */
export function isPersonal(field: string): boolean {
  return personal.includes(field);
}

/** Payment details are encrypted and never shown (doc 2.4); `instrument` holds nothing else. */
export function isEncrypted(field: string): boolean {
  return field === 'instrument' || /encrypt/i.test(field);
}
