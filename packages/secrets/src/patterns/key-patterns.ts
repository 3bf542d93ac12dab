import type { SecretPattern } from "./secret-pattern.ts"

const PEM = "[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"

/** Stands before a line in a diff, or in a text with numbered lines. A `+` is a character of a key, too. */
const BEFORE = "(?:[ -]|\\d{1,7}[:|-] ?)?"

/** Keys by their prefix and the rest. */
const KEYS: readonly (readonly [start: string, rest: string])[] = [
  ["sk-", "[\\w-]{16,}"],
  ["[srp]k_(?:live|test)_", "\\w{10,}"],
  ["whsec_", "\\w{16,}"],
  ["gh[opusr]_", "\\w{20,}"],
  ["github_pat_", "\\w{20,}"],
  ["gl(?:pat|dt|rt|ptt|cbt|ft|soat|imt)-", "[\\w-]{16,}"],
  ["xox[abeprs]-", "[\\w-]{10,}"],
  ["xapp-", "[\\w-]{10,}"],
  ["xai-", "\\w{20,}"],
  ["(?:AKIA|ASIA)", "[A-Z0-9]{16}"],
  ["AIza", "[\\w-]{30,}"],
  ["ya29\\.", "[\\w-]{20,}"],
  ["GOCSPX-", "[\\w-]{20,}"],
  ["npm_", "\\w{30,}"],
  ["hf_", "\\w{20,}"],
  ["gsk_", "\\w{20,}"],
  ["r8_", "\\w{20,}"],
  ["pypi-", "[\\w-]{30,}"],
  ["SG\\.", "[\\w-]{16,}\\.[\\w-]{16,}"],
  ["dop_v1_", "\\w{20,}"],
  ["AGE-SECRET-KEY-1", "\\w{20,}"],
  ["shp(?:at|ca|pa|ss)_", "[\\da-f]{32}"],
  ["sq0(?:atp|csp|idp)-", "[\\w-]{20,}"],
  ["lin_api_", "\\w{20,}"],
  ["ntn_", "\\w{20,}"],
  ["secret_", "[A-Za-z\\d]{40,}"],
  ["figd_", "[\\w-]{20,}"],
  ["dapi", "[\\da-f]{32}"],
  ["hv[bsr]\\.", "(?=[a-z_-]*[A-Z\\d])[\\w-]{10,}"],
  ["pul-", "[\\da-f]{40}"],
  ["dckr_(?:pat|oat)_", "[\\w-]{20,}"],
  ["PMAK-", "[\\da-f]{24}-[\\da-f]{34}"],
  ["AT(?:ATT|CTT|BB)", "[\\w=-]{24,}"],
  ["rubygems_", "[\\da-f]{40,}"],
  ["cio", "[A-Za-z\\d]{32}"],
  ["nvapi-", "[\\w-]{20,}"],
  ["pplx-", "\\w{30,}"],
  ["tgp_v1_", "[\\w-]{20,}"],
  ["fw_", "[A-Za-z\\d]{20,}"],
  ["sntry[su]_", "[\\w=+/-]{20,}"],
  ["glsa_", "\\w{20,}"],
  ["LTAI", "[A-Za-z\\d]{16,}"],
  ["key-", "[\\da-f]{32}"],
  ["EAACEdEose0cBA", "\\w{10,}"],
  ["1//0", "[\\w-]{30,}"],
  ["(?:bot)?\\d{8,10}:AA", "[\\w-]{28,}"],
  ["[MNO][A-Za-z\\d_-]{23,27}\\.", "[\\w-]{6}\\.[\\w-]{27,}"],
]

/** A prefix of a key whose rest was cut off. */
export const cutKey: SecretPattern = {
  kind: "secret.key",
  pattern: new RegExp(`\\b(?:${KEYS.map(([start]) => start).join("|")})[\\w.=+/:-]+$`),
}

/** Secrets that are recognized by their form in any context. */
export const keyPatterns: readonly SecretPattern[] = [
  {
    kind: "secret.private-key",
    pattern: new RegExp(`-----BEGIN ${PEM}[\\s\\S]*?(?:-----END ${PEM}|$)`, "g"),
  },
  // A key whose beginning was cut off, as by `tail`.
  {
    kind: "secret.private-key",
    pattern: new RegExp(`^(?:${BEFORE}[A-Za-z0-9+/=]{16,81}\\r?\\n){1,60}(?:\\+|${BEFORE})-----END ${PEM}`, "gm"),
  },
  { kind: "secret.private-key", pattern: /^Private-Lines: \d+\r?\n(?<secret>(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,100})/gm },
  { kind: "secret.jwt", pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*/g },
  { kind: "secret.jwt", pattern: /\beyJ[\w-]{8,}\.[\w-]*\.[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}/g },
  {
    kind: "secret.key",
    pattern: new RegExp(`\\b(?:${KEYS.map(([start, rest]) => start + rest).join("|")})`, "g"),
  },
  // Vault's older form: a fixed length of random characters.
  {
    kind: "secret.key",
    pattern: /(?<![\w.$)\]])s\.(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d]{24}(?![\w.(])/g,
  },
  // Twilio: an account or a key, with its secret.
  { kind: "secret.key", pattern: /\b(?:AC|SK)[\da-f]{32}:(?<secret>[A-Za-z\d]{32})\b/g },
  // A line of PostgreSQL's `.pgpass`: host, port, database, user, password. Other ports would match grep's line
  // numbers.
  {
    kind: "secret.password",
    pattern: /^[\w.*/-]*:(?:543\d|6432|\*):[\w.*-]+:[A-Za-z_*][\w.@*-]*:(?<secret>[^\s:]{3,})[ \t]*\r?$/gm,
  },
  {
    kind: "secret.webhook",
    pattern: /\b(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[\w/-]{20,})/g,
  },
]
