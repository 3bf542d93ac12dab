/** Returns true if a server's message means that the request exceeds the model's context window. */
export function saysOverflow(message: string): boolean {
  return patterns.some((pattern) => pattern.test(message))
}

// Limits of output and of requests per minute are worded alike, so each pattern names the prompt or the window.
const patterns: readonly RegExp[] = [
  /maximum (?:context|prompt|model) length/i,
  /(?:prompt|input|request) (?:is |was )?too (?:long|large)/i,
  /exceeds?(?:ed)? (?:the |its )?(?:model'?s? )?(?:available |maximum |max )?(?:context|input len)/i,
  /(?:longer|greater|larger) than the (?:model'?s? )?(?:maximum )?context/i,
  /context (?:window|length|size|limit)[^.]{0,40}exceed/i,
  /exceed(?:s|ed)? (?:the )?(?:context|model token) (?:window|limit)/i,
  /token count[^.]{0,40}exceeds/i,
  /context length of only \d+/i,
  /too large for model with \d+/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  /too many tokens: total number of tokens in the prompt/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be <=/i,
  /tokens in (?:the )?request more than max tokens allowed/i,
]
