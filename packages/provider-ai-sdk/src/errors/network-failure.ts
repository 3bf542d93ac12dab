/** A failed connection, by the error codes of Node and undici. */
export interface NetworkFailure {
  /** Progress: nothing was sent, nothing was received, or the answer had begun. */
  readonly stage: "unsent" | "unanswered" | "answering"
  /** Part of a sentence: "connection refused". */
  readonly reason: string
  /** A sentence. */
  readonly nextStep: string
}

/** Searches an error and its causes. Undefined if the network is not the cause. */
export function networkFailure(error: unknown): NetworkFailure | undefined {
  const chain = [...causes(error)]
  const failure = chain.map(failureOf).find((found) => found !== undefined)
  // undici's message for a body that ended early.
  const begun = chain.some((cause) => cause instanceof TypeError && cause.message === "terminated")
  return begun ? { ...(failure ?? reset), stage: "answering" } : failure
}

function failureOf(error: Error): NetworkFailure | undefined {
  if (!("code" in error) || typeof error.code !== "string") return undefined
  return failures[error.code] ?? (certificateCode.test(error.code) ? untrusted(error.code) : undefined)
}

function* causes(error: unknown): Generator<Error> {
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause)
    yield cause
    // Happy Eyeballs tries several addresses and throws all their failures; they rarely differ.
    if (cause instanceof AggregateError && cause.errors[0] instanceof Error) yield cause.errors[0]
  }
}

function untrusted(code: string): NetworkFailure {
  return {
    stage: "unsent",
    reason: `no secure connection (${code})`,
    nextStep: "Check the server's certificate, and whether its URL should begin with http:// instead.",
  }
}

const certificateCode = /CERT|^ERR_TLS|^ERR_SSL|UNABLE_TO_VERIFY/
const serverRunning = "Is the server running?"
const reset: NetworkFailure = { stage: "unanswered", reason: "the connection was reset", nextStep: serverRunning }
const timedOut: NetworkFailure = {
  stage: "unsent",
  reason: "no connection within the time limit",
  nextStep: "Check the network, a proxy, a firewall.",
}
const unknownHost: NetworkFailure = {
  stage: "unsent",
  reason: "the host name is not known",
  nextStep: "Check the URL and the network.",
}
const unreachable: NetworkFailure = {
  stage: "unsent",
  reason: "there is no way to its network",
  nextStep: "Check the network.",
}

const failures: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: { stage: "unsent", reason: "connection refused", nextStep: serverRunning },
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EAI_NODATA: unknownHost,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  EADDRNOTAVAIL: unreachable,
  ERR_PROXY_TUNNEL: {
    stage: "unsent",
    reason: "the proxy opens no way to it",
    nextStep: "Check the proxy: its address, and its user and password.",
  },
  ERR_PROXY_INVALID_CONFIG: {
    stage: "unsent",
    reason: "the proxy of the environment has no address that can be read",
    nextStep: "Check HTTP_PROXY and HTTPS_PROXY.",
  },
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  ETIMEDOUT: timedOut,
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  UND_ERR_HEADERS_TIMEOUT: {
    stage: "unanswered",
    reason: "no answer within the time limit",
    nextStep: "Is the server overloaded?",
  },
  UND_ERR_BODY_TIMEOUT: {
    stage: "answering",
    reason: "silence in the middle of the answer",
    nextStep: "Is the server overloaded?",
  },
}
