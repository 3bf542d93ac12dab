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

/**
 * Converts a stored error to OpenCode's form. An error without a counterpart becomes an UnknownError with the same
 * message.
 */
export function openCodeError({ name, data }: GivenError): GivenError {
  if (name === "ProviderAuthError") return { name, data: { ...data, providerID: data["providerID"] ?? "unknown" } }
  if (KNOWN.has(name)) return { name, data }
  return { name: "UnknownError", data: { message: data.message } }
}
