export interface MediaType {
  /** In lower case, such as `text/html`; empty if the server sends no valid type. */
  readonly essence: string
  readonly charset?: string
}

export type ContentKind = "html" | "text" | "binary" | "unknown"

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const ESSENCE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`)
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i
const TEXT =
  /^text\/|[+/](?:json|xml|yaml)$|^application\/(?:(?:x-)?(?:javascript|ecmascript|yaml|toml|sh|httpd-php|ndjson|jsonl|www-form-urlencoded)|json5|jsonlines|graphql|sql|typescript)$/
// Servers send these types for any content, so the bytes decide. Attachments are recognized by their bytes as well.
const VAGUE =
  /^$|^(?:application|binary)\/(?:octet-stream|x-download|force-download|pdf)$|^image\/(?:png|jpe?g|gif|webp)$/

export function mediaType(header = ""): MediaType {
  const essence = ESSENCE.exec(header)?.[1]?.toLowerCase() ?? ""
  const [, quoted, bare] = CHARSET.exec(header) ?? []
  const charset = quoted ?? bare
  return { essence, ...(charset === undefined ? {} : { charset }) }
}

/** Classifies a declared type. `unknown` means that the bytes must decide. */
export function contentKind(essence: string): ContentKind {
  if (essence === "text/html" || essence === "application/xhtml+xml") return "html"
  if (TEXT.test(essence)) return "text"
  return VAGUE.test(essence) ? "unknown" : "binary"
}
