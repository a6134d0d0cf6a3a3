import { ignorableChecks } from '../reconcile/entry.ts';
import { identities } from '../reconcile/identity.ts';
import type { SettingKey } from './table.ts';

/**
 * What a new configuration file says about each setting, in its order. `# ` stands before
 * explanations, `#` alone before a setting that is switched off; such a setting shows its default,
 * where it has one.
 */
const paragraphs: Readonly<Record<SettingKey, string>> = {
  base_url: `
# --- The service. You get these from your payment provider. ---

# Where settlements are read, and where access tokens are issued: addresses with https://.
# Or in the environment: RECON_BASE_URL, RECON_AUTH_URL.
base_url = ""`,
  auth_url: 'auth_url = ""',
  client_id: `
# Who asks, and whom. Or in the environment: RECON_CLIENT_ID, RECON_AUDIENCE.
client_id = ""`,
  audience: 'audience = ""',
  client_secret: `
# The secret, in one of four ways:
# - RECON_CLIENT_SECRET in the environment holds it;
# - RECON_CLIENT_SECRET_FILE in the environment names a file that holds it;
# - this command prints it, asking a password manager for example:
#client_secret_command = "pass show recon/client-secret"
# - it stands here. Then others must not be able to read this file (chmod 600):
#client_secret = ""`,
  auth: `
# --- The other way to authenticate, if your provider gave you its keys ---

# V2 asks for an access token with what stands above; V1 signs each request, and so sends one a
# second at most. Which one charges take is not documented: try "v1" for them if V2 is refused.
# With auth = "v1" everything is signed, and nothing of V2 is needed.
# Or in the environment: RECON_AUTH, RECON_CHARGE_AUTH.
#auth = "v2"`,
  charge_auth: '#charge_auth = "v2"',
  jwt_public_key: `
# The keys of V1, called jwtPublicKey and jwtSecret by the service. The secret may be given in the
# same four ways: RECON_JWT_SECRET, RECON_JWT_SECRET_FILE, or one of these.
# Or in the environment: RECON_JWT_PUBLIC_KEY.
#jwt_public_key = ""`,
  jwt_secret: `#jwt_secret_command = "pass show recon/jwt-secret"
#jwt_secret = ""`,
  identity: `
# --- How to reconcile ---

# How a settlement's pay-in follows from its gross amount, fees and tax. One of:
${listed(identities)}
#identity = "${identities[0]}"`,
  tolerance: `
# How much an amount may differ, in minor units: 5 is 0.05 in a currency with two decimals.
#tolerance = 0`,
  ignore: `
# Checks that are switched off, as in ["count", "tax"]. Of these:
${listed(ignorableChecks)}
#ignore = []`,
  expected_scales: `
# Decimal places that are right for a currency though ISO 4217 has others, as in { JPY = 2 }. Where
# amounts come with other ones, they may be wrong by a power of ten: that is said, and not mended.
#expected_scales = {}`,
  time_zone: `
# Whose day is meant by "today" and "yesterday": UTC, or a place such as "Europe/Madrid".
#time_zone = "UTC"`,
  concurrency: `
# --- How to read ---

# How many requests may be under way at once, from 1 to 64.
#concurrency = 8`,
  timeout: `
# How long a run may take: "90s", "10m", "1h30m".
#timeout = "none"`,
  names: `
# --- Names for accounting tokens, shown beside them. A line for each. ---

#names."3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601" = "Shop in Madrid"`,
};

/** The text of a new configuration file, which has one profile of that name, with nothing set. */
export function configTemplate(profile: string): string {
  const name = /^[\w-]+$/.test(profile) ? profile : JSON.stringify(profile);
  return `# The settings of recon.
#
# Fill in what is empty. Take the # off a line to change what it says; it shows the default.
# A flag or an environment variable counts before this file. "recon config show" tells which
# settings are in use, and where each comes from.

# The profile that is used where neither --profile nor RECON_PROFILE names one. A single profile
# needs no naming.
#default_profile = ${JSON.stringify(profile)}

# A profile is one environment in one country. For another one, copy all that follows to the end of
# this file, under another name: [profiles.NAME].
[profiles.${name}]
${Object.values(paragraphs).join('\n')}
`;
}

/** Words in lines that are commented out. */
function listed(words: readonly string[]): string {
  const lines = words.join(', ').match(/.{1,90}(?= |$)/g) ?? [];
  return lines.map((line) => `#   ${line.trim()}`).join('\n');
}
