/** What the merchant of the sandbox agreed on: what the service charges in the month. */
export const sandboxAgreedRates = JSON.stringify(
  [
    { currency: 'EUR', fixed: '0.25', chargeback: '15.00' },
    { currency: 'JPY', fixed: '25', chargeback: '1500' },
  ].flatMap(({ currency, fixed, chargeback }) => {
    const tax = { percent: '20', rounding: 'down' };
    const terms = { currency, valid_from: '2026-01-01', rounding: 'down', tax };
    return [
      { ...terms, name: `sales ${currency} 2026`, types: ['purchase'], percent: '1.4', fixed },
      { ...terms, name: `refunds ${currency} 2026`, types: ['refund'], percent: '0', sign: 'none' },
      { ...terms, name: `chargebacks ${currency} 2026`, types: ['chargeback'], fixed: chargeback },
    ];
  }),
);
