import type { IncomingHttpHeaders } from "node:http"

/** Returns the first problem in the headers of a Messages request. */
export function validateAnthropicHeaders(headers: IncomingHttpHeaders): string | undefined {
  const version = headers["anthropic-version"]
  if (version === undefined) return "anthropic-version: header is required"
  return version === "2023-06-01" ? undefined : `anthropic-version: "${String(version)}" is not a valid version.`
}
