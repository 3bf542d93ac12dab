import type { ProviderErrorKind } from "@pawl/core/provider"
import type { ErrorBody } from "./error-body.ts"
import { saysOverflow } from "./overflow.ts"

/**
 * Returns the kind of a server's error. Overlong requests, unpaid accounts and refused content come with various status
 * codes, so words and codes decide these. The status decides the rest; without a status, the words do.
 */
export function errorKind(status: number | undefined, body: ErrorBody): ProviderErrorKind {
  const effective = status !== undefined && status >= 400 ? status : body.status
  if (effective === 401) return "auth"
  if (effective === 413 || saysOverflow(body.message)) return "overflow"

  const code = body.codes.map((word) => decisiveCodes[word]).find((kind) => kind !== undefined)
  const unpaid = code === "quota-exhausted" || effective === 402 || saysNoQuota.test(body.message)
  // A quota per minute is worded like that of an account, but has a time to wait.
  if (unpaid) return effective === 429 && body.retryAfter !== undefined ? "rate-limited" : "quota-exhausted"
  if (code !== undefined) return code
  if (saysPolicy.test(body.message)) return "content-policy"
  if (saysNoAccess.test(body.message)) return "auth"
  if (saysAnotherTry.test(body.message)) return "transient"
  return effective === undefined ? kindOfWords(body) : kindOfStatus(effective)
}

function kindOfStatus(status: number): ProviderErrorKind {
  if (status === 403 || status === 407) return "auth"
  if (status === 429) return "rate-limited"
  if (status === 501) return "invalid-request"
  if (status >= 500 || transientStatuses.has(status)) return "transient"
  return "invalid-request"
}

function kindOfWords({ codes, message }: ErrorBody): ProviderErrorKind {
  const code = codes.map((word) => otherCodes[word]).find((kind) => kind !== undefined)
  return code ?? wordings.find(([pattern]) => pattern.test(message))?.[1] ?? "unknown"
}

/** Request timeout, conflict, failed dependency, too early: the same request may succeed soon. */
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 424, 425])

/** Codes with one meaning, for every status. */
const decisiveCodes: Readonly<Record<string, ProviderErrorKind>> = {
  context_length_exceeded: "overflow",
  exceed_context_size_error: "overflow",
  request_too_large: "overflow",
  model_max_prompt_tokens_exceeded: "overflow",
  insufficient_quota: "quota-exhausted",
  insufficient_balance: "quota-exhausted",
  insufficient_credits: "quota-exhausted",
  billing_hard_limit_reached: "quota-exhausted",
  billing_not_active: "quota-exhausted",
  billing_error: "quota-exhausted",
  budget_exceeded: "quota-exhausted",
  exceeded_current_quota_error: "quota-exhausted",
  insufficient_user_quota: "quota-exhausted",
  usage_limit_reached: "quota-exhausted",
  content_filter: "content-policy",
  content_policy_violation: "content-policy",
  responsibleaipolicyviolation: "content-policy",
  data_inspection_failed: "content-policy",
  invalid_api_key: "auth",
  api_key_invalid: "auth",
  authentication_error: "auth",
  rate_limit_exceeded: "rate-limited",
  rate_limit_error: "rate-limited",
  overloaded_error: "transient",
  capacity_exceeded: "transient",
  // The model wrote an invalid call, and may write a valid one next time.
  tool_use_failed: "transient",
}

/** Codes that are used only without a status. */
const otherCodes: Readonly<Record<string, ProviderErrorKind>> = {
  permission_error: "auth",
  unauthenticated: "auth",
  permission_denied: "auth",
  resource_exhausted: "rate-limited",
  server_error: "transient",
  api_error: "transient",
  internal_error: "transient",
  internal_server_error: "transient",
  internal: "transient",
  unavailable: "transient",
  service_unavailable: "transient",
  timeout: "transient",
  timeout_error: "transient",
  deadline_exceeded: "transient",
  model_not_found: "invalid-request",
  not_found_error: "invalid-request",
  invalid_prompt: "invalid-request",
  invalid_argument: "invalid-request",
  invalid_request_error: "invalid-request",
}

const saysNoQuota = new RegExp(
  [
    "insufficient (?:quota|balance|credits?|funds)",
    "(?:credit )?balance is too low",
    "quota is not enough",
    "exceeded your current quota",
    "quota exceeded[^]{0,200} per (?:day|month)",
    "(?:out of|run out of|no|used all available|have any) credits",
    "(?:key|spending|usage|api usage) limits?(?: has been)? (?:exceeded|reached)",
    "reach(?:ed|ing) (?:your|its|the) [a-z ]{0,40}(?:spending|usage) limit",
    "budget has been exceeded",
    "free tier [^]{0,100}exhausted",
  ].join("|"),
  "i",
)
const saysPolicy =
  /content (?:management|filter(?:ing)?|policy|exists risk)|usage polic(?:y|ies)|flagged (?:by|as|for)|input was flagged|requires moderation|safety (?:system|filter)/i
/** An account without access, reported with an unspecific status. */
const saysNoAccess =
  /(?:incorrect|invalid|expired) api.?key|organization (?:has been disabled|must be verified)|location is not supported/i
/** A local model that was unloaded and will be loaded again. */
const saysAnotherTry = /model (?:was |has )?(?:crashed|unloaded)/i

/** The last resort: an error without status and code. */
const wordings: readonly (readonly [RegExp, ProviderErrorKind])[] = [
  [/rate.?limit|too many requests/i, "rate-limited"],
  [/(?:invalid|incorrect|missing|wrong) api.?key|unauthorized/i, "auth"],
  [/overloaded|over capacity|try again|temporarily|internal server error|timed? ?out|unavailable/i, "transient"],
]
