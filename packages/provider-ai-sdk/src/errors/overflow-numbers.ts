/** Token counts in a server's message about an overlong request; undefined if the message does not name them. */
export interface OverflowNumbers {
  /** Maximum size of a request. */
  readonly limit?: number
  /** Size of the refused request, including the requested answer if the server counts it. */
  readonly requested?: number
}

/** Smaller numbers cannot be the size of a context window. */
const MIN_LIMIT = 256
const MAX_LIMIT = 1e9
/** Servers may quote the request, so later numbers may belong to it. */
const MAX_MESSAGE_LENGTH = 4000

/** Reads the limit, and the size of the request if it is above the limit. */
export function overflowNumbers(message: string): OverflowNumbers {
  const words = message.slice(0, MAX_MESSAGE_LENGTH).replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, "")
  const limit = firstOf(limits, words)
  if (limit === undefined || limit < MIN_LIMIT || limit > MAX_LIMIT) return {}
  const requested = firstOf(requests, words)
  const isLarger = requested !== undefined && requested > limit && requested <= MAX_LIMIT
  return { limit, ...(isLarger ? { requested } : {}) }
}

/** Adds up the groups of the first pattern that matches. */
function firstOf(patterns: readonly RegExp[], words: string): number | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(words)
    if (match) return match.slice(1).reduce((sum, digits) => sum + Number(digits ?? 0), 0)
  }
  return undefined
}

const limits: readonly RegExp[] = [
  /maximum (?:context|prompt|model) length (?:is|of) (\d+)/i,
  /context length of only (\d+)/i,
  /model with (\d+) maximum context length/i,
  /tokens? (?:>|exceeds?) (\d+)(?: maximum)?/i,
  /\d+ ?\+ ?\d+ ?> ?(\d+)/,
  /context length \((\d+)/i,
  /tokens allowed \((\d+)\)/i,
  /must be <= ?(\d+)/i,
  /\blimit:? (\d+)/i,
  /token limit:? (\d+)/i,
  /(?:limit|maximum) of (\d+)/i,
  /cannot exceed (\d+)/i,
  /"?n_ctx"?:? ?(\d+)/i,
  /available context size \((\d+)/i,
]

const requests: readonly RegExp[] = [
  /requested:? (?:about )?(\d+)/i,
  /resulted in (\d+) tokens/i,
  /contains (?:at least )?(\d+) (?:input )?tokens/i,
  /too long: (\d+) tokens/i,
  /(\d+) ?\+ ?(\d+) ?>/,
  /token count \((\d+)\)/i,
  /token count of (\d+)/i,
  /(?:input|prompt|request) \((?:length )?(\d+)/i,
  /given: (\d+) `?inputs`? tokens and (\d+)/i,
  /received (\d+)/i,
  /"?n_prompt_tokens"?:? ?(\d+)/i,
]
