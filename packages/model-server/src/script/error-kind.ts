/** Kinds of errors. Each wire format maps them to its own status, types and codes. */
export const errorKinds = [
  "invalid-request",
  "unauthorized",
  "forbidden",
  "unknown-model",
  "unknown-path",
  "too-large",
  "rate-limit",
  "quota",
  "context-overflow",
  "overloaded",
  "server",
] as const

export type ErrorKind = (typeof errorKinds)[number]

const kindOfStatus: Readonly<Record<number, ErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  413: "too-large",
  429: "rate-limit",
  503: "overloaded",
  529: "overloaded",
}

/** Returns the usual kind for a status. */
export function kindOf(status: number): ErrorKind {
  return kindOfStatus[status] ?? (status >= 500 ? "server" : "invalid-request")
}
