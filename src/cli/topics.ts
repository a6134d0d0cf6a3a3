/** For help and README. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'balanced, or pending, or no settlements'],
  ['1', 'not balanced, not reconciled, or a condition of --fail-on'],
  ['2', 'wrong usage or configuration'],
  ['3', 'the service rejects the credentials or denies access'],
  ['4', 'incomplete: network, service, or unreadable data'],
  ['5', 'the output or the notification could not be delivered'],
  ['70', 'a bug in recon'],
  ['75', 'another run is writing to the same folder'],
  ['129, 130, 143', 'interrupted'],
];

const codeWidth = Math.max(...exitCodeMeanings.map(([code]) => code.length)) + 2;
const codeLines = exitCodeMeanings
  .map(([code, meaning]) => `  ${code.padEnd(codeWidth)}${meaning}`)
  .join('\n');

/** The topics of `recon help NAME`, in lines of at most 80 columns. */
export const topics = [
  {
    name: 'dates',
    summary: 'how to write days and months',
    text: `Days, for --from, --to and --on:
  2026-03-05        a date
  today, yesterday
  -7d               7 days ago
  -1w               1 week ago
  -2m               2 calendar months ago: the same day of the month, or the
                    last day if the month is shorter

Months, for --month:
  2026-03           a month
  this              the current month, to its last day
  last              the previous month

Days are settlement dates. Ranges include both days.
"Today" is in UTC, or in the time_zone that is set.
`,
  },
  {
    name: 'environment',
    summary: 'environment variables, and the order of settings',
    text: `Flags override the environment, which overrides the profile in the configuration
file, which overrides the defaults. recon config show lists every setting and
where it comes from. With --sandbox, the settings below count only if --profile
or --config is given.

The service, or the files that are read instead:
  RECON_BASE_URL, RECON_AUTH_URL, RECON_CLIENT_ID, RECON_CLIENT_SECRET,
  RECON_AUDIENCE, RECON_AUTH, RECON_CHARGE_AUTH, RECON_JWT_PUBLIC_KEY,
  RECON_JWT_SECRET, RECON_SETTLEMENT_FILES, RECON_SETTLEMENTS_CSV

How to read and reconcile:
  RECON_NAMES            such as {"TOKEN": "Shop in Madrid"}
  RECON_RULES            such as {"not_counted": [{"state": "declined"}]}
  RECON_EXPECTED_SCALES, RECON_ORDER_TOLERANCE: such as JPY=2,KWD=2
  RECON_ACCEPTED, RECON_BOOKS_FROM, RECON_IDENTITY, RECON_IGNORE, RECON_TIMEOUT,
  RECON_AGREED_FEES, RECON_BANK_CSV, RECON_CONCURRENCY, RECON_HOLIDAYS,
  RECON_AGREED_RATES, RECON_PURCHASE_TYPES, RECON_SETTLE_DAYS, RECON_TIME_ZONE,
  RECON_BANK_RULES, RECON_ORDERS_CSV, RECON_PAYOUT_ACCOUNTS, RECON_REFUND_TYPES,
  RECON_BOOKED, RECON_CLOSES, RECON_ORDERS, RECON_STATEMENTS, RECON_TOLERANCE,
  RECON_BOOKS, RECON_CHARGEBACK_TYPES, RECON_CLOSED_THROUGH, RECON_PENDING_DAYS

recon export, recon nightly:
  RECON_PARQUET          true to write the days as Parquet tables too
  RECON_RESTATED_DAYS, RECON_SWEPT_DAYS: days to read, and to check, again
  RECON_NOTIFY_URL, RECON_HEARTBEAT_URL, RECON_HEARTBEAT_FAILURE: who hears of a
                         night; the addresses are secrets

recon listen:
  RECON_LISTEN_PATH   the path for webhooks, if it must be secret
  RECON_JOURNAL       folder for events
                      (default: $XDG_STATE_HOME/recon/webhooks/PROFILE)

Add _FILE to a name to read the value from a file, for example
RECON_CLIENT_SECRET_FILE=/run/secrets/recon. RECON_JOURNAL has no such form.

The configuration file (recon config init creates one to fill in):
  RECON_PROFILE       profile to use
  RECON_CONFIG        the file (default: $XDG_CONFIG_HOME/recon/config.toml)

Also read: http_proxy, https_proxy, no_proxy, NO_COLOR.
`,
  },
  {
    name: 'exit-codes',
    summary: 'what the exit codes mean',
    text: `Exit codes:
${codeLines}

--fail-on out-of-balance,pending replaces the conditions for exit code 1.
--fail-on +pending adds one. --fail-on none removes them. Codes 2 and above
are not affected. transactions, charge and accept never end with 1. accept ends
with 2 if the difference is not the one given, or there is nothing to accept.

Several profiles end with the first of 70, 5, 3, 4, 75, 2, 1, 0 that occurs.
`,
  },
];
