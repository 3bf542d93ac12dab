import type { SecretPattern } from "./secret-pattern.ts"

const PEM = "[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"

/** Secrets that are known by their shape, wherever they stand. */
export const keyPatterns: readonly SecretPattern[] = [
  {
    kind: "secret.private-key",
    pattern: new RegExp(`-----BEGIN ${PEM}[\\s\\S]*?(?:-----END ${PEM}|$)`, "g"),
  },
  // Its beginning was cut off, as by `tail`.
  {
    kind: "secret.private-key",
    pattern: new RegExp(`^(?:[A-Za-z0-9+/=]{16,80}\\r?\\n){1,60}-----END ${PEM}`, "gm"),
  },
  { kind: "secret.jwt", pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*/g },
  { kind: "secret.jwt", pattern: /\beyJ[\w-]{8,}\.[\w-]*\.[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}/g },
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
        "xapp-[\\w-]{10,}",
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
]
