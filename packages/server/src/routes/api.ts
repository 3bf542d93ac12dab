import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { findFiles } from "../files/find-files.ts"
import { createReadRules } from "../files/read-rules.ts"
import { ripgrepOf } from "../files/ripgrep-of.ts"
import { offeredCommands } from "../prompt/compacted.ts"
import { readQuery } from "../read-request.ts"
import { openCodeCommand } from "../shapes/command.ts"

const findQuery = z.object({
  query: z.string(),
  type: z.enum(["file", "directory"]).optional(),
  limit: z.coerce.number().int().positive().max(200).default(50),
})

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
