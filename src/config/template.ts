import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import type { SettingKey } from './table.ts';

/** The template's text on each setting, in order. `# ` is an explanation, `#` a setting at its default. */
const paragraphs: Readonly<Record<SettingKey, string>> = {
  base_url: `
# --- The service. You get these from your payment provider. ---

# URLs of the API and of the server that issues access tokens. They start with https://.
base_url = ""`,
  auth_url: 'auth_url = ""',
  client_id: `
# Client id and audience.
client_id = ""`,
  audience: 'audience = ""',
  client_secret: `
# The secret, in one of four ways:
# - in the environment: RECON_CLIENT_SECRET, or a file that RECON_CLIENT_SECRET_FILE names;
# - in a file of its own. A relative path starts at the folder of this file:
#client_secret_file = ""
# - printed by this command, for example from a password manager:
#client_secret_command = "pass show recon/client-secret"
# - written here. Then only you may have access to this file (chmod 600):
#client_secret = ""`,
  auth: `
# --- V1 signing, if your provider gave you keys for it ---

# V2 uses the settings above to get an access token. V1 signs each request, at most one per second.
# The service's document does not say which one charges use: try charge_auth = "v1" if V2 is
# rejected. With auth = "v1" all requests are signed, and no V2 settings are needed.
#auth = "v2"`,
  charge_auth: '#charge_auth = "v2"',
  jwt_public_key: `
# The V1 keys, which the service calls jwtPublicKey and jwtSecret. Give the secret in one of the
# same four ways.
#jwt_public_key = ""`,
  jwt_secret: `#jwt_secret_file = ""
#jwt_secret_command = "pass show recon/jwt-secret"
#jwt_secret = ""`,
  identity: `
# --- How to reconcile ---

# The equation between a settlement's pay-in and its gross, fees and tax. One of:
${listed(identities)}
#identity = "${identities[0]}"`,
  tolerance: `
# Allowed difference per amount, in minor units: 5 is 0.05 in a currency with two decimals.
#tolerance = 0`,
  ignore: `
# Checks to switch off, for example ["count", "tax"]. Possible values:
${listed(ignorableChecks)}
#ignore = []`,
  expected_scales: `
# Decimal places to expect for a currency instead of those of ISO 4217, for example { JPY = 2 }.
# Amounts with other decimal places may be wrong by a power of ten: reported, not corrected.
#expected_scales = {}`,
  accepted: `
# The file in which "recon accept" keeps accepted differences, for example "accepted.csv". A
# relative path starts at the folder of this file.
#accepted = ""`,
  rules: `
# What is normal here, although the service's document does not say so: rows that headers leave
# out, opposite signs, tax inside the fees, rounding. For example:
#   { not_counted = [{ state = "declined" }], tax_in_fees = "moved" }
# "recon settlements" proposes rules that explain three settlements or more.
#rules = {}`,
  time_zone: `
# Time zone of "today" and "yesterday": "UTC", or a place such as "Europe/Madrid".
#time_zone = "UTC"`,
  pending_days: `
# How many days a settlement may be pending. Older ones are reported as overdue.
#pending_days = 14`,
  parquet: `
# --- Exports ---

# Whether exports also contain the days as Parquet tables, for SQL: true or false.
#parquet = false`,
  restated_days: `
# --- Every night ---

# How many of the last days "recon nightly" reads again: the service may restate them.
#restated_days = 7`,
  swept_days: `
# Within how many days "recon nightly" lists the settlements of all older days again, and checks
# their files. 0: never.
#swept_days = 30`,
  refund_types: `
# --- Audit and orders ---

# Transaction types of refunds, purchases and chargebacks, as the service writes them. Without them,
# "recon audit" does not check refunds, and "recon orders" goes by the signs of amounts.
#refund_types = []`,
  purchase_types: '#purchase_types = []',
  chargeback_types: '#chargeback_types = []',
  notify_url: `
# The address to which news is posted, for example an incoming webhook of Slack. It is a secret:
# give it in one of the same four ways.
#notify_url_file = ""
#notify_url_command = "pass show recon/notify-url"
#notify_url = ""`,
  heartbeat_url: `
# The address that is requested after each night, so a missing night is noticed. It is a secret
# too: give it in one of the same four ways. heartbeat_failure is added to it if the night failed:
# a path such as /fail or /{code}, or parameters such as ?status=down&msg={cause}.
#heartbeat_url_file = ""
#heartbeat_url_command = "pass show recon/heartbeat-url"
#heartbeat_url = ""`,
  heartbeat_failure: '#heartbeat_failure = "/fail"',
  statements: `
# --- The bank ---

# Bank statements: a file, or a folder of them. A relative path starts at the folder of this file.
#statements = ""`,
  payout_accounts: `
# The account numbers (IBANs) that the service pays from. Without them, "recon bank" learns them
# from pay-outs that it finds by an id.
#payout_accounts = []`,
  holidays: `
# Days on which banks are closed, beside weekends and, for EUR, the holidays of TARGET: for example
# ["JPY 2026-03-20", "2026-12-31"], or the name of a file with such lines. A day without a currency
# holds for all.
#holidays = []`,
  bank_csv: `
# The bank's CSV files: which column contains what, and how numbers and dates are written.
# For example:
#   { delimiter = ";", decimal = ",", date_format = "DD.MM.YYYY", date = "Booked on",
#     amount = "Amount", currency = "EUR", texts = ["Text"] }
#bank_csv = {}`,
  orders_csv: `
# --- The orders ---

# The shop's order files: which column contains what. To see a mapping that fits a file:
# recon orders --init FILE. For example:
#   { preset = "shopify", methods = ["Shopify Payments"] }
#orders_csv = {}`,
  settle_days: `
# Within how many days after its payment an order should be settled.
#settle_days = 7`,
  agreed_rates: `
# --- The fees ---

# The rates that were agreed with the provider, each a table [[profiles.NAME.agreed_rates]]. To see
# what the rows show, to be held against the contract: recon fees --init
#agreed_rates = []`,
  agreed_fees: `
# Agreed fees without a row. For example:
#   [ { name = "terminal rent", every = "month", amount = "29.00", currency = "EUR" } ]
#agreed_fees = []`,
  books: `
# --- The books ---

# The accounts that "recon journal" books to, as a table [profiles.NAME.books]. To print one to
# start from: recon journal --init
#books = {}`,
  books_from: `
# The first day of the books, and what was in transit before it: { day = "2026-03-01" }, or with
# amounts by accounting token and currency: { day = "2026-03-01", opening.TOKEN.EUR = "12.30" }
#books_from = {}`,
  closes: `
# The file in which "recon close" keeps closed months. A relative path starts at the folder of this
# file.
#closes = ""`,
  closed_through: `
# The last day whose books are closed, for example "2026-03-31". With a register of booked entries,
# "recon journal" posts what belongs to earlier days on the day after it.
#closed_through = "none"`,
  concurrency: `
# --- Requests ---

# Requests in parallel, from 1 to 64.
#concurrency = 8`,
  timeout: `
# Time limit for the whole run, for example "90s", "10m" or "1h30m".
#timeout = "none"`,
  names: `
# --- Names for accounting tokens, one per line ---

#names."3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601" = "Shop in Madrid"`,
};

/** A new configuration file with one profile and nothing set. */
export function configTemplate(profile: string): string {
  const name = /^[\w-]+$/.test(profile) ? profile : JSON.stringify(profile);
  return `# The settings of recon.
#
# Fill in the empty settings. A line that starts with # and a name shows a default: remove the # to
# change it. Flags and environment variables override this file: RECON_BASE_URL overrides base_url,
# and so on. "recon config show" lists the settings in use and where each comes from.

# The profile to use if neither --profile nor RECON_PROFILE is given. Not needed with a single
# profile.
#default_profile = ${JSON.stringify(profile)}

# A profile is one environment in one country. To add another, copy all lines below to the end of
# this file and change the name in [profiles.NAME].
[profiles.${name}]
${Object.values(paragraphs).join('\n')}
`;
}

function listed(words: readonly string[]): string {
  const lines = words.join(', ').match(/.{1,90}(?= |$)/g) ?? [];
  return lines.map((line) => `#   ${line.trim()}`).join('\n');
}
