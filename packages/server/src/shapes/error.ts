const KNOWN = new Set([
  "ProviderAuthError",
  "UnknownError",
  "MessageOutputLengthError",
  "MessageAbortedError",
  "StructuredOutputError",
  "ContextOverflowError",
  "ContentFilterError",
  "APIError",
])

interface GivenError {
  readonly name: string
  readonly data: { readonly message: string; readonly [field: string]: unknown }
}

/** A stored error as OpenCode tells it; what it has no name for is an UnknownError with the same message. */
export function openCodeError({ name, data }: GivenError): GivenError {
  if (name === "ProviderAuthError") return { name, data: { ...data, providerID: data["providerID"] ?? "unknown" } }
  if (KNOWN.has(name)) return { name, data }
  return { name: "UnknownError", data: { message: data.message } }
}
