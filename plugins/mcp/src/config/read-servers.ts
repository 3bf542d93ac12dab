import { z } from "zod"
import type { ConfigProblem, ServerConfig } from "./server-config.ts"
import { readTimeouts } from "./timeouts.ts"

const milliseconds = z.number("must be milliseconds, a number").min(0, "must not be negative")
const strings = z.record(z.string(), z.string("must be a text"), "must be an object of texts")
const common = {
  enabled: z.boolean("must be true or false").optional(),
  timeout: milliseconds.optional(),
  timeouts: z
    .strictObject({ connect: milliseconds.optional(), list: milliseconds.optional(), call: milliseconds.optional() })
    .optional(),
}

const local = z.object({
  type: z.literal("local"),
  command: z
    .array(z.string("must be a text"), "must be an array of texts: the program, then its arguments")
    .min(1, "must not be empty")
    .refine(([program]) => program !== "", "must begin with a program"),
  cwd: z.string("must be a path").optional(),
  environment: strings.optional(),
  ...common,
})

const remote = z.object({
  type: z.literal("remote"),
  url: z.string("must be a text").refine(isHTTP, "must be an http or https URL"),
  headers: strings.optional(),
  transport: z.enum(["auto", "http", "sse"], "must be auto, http or sse").optional(),
  oauth: z
    .union(
      [
        z.literal(false),
        z.strictObject({
          clientId: z.string().optional(),
          clientSecret: z.string().optional(),
          clientMetadataUrl: z
            .string("must be a text")
            .refine(isDocument, "must be an https URL with a path, without credentials and fragment")
            .optional(),
          scope: z.string().optional(),
          callbackPort: z.number().int().min(1).max(65_535).optional(),
          redirectUri: z.string().optional(),
        }),
      ],
      "must be false, or an object with clientId, clientSecret, clientMetadataUrl, scope, callbackPort and redirectUri",
    )
    .optional(),
  ...common,
})

/** A server's configuration. `config` is missing if it is invalid; then `problems` has the reasons. */
export interface ReadServer {
  readonly config?: ServerConfig
  readonly problems: readonly ConfigProblem[]
}

/** `{ enabled: false }` alone disables an inherited entry, so it is neither a server nor a problem. */
export function readServer(server: string, given: unknown): ReadServer {
  const problem = (key: string, message: string, isFatal: boolean): ConfigProblem => {
    return { server, message: `mcp.${server}${key === "" ? "" : `.${key}`}: ${message}.`, isFatal }
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { problems: [problem("", "must be an object", true)] }
  }
  const { type } = given as { readonly type?: unknown }
  if (type === undefined && Object.keys(given).every((key) => key === "enabled")) return { problems: [] }
  if (type !== "local" && type !== "remote") {
    return { problems: [problem("type", 'must be "local" or "remote"', true)] }
  }
  const schema = type === "local" ? local : remote
  const unknownKeys = Object.keys(given).filter((key) => !(key in schema.shape))
  const known = Object.keys(schema.shape).join(", ")
  const warnings = unknownKeys.map((key) =>
    problem(key, `is an unknown key and was ignored; known keys: ${known}`, false),
  )
  const read = schema.safeParse(given)
  if (!read.success) {
    const found = read.error.issues.map(({ path, message }) => problem(path.join("."), message, true))
    return { problems: [...found, ...warnings] }
  }
  return { config: toConfig(read.data), problems: warnings }
}

function toConfig(given: z.infer<typeof local> | z.infer<typeof remote>): ServerConfig {
  const common = {
    enabled: given.enabled ?? true,
    timeouts: readTimeouts(given.timeout, withoutAbsent(given.timeouts)),
  }
  if (given.type === "local") {
    const { command, cwd, environment = {} } = given
    return {
      ...common,
      type: "local",
      command: command as [string],
      environment,
      ...(cwd === undefined ? {} : { cwd }),
    }
  }
  const { url, headers = {}, transport = "auto", oauth } = given
  return { ...common, type: "remote", url, headers, transport, ...(oauth === undefined ? {} : { oauth }) }
}

function withoutAbsent<T extends object>(given: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function isHTTP(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "")
}

/** A client id that is the address of a document must fulfil this. */
function isDocument(url: string): boolean {
  const { protocol, pathname, hash, username, password } = URL.parse(url) ?? {}
  return protocol === "https:" && pathname !== "/" && hash === "" && username === "" && password === ""
}
