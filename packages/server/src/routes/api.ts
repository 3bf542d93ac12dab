import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { findFiles } from "../files/find-files.ts"
import { createReadRules } from "../files/read-rules.ts"
import { ripgrepOf } from "../files/ripgrep-of.ts"
import { offeredCommands } from "../prompt/compacted.ts"
import { readQuery } from "../read-request.ts"
import { openCodeCommand } from "../shapes/command.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const findQuery = z.object({
  query: z.string(),
  type: z.enum(["file", "directory"]).optional(),
  limit: z.coerce.number().int().positive().max(200).default(50),
})

const located = <T extends z.ZodType>(data: T) => z.object({ location: answers.location, data: z.array(data) })

export const apiOperations: Operations = {
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
    answer: located(z.object({ path: z.string(), type: z.enum(["file", "directory"]) })),
  },
}

/** Routes of OpenCode's newer interface that its terminal UI calls besides the others. */
export function addAPIRoutes(app: Hono, { host }: AppContext): void {
  const { directory, worktree, project } = host
  const location = { directory, project: { id: project.id, directory: worktree } }
  app.get("/api/location", (context) => context.json(location))
  app.get("/api/command", async (context) => {
    const data = (await offeredCommands(host)).map((each) => openCodeCommand(each))
    return context.json({ location, data })
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
