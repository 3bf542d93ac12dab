import type { ProviderError } from "../../base/errors.ts"

/** What a provider says of a request in its own words. */
export interface RejectionWords {
  /** All that it says, for searching: message and body, without its examples. */
  readonly all: string
  /** For people and models: without the place in the request, at most 200 characters. */
  readonly short: string
}

const LONGEST_SEARCHED = 8_192
const LONGEST_SHORT = 200
const EXAMPLE = /\((?:e\.g\.|for example)[^)]*\)/gi
const PLACE = /^(?:\* ?)?[\w.[\]]*(?:messages|contents|input)[.[][\w.[\]]*: /

export function rejectionWords({ message, details }: ProviderError): RejectionWords {
  const body = details.responseBody?.slice(0, LONGEST_SEARCHED) ?? ""
  const all = `${message}\n${body}`.replaceAll(EXAMPLE, "")
  const said = (messageIn(body) ?? message).replaceAll(EXAMPLE, "").replace(/\s+/g, " ").trim().replace(PLACE, "")
  return { all, short: said.length > LONGEST_SHORT ? `${said.slice(0, LONGEST_SHORT).toWellFormed()}…` : said }
}

/** `error.message` of the body, which may hold a body of its own: gateways pass on what they got. */
function messageIn(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body)
    const outer = Array.isArray(value) ? (value as unknown[])[0] : value
    const error = field(outer, "error") ?? outer
    const message = field(error, "message") ?? error
    return typeof message === "string" ? (messageIn(message) ?? message) : undefined
  } catch {
    return undefined
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
