import type { ProviderErrorKind } from "@pawl/core/provider"

/** The facts about a failed answer. */
export interface Failure {
  readonly kind: ProviderErrorKind
  /** Begins a sentence: "The server at http://…". */
  readonly server: string
  readonly status: number | undefined
  /** The server's message; may be empty. */
  readonly detail: string
  /** In milliseconds. */
  readonly retryAfter: number | undefined
  readonly keyHint: string | undefined
}

/** Writes the message for users: what failed at which server, the server's message, and the next step. */
export function explain({ kind, server, status, detail, retryAfter, keyHint }: Failure): string {
  const outcome = status === PROXY_AUTHENTICATION ? "is behind a proxy that wants to know who asks" : outcomes[kind]
  const head = `${server} ${outcome}${status === undefined ? "" : ` (${status})`}`
  const said = detail === "" ? "." : `: ${sentence(shorten(detail))}`
  const hint = status === PROXY_AUTHENTICATION ? "Give the proxy's user and password in its address." : keyHint
  const next = nextStep(kind, retryAfter, hint)
  return `${head}${said}${next === "" ? "" : ` ${next}`}`
}

const PROXY_AUTHENTICATION = 407

const outcomes: Readonly<Record<ProviderErrorKind, string>> = {
  auth: "refused the key",
  "rate-limited": "limits the rate of requests",
  "quota-exhausted": "has no quota left for this account",
  overflow: "finds the request too long for the model",
  "content-policy": "refused the content",
  "invalid-request": "rejected the request",
  "incomplete-stream": "broke off its answer",
  transport: "cannot be reached",
  transient: "failed",
  unknown: "failed",
}

function nextStep(kind: ProviderErrorKind, retryAfter: number | undefined, keyHint: string | undefined): string {
  if (kind === "auth") return keyHint ?? "Check the API key of this provider."
  if (kind === "quota-exhausted") return "Add credit, or choose another model."
  return retryAfter === undefined ? "" : `It asks to wait ${Math.ceil(retryAfter / 1000)} s.`
}

const longest = 500

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

function sentence(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`
}
