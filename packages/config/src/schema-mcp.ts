import { z } from "zod"
import { flag, milliseconds, object, oneOf, table, text, wholeNumber } from "./schema-values.ts"

const common = {
  enabled: flag.describe("Use this server. Default: true.").exactOptional(),
  timeout: milliseconds
    .describe(
      "Milliseconds for connecting, for listing and for a call without progress; 0 for ever. Default: 30000; of a call that of tools.",
    )
    .exactOptional(),
  timeouts: object({
    connect: milliseconds.exactOptional(),
    list: milliseconds.exactOptional(),
    call: milliseconds.exactOptional(),
  })
    .describe("The same one by one.")
    .exactOptional(),
}

const local = object({
  type: z.literal("local").describe("A program of this machine, spoken to over its standard input and output."),
  command: z
    .array(text, { error: "must be an array: the program, then its arguments" })
    .min(1, { error: "must name a program" })
    .describe("The program, then its arguments."),
  cwd: text.describe("Working directory, relative to that of pawl. Default: that of pawl.").exactOptional(),
  environment: table(text)
    .describe("Variables that it gets besides the harmless ones; {env:NAME} passes one of yours on.")
    .exactOptional(),
  ...common,
})

const http = text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""), {
  error: "must be an http or https URL",
})

/** The URL is used as the client's id, so it must meet the protocol's rules for ids. */
const clientDocument = text.refine(
  (value) => {
    const { protocol, pathname, hash, username, password } = URL.parse(value) ?? {}
    return protocol === "https:" && pathname !== "/" && hash === "" && username === "" && password === ""
  },
  { error: "must be an https URL with a path, without credentials and fragment" },
)

const remote = object({
  type: z.literal("remote").describe("A server that is reached over HTTP."),
  url: http.describe("URL of the server."),
  headers: table(text).describe("Sent with each request.").exactOptional(),
  transport: oneOf(["auto", "http", "sse"])
    .describe("Streamable HTTP, or the older server-sent events; auto tries one after the other. Default: auto.")
    .exactOptional(),
  oauth: z
    .union(
      [
        z.literal(false),
        object({
          clientId: text.exactOptional(),
          clientSecret: text.exactOptional(),
          clientMetadataUrl: clientDocument
            .describe(
              "An https address of a document that describes your client, for servers that read such in place of a registration. clientId goes before it.",
            )
            .exactOptional(),
          scope: text.exactOptional(),
          callbackPort: wholeNumber("a port, 1 to 65535", 1)
            .max(65_535, { error: "must be a port, 1 to 65535" })
            .exactOptional(),
          redirectUri: text.exactOptional(),
        }),
      ],
      { error: "must be false or an object with what is known of the client" },
    )
    .describe("Authorization settings that cannot be discovered; false for no authorization.")
    .exactOptional(),
  ...common,
})

const server = z.discriminatedUnion("type", [local, remote], {
  error: ({ input }) => {
    const isEntry = typeof input === "object" && input !== null && !Array.isArray(input)
    return isEntry ? 'must be "local" or "remote"' : "must be an object"
  },
})

/** A server, or `enabled` for a server that another file defines. */
export const mcpServers = table(z.union([server, object({ enabled: flag })], { error: "must be an object" })).describe(
  "MCP servers by name. An entry with a type defines the server; `enabled` alone switches a server defined elsewhere.",
)
