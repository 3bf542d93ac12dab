/** Finds one kind of secret; the group `secret` is what is masked, without it the whole match. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
}

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
    kind: "secret.url-password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,100}:(?<secret>[^\s/@"']{1,200})@/gi,
  },
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
    kind: "secret.assignment",
    pattern:
      /\b(?:[A-Z][A-Z0-9_]{0,60}?_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD)(?<=_\w+|PASS\w+|SECRET|APIKEY)\s{0,4}[:=]\s{0,4}(?<secret>[^\s"'`,;(){}<>\\]{6,})/g,
  },
  {
    kind: "secret.assignment",
    pattern:
      /\b(?:\w{1,60}?_(?:key|token|secret|password|passwd)|\w{0,60}?api_?key|\w{0,60}?(?:access|auth|refresh)_?token|password|passwd|\w{0,60}?secret)\b\\?["']?\s{0,4}[:=]\s{0,4}\\?["'`](?<secret>[^"'`\\\n]{6,})/gi,
  },
]

/** A field with such a name holds a secret: `apiKey`, `DB_PASSWORD`, `client_secret`. */
export function isSecretName(name: string): boolean {
  return /(?:^|[_-])(?:api[_-]?key|secret|password|passwd|(?:access|auth|refresh|id|session)?[_-]?token)$|[_-]key$|[a-z](?:ApiKey|Secret|Password|Token)$|^apiKey$/i.test(
    name,
  )
}
