import { STATUS_CODES } from "node:http"
import { BlockedAddressError } from "@pawl/address-guard"
import { BodyTooLargeError } from "./network/read-body.ts"

export interface FailedFetch {
  readonly url: string
  readonly timeout: number
  readonly maxBytes: number
  readonly hasTimedOut: boolean
}

/** Builds the error for a page that could not be read completely. */
export function fetchFailure(error: unknown, { url, timeout, maxBytes, hasTimedOut }: FailedFetch): Error {
  if (hasTimedOut) {
    return failure(
      `${url} did not answer completely within ${timeout} s. Try again with a longer timeout, or another address.`,
    )
  }
  if (error instanceof BlockedAddressError) {
    return failure(
      `${url} was not fetched: ${error.message}. Only public addresses are fetched. Use another address; ` +
        "whether this one may be reached is for the user to decide.",
    )
  }
  if (error instanceof BodyTooLargeError) {
    return failure(
      `${url} is larger than ${maxBytes / 2 ** 20} MB, which is the limit. Look for a smaller page or a part of it.`,
    )
  }
  return failure(`${url} could not be fetched: ${reason(error)}. Check the address, or try another one.`)

  function failure(message: string): Error {
    return new Error(message, { cause: error })
  }
}

/** Builds the error for an HTTP error status. `retryAfter` is the response header. */
export function statusFailure(url: string, status: number, retryAfter: string | undefined): Error {
  const name = STATUS_CODES[status]
  return new Error(`${url} answered ${status}${name === undefined ? "" : ` ${name}`}. ${nextStep(status, retryAfter)}`)
}

function nextStep(status: number, retryAfter = ""): string {
  if (status === 401 || status === 407)
    return "The page needs a sign-in, which webfetch has not. Look for a public page."
  if (status === 403 || status === 451)
    return "The server does not give it to programs like this one. Look for another page."
  if (status === 404 || status === 410)
    return "There is no such page. Check the address, or start from a page that links to it."
  if (status === 429) {
    return `The server asks to wait${/^\d{1,6}$/.test(retryAfter) ? ` ${retryAfter} s` : ""} before the next call. Use what you have until then.`
  }
  if (status >= 500) return "The server failed. Try again later, or look for another page."
  return "Check the address, or look for another page."
}

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ENOTFOUND" || code === "ENODATA") return "the host name is not known"
  if (code === "EAI_AGAIN") return "the host name could not be looked up just now"
  if (code === "ECONNREFUSED") return "the server takes no connections"
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE")
    return "the connection ended before the answer did"
  if (code === "HPE_HEADER_OVERFLOW") return "the headers of the answer are too long"
  if (typeof code === "string" && code.startsWith("HPE_")) return `the answer is not valid HTTP (${code})`
  if (typeof code === "string" && /^Z_|^ERR_.*BROTLI|^ERR_PADDING/.test(code))
    return `the body could not be unpacked (${code})`
  // Several addresses were tried, and each has its own error.
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "")
}
