export interface MediaType {
  /** In lower case, such as `text/html`; empty where the server says none that can be read. */
  readonly essence: string
  readonly charset?: string
}

export type ContentKind = "html" | "text" | "binary" | "unknown"

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const ESSENCE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`)
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i
const TEXT =
  /^text\/|[+/](?:json|xml|yaml)$|^application\/(?:(?:x-)?(?:javascript|ecmascript|yaml|toml|sh|httpd-php|ndjson|jsonl|www-form-urlencoded)|json5|jsonlines|graphql|sql|typescript)$/
// Said of anything; what the bytes are decides. An attachment is known by its bytes too.
const VAGUE =
  /^$|^(?:application|binary)\/(?:octet-stream|x-download|force-download|pdf)$|^image\/(?:png|jpe?g|gif|webp)$/

export function mediaType(header = ""): MediaType {
  const essence = ESSENCE.exec(header)?.[1]?.toLowerCase() ?? ""
  const [, quoted, bare] = CHARSET.exec(header) ?? []
  const charset = quoted ?? bare
  return { essence, ...(charset === undefined ? {} : { charset }) }
}

/** What a declared type promises. `unknown`: only the bytes can tell. */
export function contentKind(essence: string): ContentKind {
  if (essence === "text/html" || essence === "application/xhtml+xml") return "html"
  if (TEXT.test(essence)) return "text"
  return VAGUE.test(essence) ? "unknown" : "binary"
}
