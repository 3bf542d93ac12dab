import type { ProviderError } from "@pawl/core/provider"

/** A provider's own words about a refused request. */
export interface RejectionWords {
  /** Message and body without examples, for searching. */
  readonly all: string
  /** Text for users and models: without the place in the request, at most 200 characters. */
  readonly short: string
}

const MAX_SEARCHED_LENGTH = 8_192
const MAX_SHORT_LENGTH = 200
const EXAMPLE = /\((?:e\.g\.|for example)[^)]*\)/gi
const PLACE = /^(?:\* ?)?[\w.[\]]*(?:messages|contents|input)[.[][\w.[\]]*: /

export function rejectionWords({ message, details }: ProviderError): RejectionWords {
  const body = details.responseBody?.slice(0, MAX_SEARCHED_LENGTH) ?? ""
  const all = `${message}\n${body}`.replaceAll(EXAMPLE, "")
  const said = (messageIn(body) ?? message).replaceAll(EXAMPLE, "").replace(/\s+/g, " ").trim().replace(PLACE, "")
  return { all, short: said.length > MAX_SHORT_LENGTH ? `${said.slice(0, MAX_SHORT_LENGTH).toWellFormed()}…` : said }
}

/** Returns `error.message` of the body. It may contain another body, because gateways forward errors. */
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
