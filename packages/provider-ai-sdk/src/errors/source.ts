/** The origin of an error, for its message. */
export interface ErrorSource {
  readonly providerID?: string | undefined
  /** The server's base URL. Default: the URL of the failed request. */
  readonly server?: string | undefined
  /** Advice for a missing or refused key, as a sentence. */
  readonly keyHint?: string | undefined
  /** Keys, which are removed from messages. */
  readonly secrets?: readonly string[] | undefined
  /** The clock, in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** Begins a sentence: `The server at http://127.0.0.1:11434/v1`, or `The provider "acme"` without a URL. */
export function serverName(source: ErrorSource, url?: string): string {
  const server = source.server ?? url
  if (server !== undefined) return `The server at ${shownURL(server)}`
  return source.providerID === undefined ? "The provider" : `The provider "${source.providerID}"`
}

/** Removes user, password and query from a URL. */
export function shownURL(text: string): string {
  if (!URL.canParse(text)) return text
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`
}
