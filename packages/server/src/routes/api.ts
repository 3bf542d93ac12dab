import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { findFiles } from "../files/find-files.ts"
import { insideProject } from "../files/inside.ts"
import { listDirectory } from "../files/list-directory.ts"
import { createReadRules, requireReadable } from "../files/read-rules.ts"
import { readJudgedFile } from "../files/regular-file.ts"
import { ripgrepOf } from "../files/ripgrep-of.ts"
import { offeredCommands } from "../prompt/compacted.ts"
import { paramOf, readQuery } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { locationOf, newerAgent, newerModel, newerProvider } from "../shapes/newer.ts"
import { openCodeProvider } from "../shapes/provider.ts"
import { openCodeCommand } from "../shapes/command.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const findQuery = z.object({
  query: z.string(),
  type: z.enum(["file", "directory"]).optional(),
  limit: z.coerce.number().int().positive().max(200).default(50),
})

const located = <T extends z.ZodType>(data: T) => z.object({ location: answers.location, data: z.array(data) })

const model = z.looseObject({ id: z.string() })
const listQuery = z.object({ path: z.string().default(".") })
const entry = z.object({ path: z.string(), type: z.enum(["file", "directory"]) })

export const apiOperations: Operations = {
  "GET /api/health": {
    id: "v2.health.get",
    summary: "Answers.",
    answer: z.object({ healthy: z.literal(true) }),
    isGlobal: true,
  },
  "GET /api/agent": { id: "v2.agent.list", summary: "Lists agents.", answer: located(model) },
  "GET /api/model": { id: "v2.model.list", summary: "Lists models.", answer: located(model) },
  "GET /api/provider": { id: "v2.provider.list", summary: "Lists providers.", answer: located(model) },
  "GET /api/provider/:providerID": {
    id: "v2.provider.get",
    summary: "Returns a provider.",
    answer: z.object({ location: answers.location, data: model }),
  },
  "GET /api/skill": { id: "v2.skill.list", summary: "Lists skills.", answer: located(answers.skill) },
  "GET /api/fs/list": { id: "v2.fs.list", summary: "Lists a directory.", query: listQuery, answer: located(entry) },
  "GET /api/fs/read/*": {
    id: "v2.fs.read",
    summary: "Returns the bytes of a file.",
    answer: z.string(),
    type: "application/octet-stream",
  },
  "GET /api/location": { id: "v2.location.get", summary: "Returns the location.", answer: answers.location },
  "GET /api/command": {
    id: "v2.command.list",
    summary: "Lists slash commands.",
    answer: located(answers.command),
  },
  "GET /api/fs/find": {
    id: "v2.fs.find",
    summary: "Finds files by name.",
    query: findQuery,
    answer: located(entry),
  },
}

/** Routes of OpenCode's newer interface that its terminal UI calls besides the others. */
export function addAPIRoutes(app: Hono, { host }: AppContext): void {
  const { directory } = host
  const location = locationOf(host)
  app.get("/api/location", (context) => context.json(location))
  app.get("/api/command", async (context) => {
    const data = (await offeredCommands(host)).map((each) => openCodeCommand(each))
    return context.json({ location, data })
  })
  app.get("/api/health", (context) => context.json({ healthy: true }))
  app.get("/api/agent", async (context) => {
    return context.json({ location, data: (await host.agents()).map((agent) => newerAgent(agent)) })
  })
  const providers = async () => Promise.all((await host.providers()).map((each) => openCodeProvider(each)))
  app.get("/api/model", async (context) => {
    const models = (await providers()).flatMap((provider) => Object.values(provider.models))
    return context.json({ location, data: models.map((each) => newerModel(each)) })
  })
  app.get("/api/provider", async (context) => {
    return context.json({ location, data: (await providers()).map((each) => newerProvider(each)) })
  })
  app.get("/api/provider/:providerID", async (context) => {
    const id = paramOf(context, "providerID")
    const found = (await providers()).find((each) => each.id === id)
    if (!found) throw new NotFoundError(`There is no provider "${id}".`)
    return context.json({ location, data: newerProvider(found) })
  })
  app.get("/api/skill", async (context) => context.json({ location, data: (await host.skills?.()) ?? [] }))
  app.get("/api/fs/list", async (context) => {
    const { path } = readQuery(context, listQuery)
    const nodes = await listDirectory(await insideProject(host, path), directory, createReadRules(host))
    return context.json({ location, data: nodes.map(({ path: name, type }) => ({ path: name, type })) })
  })
  app.get("/api/fs/read/*", async (context) => {
    const path = decodedPath(context.req.path.slice("/api/fs/read/".length))
    const real = await insideProject(host, path)
    const rules = createReadRules(host)
    for (const name of [path, real]) await requireReadable(rules, name)
    const bytes = await readJudgedFile(real, "Params")
    // A page of a project must not run in the server's origin.
    const headers = { "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff" }
    return context.body(new Uint8Array(bytes), 200, headers)
  })
  app.get("/api/fs/find", async (context) => {
    const { query, type, limit } = readQuery(context, findQuery)
    const found = await findFiles(await ripgrepOf(host), {
      directory,
      query,
      type,
      limit,
      rules: createReadRules(host),
    })
    const data = found.map((path) => ({ path, type: path.endsWith("/") ? "directory" : "file" }))
    return context.json({ location, data })
  })
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new RequestError("Params", "The path is not encoded as URI components.")
  }
}
