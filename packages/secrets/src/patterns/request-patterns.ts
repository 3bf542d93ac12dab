import { isNoSecret, isPlaceholder } from "./no-secret.ts"
import type { SecretPattern } from "./secret-pattern.ts"

/** Text between a header's name and value: in JSON, in nested JSON, in a list of names and values. */
const SEPARATOR = "\\\\{0,7}[\"'`]?\\s{0,4}[:=,]\\s{0,4}\\\\{0,7}[\"'`]?"

/** Secrets of headers and URLs. */
export const requestPatterns: readonly SecretPattern[] = [
  { kind: "secret.authorization", pattern: /\b(?:Bearer|Basic)\s{1,4}(?<secret>[\w.~+/-]{16,}=*)/gi },
  {
    kind: "secret.authorization",
    pattern: /\bBearer\s{1,4}(?<secret>(?=[^\s\d]{0,60}\d)[\w.~+/-]{6,}=*)/gi,
  },
  {
    kind: "secret.authorization",
    pattern: new RegExp(
      `\\bAuthorization${SEPARATOR}(?:Basic|Bearer|token|ApiKey|Digest|Negotiate)\\s{1,4}(?<secret>[^\\s"'\`$<{\\\\][^\\s"'\`\\\\]{2,})`,
      "gi",
    ),
    unless: isNoSecret,
  },
  {
    kind: "secret.authorization",
    pattern: new RegExp(
      `\\bAuthorization${SEPARATOR}(?!\\$)(?=[^\\s\\d"'\`]{0,60}\\d)(?<secret>[^\\s"'\`<{(\\\\,]{6,})`,
      "gi",
    ),
    unless: (secret) => isNoSecret(secret) || secret.startsWith("AWS4-"),
  },
  { kind: "secret.authorization", pattern: /\bSignature=(?<secret>[\da-f]{10,})/g },
  {
    kind: "secret.authorization",
    pattern: new RegExp(`\\bCookie${SEPARATOR}(?<secret>[^\\s"'\\\\=;]{1,100}=[^\\r\\n"'\\\\]{2,})`, "gi"),
  },
  {
    kind: "secret.assignment",
    pattern: /\bX-[\w-]{0,40}?(?:Key|Token|Secret|Auth)\s?:\s{0,4}(?<secret>[^\s"'`$<{\\]{4,})/gi,
    unless: isNoSecret,
  },
  {
    kind: "secret.url-password",
    // Up to the last @, because a password may contain one.
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,100}:(?<secret>[^\s/"']{1,200})@/gi,
  },
  { kind: "secret.url-password", pattern: /\bhttps?:\/\/(?<secret>[\w-]{20,200})@/gi },
  {
    kind: "secret.url-signature",
    pattern:
      /[?&](?:sig|signature|key|code|auth|x-(?:amz|goog)-(?:signature|credential|security-token))=(?<secret>[^\s&"'<>#\\]{16,})/gi,
  },
]

/** Secrets of headers and URLs whose value was cut off, with everything after them. */
export const cutRequest: readonly SecretPattern[] = [
  {
    kind: "secret.authorization",
    pattern: new RegExp(`\\bAuthorization${SEPARATOR}(?:[A-Za-z]+\\s{1,4})?(?<secret>[^\\s"'\`$<{\\\\]+)$`, "i"),
    unless: isNoSecret,
  },
  { kind: "secret.authorization", pattern: /\bBearer\s{1,4}(?<secret>[\w.~+/=-]+)$/i, unless: isNoSecret },
  { kind: "secret.authorization", pattern: /\bBasic\s{1,4}(?<secret>(?=\w*(?:\d|[a-z][A-Z]))[\w+/=-]+)$/ },
  {
    kind: "secret.authorization",
    pattern: new RegExp(`\\bCookie${SEPARATOR}(?<secret>[^\\s"'\\\\=;]{1,100}=[^\\n"'\\\\]+)$`, "i"),
  },
  {
    kind: "secret.assignment",
    pattern: /\bX-[\w-]{0,40}?(?:Key|Token|Secret|Auth)\s?:\s{0,4}(?<secret>[^\s"'`$<{\\]+)$/i,
    unless: isNoSecret,
  },
  {
    kind: "secret.url-password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,100}:(?<secret>[^\s/"']+)$/i,
    unless: isPlaceholder,
  },
  { kind: "secret.url-password", pattern: /\bhttps?:\/\/(?<secret>(?=[\w-]*\d)[\w-]{20,})$/i },
  {
    kind: "secret.url-signature",
    pattern:
      /[?&](?:sig|signature|key|code|auth|x-(?:amz|goog)-(?:signature|credential|security-token))=(?<secret>[^\s&"'<>#\\]+)$/i,
  },
]
