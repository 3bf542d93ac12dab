/** Finds one kind of secret; the group `secret` is what is masked, without it the whole match. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
}

const NAMES = "(?:password|passwd|passphrase|[_-]pwd|secret|token|(?:api|access|account|secret|private|auth)[_-]?key)"
const VALUE = "(?<secret>[^\\s\"'`,;&#(){}<>\\\\]{6,})"
/** In code the same names stand before types and variables. */
const UNLIKE_A_WORD = "(?!\\$|[\\w.]{1,80}\\()(?=[^\\s\\d!@%^*+=/]{0,100}[\\d!@%^*+=/])"

/** Each begins at a fixed text or a word's start and goes on without a choice, so that a long text costs its length. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: "secret.private-key",
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: "secret.jwt", pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*/g },
  { kind: "secret.authorization", pattern: /\b(?:Bearer|Basic)\s+(?<secret>[\w.~+/-]{16,}=*)/gi },
  {
    kind: "secret.authorization",
    pattern:
      /\bAuthorization\\{0,7}["']?\s{0,4}[:=]\s{0,4}\\{0,7}["']?(?:Basic|Bearer|token)\s{1,4}(?<secret>[\w.~+/-]{6,}=*)/gi,
  },
  { kind: "secret.authorization", pattern: /\bCookie:\s{0,4}(?<secret>[^\r\n"'\\]{6,})/gi },
  {
    kind: "secret.url-password",
    // Up to the last @: a password may hold one.
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,100}:(?<secret>[^\s/"']{1,200})@/gi,
  },
  { kind: "secret.url-password", pattern: /\bhttps?:\/\/(?<secret>[\w-]{20,200})@/gi },
  {
    kind: "secret.key",
    pattern: new RegExp(
      `\\b(?:${[
        "sk-[\\w-]{16,}",
        "[srp]k_(?:live|test)_\\w{10,}",
        "whsec_\\w{16,}",
        "gh[opusr]_\\w{20,}",
        "github_pat_\\w{20,}",
        "glpat-[\\w-]{16,}",
        "xox[abeprs]-[\\w-]{10,}",
        "xai-\\w{20,}",
        "(?:AKIA|ASIA)[A-Z0-9]{16}",
        "AIza[\\w-]{30,}",
        "ya29\\.[\\w-]{20,}",
        "GOCSPX-[\\w-]{20,}",
        "npm_\\w{30,}",
        "hf_\\w{20,}",
        "gsk_\\w{20,}",
        "r8_\\w{20,}",
        "pypi-[\\w-]{30,}",
        "SG\\.[\\w-]{16,}\\.[\\w-]{16,}",
        "dop_v1_\\w{20,}",
        "AGE-SECRET-KEY-1\\w{20,}",
      ].join("|")})`,
      "g",
    ),
  },
  {
    kind: "secret.webhook",
    pattern: /\b(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[\w/-]{20,})/g,
  },
  {
    kind: "secret.assignment",
    pattern:
      /\b(?:[A-Z][A-Z0-9_]{0,60}?)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|PAT)(?:_BASE)?(?<=_\w+|PASSW\w+|SECRET|APIKEY)\s{0,4}[:=]\s{0,4}(?<secret>[^\s"'`,;(){}<>\\]{6,})/g,
  },
  {
    kind: "secret.assignment",
    pattern:
      /\b(?:\w{1,60}?_(?:key|token|secret|password|passwd)|\w{0,60}?api_?key|\w{0,60}?(?:access|auth|refresh)_?token|password|passwd|\w{0,60}?secret)\b\\{0,7}["']?\s{0,4}[:=]\s{0,4}\\{0,7}["'`](?<secret>[^"'`\\\n]{6,})/gi,
  },
  { kind: "secret.assignment", pattern: new RegExp(`<[\\w.-]{0,40}?${NAMES}>(?<secret>[^<\\s]{4,})<`, "gi") },
  // Without quotes: settings, query strings and options. A call and a variable are no secret.
  { kind: "secret.assignment", pattern: new RegExp(`${NAMES}=(?!\\$|[\\w.]{1,80}\\()${VALUE}`, "gi") },
  {
    kind: "secret.assignment",
    pattern: new RegExp(
      `(?:${NAMES}[ \\t]{0,4}[:=][ \\t]{1,4}|--[\\w-]{0,40}?${NAMES}[ \\t])${UNLIKE_A_WORD}${VALUE}`,
      "gi",
    ),
  },
  {
    kind: "secret.assignment",
    pattern: /(?<![\w-])(?:-u|--user)[ =]["']?[\w.@+-]{1,100}:(?!\d+\b)(?<secret>[^\s"'\\]{4,})/g,
  },
  { kind: "secret.assignment", pattern: /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?<secret>\S{4,})/g },
]

/** A field with such a name holds a secret: `apiKey`, `DB_PASSWORD`, `client_secret`. */
export function isSecretName(name: string): boolean {
  return /(?:^|[_-])(?:api[_-]?key|secret|password|passwd|(?:access|auth|refresh|id|session)?[_-]?token)$|[_-]key$|[a-z](?:ApiKey|Secret|Password|Token)$|^apiKey$|passphrase$|(?:access|private|secret)Key$|^(?:authorization|cookie)$/i.test(
    name,
  )
}
