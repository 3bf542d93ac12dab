/** Where an error comes from, for its words. Everything may be unknown. */
export interface ErrorSource {
  readonly providerID?: string | undefined
  /** The server as people know it: its base URL. Default: the URL of the failed request. */
  readonly server?: string | undefined
  /** What to do when the key is missing or refused, a whole sentence. */
  readonly keyHint?: string | undefined
  /** Never shown and never kept: keys. */
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

/** A URL without what may be secret in it: user, password and query. */
export function shownURL(text: string): string {
  if (!URL.canParse(text)) return text
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`
}
