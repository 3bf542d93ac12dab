/** What an aborted call throws, whatever the signal's reason is. The reason is its cause. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === "AbortError") return reason
  return new DOMException("The request was aborted.", { name: "AbortError", cause: reason })
}
