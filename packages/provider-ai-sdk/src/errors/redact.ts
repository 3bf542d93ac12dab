/** Replaces the given keys, and text that looks like one: servers often quote a refused key. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret !== "")
    .reduce((result, secret) => result.replaceAll(secret, mask), text)
  return known.replaceAll(bearer, `$1${mask}`).replaceAll(key, mask)
}

const mask = "***"
const bearer = /(\bbearer\s+)[\w.~+/=-]{8,}/gi
const key = /\b(?:sk|pk|rk|gsk|xai|key)-[\w-]{8,}|\bAIza[\w-]{20,}/g
