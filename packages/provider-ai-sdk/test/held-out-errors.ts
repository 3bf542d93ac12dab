import type { KnownError } from "./error-corpus.ts"

function error(message: string, type?: string, code: string | number | null = null) {
  return { error: { message, ...(type === undefined ? {} : { type }), param: null, code } }
}
function anthropic(type: string, message: string) {
  return { type: "error", error: { type, message } }
}
function google(code: number, status: string, message: string, details: readonly unknown[] = []) {
  return { error: { code, message, status, details } }
}
function page(title: string) {
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
}
const invalid = "invalid_request_error"
const usedUp =
  "Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit."

/** Errors that people have met, collected apart and labelled by what is to be done about them, not by what tells them apart. */
export const heldOutErrors: readonly KnownError[] = [
  // OpenAI
  {
    from: "openai, missing scopes",
    status: 401,
    body: error("You have insufficient permissions for this operation. Missing scopes: model.request.", invalid),
    kind: "auth",
  },
  {
    from: "openai, no access to a model",
    status: 403,
    body: error("Project `proj_x` does not have access to model `gpt-5`", invalid, "model_not_found"),
    kind: "auth",
  },
  {
    from: "openai, organization not verified",
    status: 400,
    body: error("Your organization must be verified to stream this model.", invalid, "unsupported_value"),
    kind: "auth",
  },
  {
    from: "openai, busy",
    status: 503,
    headers: { "retry-after": "2" },
    body: error("The engine is currently overloaded, please try again later", "service_unavailable_error"),
    kind: "transient",
    retryAfter: 2000,
  },
  {
    from: "openai responses in a stream, tokens a minute",
    body: {
      type: "error",
      code: "rate_limit_exceeded",
      message:
        "Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 500000, Used 498000, Requested 12000. Please try again in 1.2s.",
    },
    kind: "rate-limited",
    retryAfter: 1200,
  },
  {
    from: "openai responses in a stream, overloaded",
    body: {
      type: "error",
      code: "server_is_overloaded",
      message: "Our servers are currently overloaded. Please try again later.",
    },
    kind: "transient",
  },
  {
    from: "openai responses, orphaned reasoning",
    status: 400,
    body: error("Item 'rs_1' of type 'reasoning' was provided without its required following item.", invalid),
    kind: "invalid-request",
  },
  {
    from: "openai, a subscription's limit",
    status: 429,
    body: {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_in_seconds: 18_000,
      },
    },
    kind: "quota-exhausted",
  },

  // Azure
  {
    from: "azure, tokens a minute",
    status: 429,
    headers: { "retry-after": "45" },
    body: error(
      "Your requests to gpt-4.1-nano for gpt-4.1-nano in Sweden Central have exceeded the token rate limit for your current AIServices S0 pricing tier. Please retry after 45 seconds.",
      undefined,
      "429",
    ),
    kind: "rate-limited",
    retryAfter: 45_000,
  },
  {
    from: "azure, wait in words alone",
    status: 429,
    body: error(
      "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2023-05-15 have exceeded token rate limit of your current AIServices S0 pricing tier. Please retry after 86400 seconds.",
      undefined,
      "429",
    ),
    kind: "rate-limited",
    retryAfter: 86_400_000,
  },
  {
    from: "azure, wrong key",
    status: 401,
    body: error(
      "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.",
      undefined,
      "401",
    ),
    kind: "auth",
  },
  {
    from: "azure, unknown deployment",
    status: 404,
    body: error("The API deployment for this resource does not exist.", undefined, "DeploymentNotFound"),
    kind: "invalid-request",
  },
  {
    from: "azure, timeout",
    status: 408,
    body: error("The operation was timeout.", undefined, "Timeout"),
    kind: "transient",
  },
  {
    from: "azure, backend",
    status: 500,
    body: error(
      "Backend returned unexpected response. Please contact Microsoft for help.",
      undefined,
      "InternalServerError",
    ),
    kind: "transient",
  },

  // Anthropic
  {
    from: "anthropic, expired token",
    status: 401,
    body: anthropic(
      "authentication_error",
      "OAuth token has expired. Please obtain a new token or refresh your existing token.",
    ),
    kind: "auth",
  },
  {
    from: "anthropic, disabled organization",
    status: 400,
    body: anthropic(invalid, "This organization has been disabled."),
    kind: "auth",
  },
  {
    from: "anthropic, spending limit",
    status: 400,
    body: anthropic(
      invalid,
      "You have reached your specified API usage limits. You will regain access on 2025-07-01 at 00:00 UTC.",
    ),
    kind: "quota-exhausted",
  },
  {
    from: "anthropic, connections",
    status: 429,
    body: anthropic(
      "rate_limit_error",
      "Number of concurrent connections has exceeded your rate limit. Please try again later or contact sales.",
    ),
    kind: "rate-limited",
  },
  {
    from: "anthropic, thinking left out",
    status: 400,
    body: anthropic(
      invalid,
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
    ),
    kind: "invalid-request",
  },
  {
    from: "anthropic, orphaned call",
    status: 400,
    body: anthropic(
      invalid,
      "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    ),
    kind: "invalid-request",
  },
  { from: "anthropic, timeout", status: 504, body: anthropic("timeout_error", "Request timed out"), kind: "transient" },
  { from: "anthropic, nothing said", status: 529, body: "", kind: "transient" },

  // Google
  {
    from: "google, place",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
    kind: "auth",
  },
  {
    from: "google, requests a day",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "Quota exceeded for quota metric 'Gemini 2.5 Pro Requests' and limit 'Gemini 2.5 Pro Requests per day per user per tier' of service 'cloudcode-pa.googleapis.com'.",
      [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "rateLimitExceeded" }],
    ),
    kind: "quota-exhausted",
  },
  {
    from: "vertex, shared capacity",
    status: 429,
    body: google(429, "RESOURCE_EXHAUSTED", "Resource exhausted. Please try again later."),
    kind: "rate-limited",
  },
  {
    from: "google, internal",
    status: 500,
    body: google(500, "INTERNAL", "An internal error has occurred. Please retry or report it."),
    kind: "transient",
  },
  {
    from: "google, late",
    status: 504,
    body: google(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
    kind: "transient",
  },
  {
    from: "google, unknown model",
    status: 404,
    body: google(
      404,
      "NOT_FOUND",
      "models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.",
    ),
    kind: "invalid-request",
  },
  {
    from: "google, service off",
    status: 403,
    body: google(
      403,
      "PERMISSION_DENIED",
      "Generative Language API has not been used in project 1 before or it is disabled.",
      [{ reason: "SERVICE_DISABLED" }],
    ),
    kind: "auth",
  },
  {
    from: "google, tools",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "Function calling config is set without function_declarations."),
    kind: "invalid-request",
  },
  {
    from: "google, expired key",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", [
      { reason: "API_KEY_INVALID" },
    ]),
    kind: "auth",
  },

  // Bedrock
  {
    from: "bedrock, tokens a minute",
    status: 429,
    body: { message: "Too many tokens, please wait before trying again." },
    kind: "rate-limited",
  },
  {
    from: "bedrock, tokens a day",
    status: 429,
    body: { message: "Too many tokens per day, please wait before trying again." },
    kind: "rate-limited",
  },
  {
    from: "bedrock in a stream",
    body: { message: "Too many requests, please wait before trying again. You have sent too many requests." },
    kind: "rate-limited",
  },
  {
    from: "bedrock, busy",
    status: 503,
    body: { message: "Bedrock is unable to process your request." },
    kind: "transient",
  },
  {
    from: "bedrock, expired token",
    status: 403,
    body: { message: "The security token included in the request is expired" },
    kind: "auth",
  },
  {
    from: "bedrock, no access",
    status: 403,
    body: { message: "You don't have access to the model with the specified model ID." },
    kind: "auth",
  },
  {
    from: "bedrock, profile",
    status: 400,
    body: {
      message:
        "Invocation of model ID anthropic.claude-3-7-sonnet-20250219-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.",
    },
    kind: "invalid-request",
  },
  {
    from: "bedrock, answer too long",
    status: 400,
    body: {
      message:
        "The maximum tokens you requested exceed the model limit of 4096. Try again with a maximum tokens value lower than 4096.",
    },
    kind: "invalid-request",
  },
  {
    from: "bedrock, the model failed",
    status: 424,
    body: { message: "The system encountered an unexpected error during processing. Try your request again." },
    kind: "transient",
  },

  // OpenRouter
  {
    from: "openrouter, no endpoint",
    status: 404,
    body: { error: { message: "No endpoints found for nousresearch/hermes-3-llama-3.1-405b:free.", code: 404 } },
    kind: "invalid-request",
  },
  {
    from: "openrouter, a key's limit",
    status: 403,
    body: {
      error: {
        message: "Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys",
        code: 403,
      },
    },
    kind: "quota-exhausted",
  },
  {
    from: "openrouter, credits",
    status: 402,
    body: {
      error: {
        message:
          "This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 0.",
        code: 402,
      },
    },
    kind: "quota-exhausted",
  },
  { from: "openrouter, key", status: 401, body: { error: { message: "User not found.", code: 401 } }, kind: "auth" },
  {
    from: "openrouter, no such model",
    status: 400,
    body: { error: { message: "acme/nothing is not a valid model ID", code: 400 } },
    kind: "invalid-request",
  },

  // xAI
  {
    from: "xai, credits as 429",
    status: 429,
    body: { code: "Some resource has been exhausted", error: usedUp },
    kind: "quota-exhausted",
  },
  {
    from: "xai, credits as 403",
    status: 403,
    body: { code: "permission-denied", error: usedUp },
    kind: "quota-exhausted",
  },
  {
    from: "xai, a new team",
    status: 403,
    body: {
      code: "The caller does not have permission to execute the specified operation",
      error: "Your newly created team doesn't have any credits or licenses yet. You can purchase those on the console.",
    },
    kind: "quota-exhausted",
  },
  {
    from: "xai, subscription",
    status: 403,
    body: {
      code: "personal-team-blocked:spending-limit",
      error: "You have run out of credits or need a Grok subscription.",
    },
    kind: "quota-exhausted",
  },
  {
    from: "xai, tokens a minute",
    status: 429,
    body: {
      code: "Some resource has been exhausted",
      error:
        "Too many tokens for team e9fe19cb and model grok-4-0709. Your team's rate limit is — Tokens per Minute (actual/limit): 65605/16000.",
    },
    kind: "rate-limited",
  },
  {
    from: "xai, wrong key has status 400",
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "Incorrect API key provided: xa***yz. You can obtain an API key from the console.",
    },
    kind: "auth",
  },

  // Mistral
  { from: "mistral, key", status: 401, body: { detail: "Unauthorized" }, kind: "auth" },
  { from: "codestral, key", status: 401, body: { message: "Unauthorized", request_id: "933f" }, kind: "auth" },
  { from: "mistral, rate", status: 429, body: { message: "Requests rate limit exceeded" }, kind: "rate-limited" },
  {
    from: "mistral, extra input",
    status: 422,
    body: {
      object: "error",
      message: {
        detail: [{ type: "extra_forbidden", loc: ["body", "reasoning"], msg: "Extra inputs are not permitted" }],
      },
      type: invalid,
    },
    kind: "invalid-request",
  },
  {
    from: "mistral, backend",
    status: 503,
    body: { object: "error", message: "Service unavailable.", type: "unreachable_backend", code: "1100" },
    kind: "transient",
  },
  {
    from: "mistral, order",
    status: 400,
    body: {
      object: "error",
      message: "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
      type: "invalid_request_message_order",
      code: "3230",
    },
    kind: "invalid-request",
  },

  // Groq
  {
    from: "groq, flex",
    status: 498,
    body: error(
      "The flex tier is at capacity and the request won't be processed. You can try again later.",
      "internal",
      "capacity_exceeded",
    ),
    kind: "transient",
  },
  {
    from: "groq, over capacity",
    status: 503,
    body: error(
      "llama-3.3-70b is currently over capacity. Please try again and back off exponentially.",
      "internal_server_error",
    ),
    kind: "transient",
  },
  {
    from: "groq, the model wrote a call that cannot be read",
    status: 400,
    body: error(
      "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      invalid,
      "tool_use_failed",
    ),
    kind: "transient",
  },
  {
    from: "groq, tools",
    status: 400,
    body: error("'tools' : maximum number of items is 128", invalid),
    kind: "invalid-request",
  },
  {
    from: "groq, wait in words alone",
    status: 429,
    body: error(
      "Rate limit reached for model `llama3-70b-8192` in organization `org_x` on tokens per day (TPD): Limit 500000, Used 500370, Requested 252. Please try again in 1m47.5854s.",
      "tokens",
      "rate_limit_exceeded",
    ),
    kind: "rate-limited",
    retryAfter: 107_585,
  },

  // DeepSeek, Moonshot, Z.ai, Alibaba, Fireworks
  {
    from: "deepseek, window",
    status: 400,
    body: error(
      "This model's maximum context length is 131072 tokens. However, you requested 132000 tokens (123808 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
      invalid,
      invalid,
    ),
    kind: "overflow",
  },
  {
    from: "deepseek, busy",
    status: 503,
    body: error(
      "Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.",
      "service_unavailable_error",
    ),
    kind: "transient",
  },
  {
    from: "deepseek, body",
    status: 422,
    body: error(
      "Failed to deserialize the JSON body into the target type: messages[2]: missing field `tool_call_id`",
      invalid,
      invalid,
    ),
    kind: "invalid-request",
  },
  { from: "deepseek, risk", status: 400, body: error("Content Exists Risk", invalid, invalid), kind: "content-policy" },
  {
    from: "deepseek, thinking",
    status: 400,
    body: error("The `reasoning_content` in the thinking mode must be passed back to the API.", invalid, invalid),
    kind: "invalid-request",
  },
  {
    from: "moonshot, suspended",
    status: 429,
    body: error(
      "Your account org-x is suspended due to insufficient balance, please recharge your account or check your plan and billing details",
      "exceeded_current_quota_error",
    ),
    kind: "quota-exhausted",
  },
  {
    from: "z.ai, concurrency",
    status: 429,
    body: {
      error: {
        code: "1302",
        message:
          "High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits",
      },
    },
    kind: "rate-limited",
  },
  {
    from: "alibaba, free tier",
    status: 403,
    body: error(
      "The free tier of the model has been exhausted. If you wish to continue access the model on a paid basis, please disable the use free tier only mode in the management console.",
      "AllocationQuota.FreeTierOnly",
      "AllocationQuota.FreeTierOnly",
    ),
    kind: "quota-exhausted",
  },
  {
    from: "fireworks, suspended",
    status: 412,
    body: error(
      "Account acme is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.",
      invalid,
      "PRECONDITION_FAILED",
    ),
    kind: "quota-exhausted",
  },

  // Servers of one's own
  {
    from: "ollama, busy",
    status: 503,
    body: { error: "server busy, please try again.  maximum pending requests exceeded" },
    kind: "transient",
  },
  { from: "ollama, cloud key", status: 401, body: { error: "unauthorized" }, kind: "auth" },
  {
    from: "vllm, engine",
    status: 500,
    body: {
      object: "error",
      message: "EngineCore encountered an issue. See stack trace (above) for the root cause.",
      type: "InternalServerError",
      code: 500,
    },
    kind: "transient",
  },
  {
    from: "vllm, tool parser",
    status: 400,
    body: {
      object: "error",
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: "BadRequestError",
      code: 400,
    },
    kind: "invalid-request",
  },
  {
    from: "vllm, unknown model",
    status: 404,
    body: { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", code: 404 },
    kind: "invalid-request",
  },
  {
    from: "vllm, answer and prompt",
    status: 400,
    body: error(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 5000 input tokens (32000 > 32768 - 5000).",
      "BadRequestError",
      400,
    ),
    kind: "overflow",
  },
  {
    from: "llama.cpp, window",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "request (9102 tokens) exceeds the available context size (8192 tokens), try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9102,
        n_ctx: 8192,
      },
    },
    kind: "overflow",
  },
  {
    from: "llama.cpp, compute",
    status: 500,
    body: { error: { code: 500, message: "Compute error.", type: "server_error" } },
    kind: "transient",
  },
  {
    from: "llama.cpp, no tools",
    status: 501,
    body: {
      error: {
        code: 501,
        message: "This server does not support tools. Start it with `--jinja`",
        type: "not_supported_error",
      },
    },
    kind: "invalid-request",
  },
  {
    from: "lm studio, nothing loaded",
    status: 404,
    body: error(
      "No models loaded. Please load a model in the developer page or use the `lms load` command.",
      invalid,
      "model_not_found",
    ),
    kind: "invalid-request",
  },
  { from: "lm studio, unloaded on the way", status: 400, body: { error: "Model unloaded." }, kind: "transient" },
  {
    from: "lm studio, crashed",
    status: 400,
    body: { error: "The model has crashed without additional information. (Exit code: 18446744072635812000)" },
    kind: "transient",
  },
  {
    from: "hugging face, loading",
    status: 503,
    body: { error: "Model acme/x is currently loading", estimated_time: 20 },
    kind: "transient",
  },

  // Proxies
  {
    from: "litellm, window",
    status: 400,
    body: error(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 128000 tokens.",
      undefined,
      "400",
    ),
    kind: "overflow",
  },
  {
    from: "litellm, budget",
    status: 400,
    body: error("Budget has been exceeded! Current cost: 10.2, Max budget: 10.0", "budget_exceeded", "400"),
    kind: "quota-exhausted",
  },
  {
    from: "litellm, no deployment",
    status: 429,
    body: error(
      "No deployments available for selected model, Try again in 5 seconds. Passed model=gpt-4o.",
      "None",
      "429",
    ),
    kind: "rate-limited",
    retryAfter: 5000,
  },
  {
    from: "one-api, no channel",
    status: 503,
    body: error("No available channel for model gpt-4o under group default", "new_api_error"),
    kind: "transient",
  },
  {
    from: "one-api, quota",
    status: 403,
    body: error("user quota is not enough", "one_api_error", "insufficient_user_quota"),
    kind: "quota-exhausted",
  },
  {
    from: "envoy",
    status: 503,
    body: "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
    kind: "transient",
  },
  { from: "a load balancer's page", status: 503, body: page("503 Service Temporarily Unavailable"), kind: "transient" },
  { from: "nginx, late", status: 504, body: page("504 Gateway Time-out"), kind: "transient" },
  { from: "cloudflare, rate", status: 429, body: "error code: 1015", kind: "rate-limited" },
  { from: "cloudflare, challenge", status: 403, body: page("Just a moment..."), kind: "auth" },
  { from: "cloudflare, unknown origin error", status: 520, body: "error code: 520", kind: "transient" },
  { from: "cloudflare, tunnel", status: 530, body: "error code: 1033", kind: "transient" },
]
