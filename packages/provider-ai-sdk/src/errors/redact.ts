import { valueForms } from "@pawl/secrets"

/** Shorter keys, such as the placeholders of local servers, would mask parts of ordinary words. */
const MIN_KEY_LENGTH = 4

/**
 * Replaces the given keys, also where they are escaped or encoded, and text that looks like a key: servers often quote a
 * refused key. The keys are known, so they may be shorter than the values that pawl masks elsewhere.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const forms = secrets.flatMap((secret) => valueForms(secret.trim(), MIN_KEY_LENGTH))
  // A key may begin with another one.
  const known = forms
    .toSorted((a, b) => b.length - a.length)
    .reduce((result, form) => result.replaceAll(form, mask), text)
  return known.replaceAll(bearer, `$1${mask}`).replaceAll(key, mask)
}

const mask = "***"
const bearer = /(\bbearer\s+)[\w.~+/=-]{8,}/gi
const key = /\b(?:sk|pk|rk|gsk|xai|key)-[\w-]{8,}|\bAIza[\w-]{20,}/g
