/**
 * Returns the URL of Ollama's API from OLLAMA_HOST, in any form that Ollama accepts: `host`, `:port`, `host:port`,
 * `https://host/path`. A server that listens on all addresses is reached on this machine. Undefined for an invalid value.
 */
export function ollamaAddress(host: string): string | undefined {
  const text = host.trim().replaceAll(/^["']|["']$/g, "")
  if (text === "") return undefined
  const [, scheme, rest = ""] = /^(?:(https?):\/\/)?(.*)$/i.exec(text) ?? []
  const url = URL.parse(`${scheme ?? "http"}://${rest.startsWith(":") ? `127.0.0.1${rest}` : rest}`)
  if (!url) return undefined
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1"
  if (url.hostname === "[::]") url.hostname = "[::1]"
  // A scheme brings its own usual port.
  if (url.port === "" && scheme === undefined && !/:80(?:\/|$)/.test(rest)) url.port = "11434"
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`
}
