import { NotFoundError } from "@pawl/core"
import type { PluginResources } from "@pawl/core/plugin"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { judgeCommand } from "../judge-command.ts"
import type { ServerControl } from "../host.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, readBody } from "../read-request.ts"
import { RequestError } from "../request-error.ts"

const environment = z.record(z.string(), z.string())
const addBody = z.object({
  name: z.string().min(1).max(200),
  config: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("local"),
      command: z.array(z.string()).min(1),
      cwd: z.string().optional(),
      environment: environment.optional(),
      enabled: z.boolean().optional(),
      timeout: z.number().optional(),
    }),
    z.object({
      type: z.literal("remote"),
      url: z.url({ protocol: /^https?$/ }),
      headers: environment.optional(),
      oauth: z.union([z.literal(false), z.looseObject({})]).optional(),
      enabled: z.boolean().optional(),
      timeout: z.number().optional(),
    }),
  ]),
})
const codeBody = z.object({ code: z.string().min(1) })
const statuses = z.record(z.string(), answers.serverStatus)

export const mcpOperations: Operations = {
  "GET /mcp": { id: "mcp.status", summary: "Returns the states of MCP servers, by name.", answer: statuses },
  "POST /mcp": {
    id: "mcp.add",
    summary: "Adds an MCP server until the directory is closed.",
    body: addBody,
    answer: statuses,
  },
  "POST /mcp/:name/connect": { id: "mcp.connect", summary: "Connects an MCP server.", answer: answers.yes },
  "POST /mcp/:name/disconnect": {
    id: "mcp.disconnect",
    summary: "Ends an MCP server until it is needed.",
    answer: answers.yes,
  },
  "POST /mcp/:name/auth": {
    id: "mcp.auth.start",
    summary: "Begins a sign-in, and returns the page to open.",
    answer: z.object({ authorizationUrl: z.string(), oauthState: z.string() }),
  },
  "POST /mcp/:name/auth/callback": {
    id: "mcp.auth.callback",
    summary: "Ends a sign-in with the code of its last page.",
    body: codeBody,
    answer: answers.serverStatus,
  },
  "POST /mcp/:name/auth/authenticate": {
    id: "mcp.auth.authenticate",
    summary: "Signs in: publishes the page to open, and waits for the user.",
    answer: answers.serverStatus,
  },
  "DELETE /mcp/:name/auth": {
    id: "mcp.auth.remove",
    summary: "Removes the tokens of an MCP server.",
    answer: z.object({ success: z.literal(true) }),
  },
  "GET /experimental/resource": {
    id: "experimental.resource.list",
    summary: "Returns the resources of MCP servers, by name.",
    answer: z.record(z.string(), answers.resource),
  },
}

/** Routes for MCP servers. */
export function addMcpRoutes(app: Hono, { host, events }: AppContext): void {
  const states = async () => (await host.mcp?.()) ?? {}
  const stateOf = async (name: string) => (await states())[name] ?? { status: "disabled" }

  function control(): ServerControl {
    if (host.servers) return host.servers
    throw new NotFoundError("pawl's server has no changes of MCP servers here: they can only be listed.")
  }

  /** Refuses only a denied command: the client adds the server in the name of the user, who would be asked. */
  async function requireAllowedCommand(words: readonly string[]): Promise<void> {
    const { action, decisive } = await judgeCommand(host, { words })
    if (action !== "deny" || !decisive) return
    const { permission: kind, patterns } = decisive.need
    throw new RequestError("Body", `A rule of "${kind}" denies the command of the server: ${patterns.join(", ")}`)
  }

  app.get("/mcp", async (context) => context.json(await states()))
  app.post("/mcp", async (context) => {
    const { name, config } = await readBody(context, addBody)
    if (config.type === "local") await requireAllowedCommand(config.command)
    await control().add(name, config)
    return context.json(await states())
  })
  app.post("/mcp/:name/connect", async (context) => {
    await control().connect(paramOf(context, "name"), context.req.raw.signal)
    return context.json(true)
  })
  app.post("/mcp/:name/disconnect", async (context) => {
    await control().disconnect(paramOf(context, "name"))
    return context.json(true)
  })
  app.post("/mcp/:name/auth", async (context) => {
    const { address, state } = await control().beginAuth(paramOf(context, "name"))
    return context.json({ authorizationUrl: address, oauthState: state })
  })
  app.post("/mcp/:name/auth/callback", async (context) => {
    const name = paramOf(context, "name")
    const { code } = await readBody(context, codeBody)
    await (await control().beginAuth(name)).enter(code)
    return context.json(await stateOf(name))
  })
  app.post("/mcp/:name/auth/authenticate", async (context) => {
    const name = paramOf(context, "name")
    const { address, done } = await control().beginAuth(name)
    // The server opens no browser: its clients show the address.
    events.publish("mcp.browser.open.failed", { mcpName: name, url: address })
    await done
    return context.json(await stateOf(name))
  })
  app.delete("/mcp/:name/auth", async (context) => {
    await control().removeAuth(paramOf(context, "name"))
    return context.json({ success: true })
  })
  app.get("/experimental/resource", async (context) => {
    const contributions = host.engine.plugins.contributions("resource")
    const lists = await Promise.all(
      contributions.map(({ value }) => (value as PluginResources).list(context.req.raw.signal)),
    )
    return context.json(Object.fromEntries(lists.flat().map((resource) => [resource.uri, openCodeResource(resource)])))
  })
}

type PluginResource = Awaited<ReturnType<PluginResources["list"]>>[number]

/** Names of resources begin with their server: `server:uri`. */
function openCodeResource({ uri, name, description, mime }: PluginResource) {
  const [client = ""] = uri.split(":", 1)
  return {
    name,
    uri: uri.slice(client.length + 1),
    client,
    ...(description === undefined ? {} : { description }),
    ...(mime === undefined ? {} : { mimeType: mime }),
  }
}
