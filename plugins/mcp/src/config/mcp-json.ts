import { fillVariables } from "./variables.ts"

/** A server from a `.mcp.json` in pawl's form: with variables filled in, and as written. */
export interface ImportedServer {
  readonly config: Readonly<Record<string, unknown>>
  readonly written: Readonly<Record<string, unknown>>
}

export interface ImportedServers {
  readonly servers: Readonly<Record<string, ImportedServer>>
  /** A sentence per invalid server, with the server and the key. */
  readonly problems: readonly string[]
}

type Entry = Readonly<Record<string, unknown>>
type Filled = { readonly value: unknown; readonly missing: readonly string[] }

/**
 * Parses a `.mcp.json`: `mcpServers` with `command`, `args` and `env`, or `type` http or sse, `url` and `headers`.
 * Fills `${NAME}` and `${NAME:-default}` from `environment`.
 */
export function importMcpJson(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): ImportedServers {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    return { servers: {}, problems: [`.mcp.json is not valid JSON: ${(error as Error).message}`] }
  }
  const entries = isEntry(file) ? file["mcpServers"] : undefined
  if (!isEntry(entries)) return { servers: {}, problems: ['.mcp.json needs an object "mcpServers".'] }

  const servers = Object.create(null) as Record<string, ImportedServer>
  const problems: string[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const form = isEntry(entry) ? toPawlForm(entry) : "must be an object"
    if (typeof form === "string") {
      problems.push(`mcpServers.${name}: ${form}.`)
      continue
    }
    const { value, missing } = filled(form, environment)
    if (missing.length === 0) servers[name] = { config: value as Entry, written: form }
    else problems.push(`mcpServers.${name}: ${missing.join(", ")} is not set, and there is no default for it.`)
  }
  return { servers, problems }
}

/** Returns a text that describes the problem if the entry is invalid. */
function toPawlForm(entry: Entry): Entry | string {
  const { type = "url" in entry ? "http" : "stdio", command, args = [], env, cwd, url, headers, timeout } = entry
  const rest = defined({ timeout, ...(entry["disabled"] === true ? { enabled: false } : {}) })
  if (type === "stdio") {
    if (typeof command !== "string") return "command must be a text"
    if (!Array.isArray(args)) return "args must be an array"
    return { type: "local", command: [command, ...(args as unknown[])], ...defined({ environment: env, cwd }), ...rest }
  }
  if (type !== "http" && type !== "sse" && type !== "streamable-http") {
    return `type ${JSON.stringify(type)} is not supported: stdio, http and sse are`
  }
  if (typeof url !== "string") return "url must be a text"
  return { type: "remote", url, transport: type === "sse" ? "sse" : "auto", ...defined({ headers }), ...rest }
}

function filled(value: unknown, environment: Readonly<Record<string, string | undefined>>): Filled {
  if (typeof value === "string") {
    const { text, missing } = fillVariables(value, environment)
    return { value: text, missing }
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => filled(item, environment))
    return { value: items.map((item) => item.value), missing: items.flatMap(({ missing }) => missing) }
  }
  if (!isEntry(value)) return { value, missing: [] }
  const items = Object.entries(value).map(([key, inner]) => [key, filled(inner, environment)] as const)
  return {
    value: Object.fromEntries(items.map(([key, inner]) => [key, inner.value])),
    missing: items.flatMap(([, { missing }]) => missing),
  }
}

function defined(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
