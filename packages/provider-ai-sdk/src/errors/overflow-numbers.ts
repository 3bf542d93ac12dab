/** Tokens that a server's words about too long a request name; what they do not name is undefined. */
export interface OverflowNumbers {
  /** That a request may have. */
  readonly limit?: number
  /** Of the refused request, with the answer it asks for if the server counts that too. */
  readonly requested?: number
}

/** Windows are larger, and no request has more tokens. */
const LEAST_LIMIT = 256
const MOST_TOKENS = 1e9
/** Servers may quote the request: numbers far behind the beginning are not theirs. */
const LONGEST_MESSAGE = 4000

/** Reads the limit, and the size of the request if it is above the limit. */
export function overflowNumbers(message: string): OverflowNumbers {
  const words = message.slice(0, LONGEST_MESSAGE).replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, "")
  const limit = firstOf(limits, words)
  if (limit === undefined || limit < LEAST_LIMIT || limit > MOST_TOKENS) return {}
  const requested = firstOf(requests, words)
  const isLarger = requested !== undefined && requested > limit && requested <= MOST_TOKENS
  return { limit, ...(isLarger ? { requested } : {}) }
}

/** The groups of the first pattern that matches, added up. */
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
