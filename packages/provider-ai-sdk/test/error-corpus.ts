import type { ProviderErrorKind } from "@pawl/core/provider"

/** What a server answers, and what it is. `body` is sent as JSON unless it is a string. */
export interface KnownError {
  readonly from: string
  /** Absent for an error that came as an event inside a stream. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly kind: ProviderErrorKind
  /** In milliseconds. */
  readonly retryAfter?: number
}

function openai(message: string, type: string, code: string | number | null = null) {
  return { error: { message, type, param: null, code } }
}
function anthropic(type: string, message: string) {
  return { type: "error", error: { type, message } }
}
function google(code: number, status: string, message: string, details: readonly unknown[] = []) {
  return { error: { code, message, status, details } }
}
const invalid = "invalid_request_error"

export const errorCorpus: readonly KnownError[] = [
  // Keys and rights
  {
    from: "openai, wrong key",
    status: 401,
    body: openai("Incorrect API key provided: sk-proj-****abcd.", invalid, "invalid_api_key"),
    kind: "auth",
  },
  { from: "openai, no key", status: 401, body: openai("You didn't provide an API key.", invalid), kind: "auth" },
  {
    from: "openai, country",
    status: 403,
    body: openai(
      "Country, region, or territory not supported",
      "request_forbidden",
      "unsupported_country_region_territory",
    ),
    kind: "auth",
  },
  {
    from: "anthropic, wrong key",
    status: 401,
    body: anthropic("authentication_error", "invalid x-api-key"),
    kind: "auth",
  },
  {
    from: "anthropic, no right",
    status: 403,
    body: anthropic("permission_error", "Your API key does not have permission to use the specified resource"),
    kind: "auth",
  },
  {
    from: "google, wrong key has status 400",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
      { reason: "API_KEY_INVALID", domain: "googleapis.com" },
    ]),
    kind: "auth",
  },
  {
    from: "google, no right",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "Permission denied on resource project x."),
    kind: "auth",
  },
  {
    from: "deepseek, wrong key",
    status: 401,
    body: openai("Authentication Fails (no such user)", "authentication_error", "invalid_request_error"),
    kind: "auth",
  },
  { from: "vllm with --api-key", status: 401, body: { error: "Unauthorized" }, kind: "auth" },
  { from: "litellm proxy", status: 401, body: { detail: "Invalid proxy server token passed" }, kind: "auth" },
  { from: "a gateway in front, a web page", status: 403, body: "<html><body>Forbidden</body></html>", kind: "auth" },
  { from: "a gateway in front, nothing", status: 401, body: "", kind: "auth" },
  { from: "a proxy on the way", status: 407, body: "Proxy Authentication Required", kind: "auth" },
  { from: "in a stream, anthropic", body: anthropic("authentication_error", "invalid x-api-key"), kind: "auth" },
  { from: "in a stream, words alone", body: "Invalid API key", kind: "auth" },

  // Rates
  {
    from: "openai, requests a minute",
    status: 429,
    headers: { "retry-after": "20" },
    body: openai(
      "Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.",
      "requests",
      "rate_limit_exceeded",
    ),
    kind: "rate-limited",
    retryAfter: 20_000,
  },
  {
    from: "openai, exact delay",
    status: 429,
    headers: { "retry-after-ms": "1250", "retry-after": "2" },
    body: openai("Rate limit reached", "tokens", "rate_limit_exceeded"),
    kind: "rate-limited",
    retryAfter: 1250,
  },
  {
    from: "anthropic",
    status: 429,
    headers: { "retry-after": "31" },
    body: anthropic(
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ),
    kind: "rate-limited",
    retryAfter: 31_000,
  },
  {
    from: "anthropic in a stream",
    body: anthropic("rate_limit_error", "This request would exceed the rate limit for your organization."),
    kind: "rate-limited",
  },
  {
    from: "google, quota of a minute",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "You exceeded your current quota, please check your plan and billing details.",
      [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
    ),
    kind: "rate-limited",
    retryAfter: 34_500,
  },
  {
    from: "google, as a list",
    status: 429,
    body: [google(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted.")],
    kind: "rate-limited",
  },
  {
    from: "mistral",
    status: 429,
    body: {
      object: "error",
      message: "Service tier capacity exceeded for this model.",
      type: "service_tier_capacity_exceeded",
      code: "3505",
    },
    kind: "rate-limited",
  },
  {
    from: "openrouter, free tier",
    status: 429,
    body: {
      error: {
        message: "Rate limit exceeded: free-models-per-min.",
        code: 429,
        metadata: { headers: { "X-RateLimit-Reset": "1" } },
      },
    },
    kind: "rate-limited",
  },
  {
    from: "openrouter in a stream",
    body: { message: "Provider returned error", code: 429, metadata: { raw: "slow down", provider_name: "x" } },
    kind: "rate-limited",
  },
  {
    from: "a server behind a date",
    status: 429,
    headers: { date: "Fri, 21 Nov 2025 10:00:00 GMT", "retry-after": "Fri, 21 Nov 2025 10:01:30 GMT" },
    body: "",
    kind: "rate-limited",
    retryAfter: 90_000,
  },
  { from: "a server without a body", status: 429, body: "", kind: "rate-limited" },
  {
    from: "groq",
    status: 429,
    body: openai(
      "Rate limit reached for model `x` on tokens per day (TPD): Limit 100000.",
      "tokens",
      "rate_limit_exceeded",
    ),
    kind: "rate-limited",
  },
  { from: "in a stream, words alone", body: "Too many requests", kind: "rate-limited" },

  // Money
  {
    from: "openai",
    status: 429,
    body: openai(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
    kind: "quota-exhausted",
  },
  {
    from: "openai, hard limit",
    status: 400,
    body: openai("Billing hard limit has been reached", invalid, "billing_hard_limit_reached"),
    kind: "quota-exhausted",
  },
  {
    from: "openai in a stream",
    body: { type: "insufficient_quota", code: "insufficient_quota", message: "You exceeded your current quota." },
    kind: "quota-exhausted",
  },
  {
    from: "anthropic, status 400",
    status: 400,
    body: anthropic(invalid, "Your credit balance is too low to access the Anthropic API."),
    kind: "quota-exhausted",
  },
  {
    from: "deepseek",
    status: 402,
    body: openai("Insufficient Balance", "unknown_error", "invalid_request_error"),
    kind: "quota-exhausted",
  },
  {
    from: "openrouter",
    status: 402,
    body: { error: { code: 402, message: "Insufficient credits. Add more using the link." } },
    kind: "quota-exhausted",
  },
  {
    from: "z.ai",
    status: 429,
    body: { error: { code: "1113", message: "Insufficient balance or no resource package. Please recharge." } },
    kind: "quota-exhausted",
  },
  {
    from: "google, daily quota without delay",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "You exceeded your current quota, please check your plan and billing details.",
    ),
    kind: "quota-exhausted",
  },

  // Too long
  {
    from: "openai",
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 200001 tokens.",
      invalid,
      "context_length_exceeded",
    ),
    kind: "overflow",
  },
  {
    from: "openai in a stream",
    body: {
      type: invalid,
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model.",
    },
    kind: "overflow",
  },
  {
    from: "openai, more than a minute's tokens",
    status: 429,
    body: openai(
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 90000.",
      "tokens",
      "rate_limit_exceeded",
    ),
    kind: "overflow",
  },
  {
    from: "anthropic",
    status: 400,
    body: anthropic(invalid, "prompt is too long: 213462 tokens > 200000 maximum"),
    kind: "overflow",
  },
  {
    from: "anthropic, with the answer",
    status: 400,
    body: anthropic(
      invalid,
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    ),
    kind: "overflow",
  },
  {
    from: "anthropic, bytes",
    status: 413,
    body: anthropic("request_too_large", "Request exceeds the maximum size"),
    kind: "overflow",
  },
  {
    from: "google",
    status: 400,
    body: google(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).",
    ),
    kind: "overflow",
  },
  {
    from: "groq",
    status: 413,
    body: openai(
      "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000",
      "tokens",
      "rate_limit_exceeded",
    ),
    kind: "overflow",
  },
  {
    from: "groq, window",
    status: 400,
    body: openai("Please reduce the length of the messages or completion.", invalid, "context_length_exceeded"),
    kind: "overflow",
  },
  {
    from: "xai",
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    kind: "overflow",
  },
  {
    from: "mistral",
    status: 400,
    body: {
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_prompt",
    },
    kind: "overflow",
  },
  {
    from: "openrouter",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "This endpoint's maximum context length is 4096 tokens. However, you requested about 9000 tokens.",
      },
    },
    kind: "overflow",
  },
  {
    from: "openrouter, quoting the server behind",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: { raw: '{"error":{"message":"prompt is too long: 300000 tokens > 200000 maximum"}}' },
      },
    },
    kind: "overflow",
  },
  {
    from: "llama.cpp",
    status: 400,
    body: openai("the request exceeds the available context size, try increasing it", "exceed_context_size_error", 400),
    kind: "overflow",
  },
  {
    from: "llama.cpp, older, status 500",
    status: 500,
    body: openai(
      "the request exceeds the available context size. try increasing the context size or enable context shift",
      "server_error",
      500,
    ),
    kind: "overflow",
  },
  {
    from: "lm studio in a stream",
    body: {
      message:
        "Trying to keep the first 5212 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
    kind: "overflow",
  },
  {
    from: "lm studio, words alone",
    status: 400,
    body: { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
    kind: "overflow",
  },
  {
    from: "ollama",
    status: 400,
    body: { error: { message: "prompt too long; exceeded max context length by 20 tokens" } },
    kind: "overflow",
  },
  {
    from: "vllm",
    status: 400,
    body: {
      object: "error",
      message: "The decoder prompt (length 9000) is longer than the maximum model length of 4096.",
      type: "BadRequestError",
      code: 400,
    },
    kind: "overflow",
  },
  {
    from: "sglang",
    status: 400,
    body: {
      object: "error",
      message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
      code: 400,
    },
    kind: "overflow",
  },
  {
    from: "text-generation-inference",
    status: 422,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 500 `max_new_tokens`",
      error_type: "validation",
    },
    kind: "overflow",
  },
  {
    from: "moonshot",
    status: 400,
    body: openai("Invalid request: Your request exceeded model token limit: 262144", invalid),
    kind: "overflow",
  },
  {
    from: "minimax",
    status: 400,
    body: openai("invalid params, context window exceeds limit (2013)", "bad_request_error"),
    kind: "overflow",
  },
  {
    from: "copilot",
    status: 400,
    body: openai(
      "prompt token count of 140000 exceeds the limit of 128000",
      invalid,
      "model_max_prompt_tokens_exceeded",
    ),
    kind: "overflow",
  },
  { from: "bedrock", status: 400, body: { message: "Input is too long for requested model." }, kind: "overflow" },
  {
    from: "cohere",
    status: 400,
    body: { message: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000." },
    kind: "overflow",
  },
  { from: "nginx in front", status: 413, body: "<html><h1>413 Request Entity Too Large</h1></html>", kind: "overflow" },

  // Content
  {
    from: "azure",
    status: 400,
    body: {
      error: {
        code: "content_filter",
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation" },
      },
    },
    kind: "content-policy",
  },
  {
    from: "openai",
    status: 400,
    body: openai(
      "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
      invalid,
      "invalid_prompt",
    ),
    kind: "content-policy",
  },
  {
    from: "openai, safety system",
    status: 400,
    body: openai("Your request was rejected as a result of our safety system.", invalid, "content_policy_violation"),
    kind: "content-policy",
  },
  {
    from: "openrouter, moderation",
    status: 403,
    body: { error: { code: 403, message: 'x requires moderation. Your input was flagged for "violence".' } },
    kind: "content-policy",
  },
  {
    from: "alibaba",
    status: 400,
    body: openai("Input data may contain inappropriate content.", "data_inspection_failed", "data_inspection_failed"),
    kind: "content-policy",
  },
  {
    from: "anthropic",
    status: 400,
    body: anthropic(invalid, "Output blocked by content filtering policy"),
    kind: "content-policy",
  },

  // The request itself
  {
    from: "openai, unknown model",
    status: 404,
    body: openai("The model `gpt-9` does not exist or you do not have access to it.", invalid, "model_not_found"),
    kind: "invalid-request",
  },
  {
    from: "openai, answer too long",
    status: 400,
    body: openai(
      "max_tokens is too large: 32768. This model supports at most 16384 completion tokens.",
      invalid,
      "invalid_value",
    ),
    kind: "invalid-request",
  },
  {
    from: "openai, orphaned call",
    status: 400,
    body: openai(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      invalid,
    ),
    kind: "invalid-request",
  },
  {
    from: "anthropic, answer too long",
    status: 400,
    body: anthropic(invalid, "max_tokens: 128000 > 8192, which is the maximum allowed number of output tokens"),
    kind: "invalid-request",
  },
  {
    from: "anthropic, unknown model",
    status: 404,
    body: anthropic("not_found_error", "model: claude-x"),
    kind: "invalid-request",
  },
  {
    from: "google, bad schema",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", 'Invalid JSON payload received. Unknown name "$schema"'),
    kind: "invalid-request",
  },
  {
    from: "ollama, unknown model",
    status: 404,
    body: { error: { message: 'model "llama9" not found, try pulling it first', type: "api_error" } },
    kind: "invalid-request",
  },
  {
    from: "ollama, no tools",
    status: 400,
    body: { error: { message: "gemma:2b does not support tools", type: "api_error" } },
    kind: "invalid-request",
  },
  {
    from: "llama.cpp, chat template",
    status: 400,
    body: { error: { code: 400, message: "System message must be at the beginning.", type: invalid } },
    kind: "invalid-request",
  },
  {
    from: "vllm, validation",
    status: 422,
    body: { detail: [{ loc: ["body", "messages"], msg: "field required", type: "value_error.missing" }] },
    kind: "invalid-request",
  },
  { from: "a wrong base URL", status: 404, body: "404 page not found", kind: "invalid-request" },
  { from: "a method that is not allowed", status: 405, body: "", kind: "invalid-request" },
  { from: "a redirect that leads nowhere", status: 304, body: "", kind: "unknown" },
  {
    from: "in a stream, openai",
    body: { type: invalid, code: null, message: "Unsupported value." },
    kind: "invalid-request",
  },

  // The server's trouble
  {
    from: "openai",
    status: 500,
    body: openai("The server had an error while processing your request.", "server_error"),
    kind: "transient",
  },
  {
    from: "openai, overloaded",
    status: 503,
    headers: { "retry-after": "5" },
    body: openai("That model is currently overloaded with other requests.", "server_error"),
    kind: "transient",
    retryAfter: 5000,
  },
  {
    from: "openai in a stream",
    body: { type: "server_error", code: "server_error", message: "An error occurred." },
    kind: "transient",
  },
  { from: "anthropic", status: 529, body: anthropic("overloaded_error", "Overloaded"), kind: "transient" },
  { from: "anthropic in a stream", body: anthropic("overloaded_error", "Overloaded"), kind: "transient" },
  {
    from: "anthropic, internal",
    status: 500,
    body: anthropic("api_error", "Internal server error"),
    kind: "transient",
  },
  {
    from: "google",
    status: 503,
    body: google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    kind: "transient",
  },
  {
    from: "google in a stream",
    body: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." },
    kind: "transient",
  },
  {
    from: "openrouter, 200 with an error",
    status: 200,
    body: { error: { code: 502, message: "Provider returned error" } },
    kind: "transient",
  },
  {
    from: "ollama in a stream",
    body: { error: "llama runner process has terminated, internal server error" },
    kind: "transient",
  },
  {
    from: "cloudflare in front",
    status: 524,
    body: "<!DOCTYPE html><title>A timeout occurred</title>",
    kind: "transient",
  },
  { from: "nginx in front", status: 502, body: "<html><h1>502 Bad Gateway</h1></html>", kind: "transient" },
  { from: "a timeout", status: 408, body: "Request Timeout", kind: "transient" },
  { from: "a conflict", status: 409, body: openai("Conflict", "conflict_error"), kind: "transient" },
  {
    from: "llama.cpp, still loading",
    status: 503,
    body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    kind: "transient",
  },

  // Nothing to go by
  { from: "in a stream, nothing known", body: { message: "Something odd" }, kind: "unknown" },
  { from: "in a stream, nothing at all", body: {}, kind: "unknown" },
]
