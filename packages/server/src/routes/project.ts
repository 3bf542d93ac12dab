import { homedir } from "node:os"
import { join } from "node:path"
import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import type { AppContext } from "../app-context.ts"
import { git } from "../files/git.ts"
import type { ServerHost } from "../host.ts"

export function addProjectRoutes(app: Hono, { host }: AppContext): void {
  const { directory, worktree, version } = host
  app.get("/project", (context) => context.json([openCodeProject(host)]))
  app.get("/project/current", (context) => context.json(openCodeProject(host)))
  app.get("/project/:projectID/directories", (context) => {
    const id = context.req.param("projectID")
    if (id !== host.project.id) throw new NotFoundError(`There is no project ${id} here.`)
    return context.json([{ directory }])
  })
  // Subagents end with the turn of the agent that started them.
  app.get("/experimental/capabilities", (context) => context.json({ backgroundSubagents: false }))
  app.get("/path", (context) => {
    const home = homedir()
    const state = join(home, ".local", "state", "pawl")
    return context.json({ home, state, config: join(home, ".config", "pawl"), worktree, directory })
  })
  app.get("/vcs", async (context) => {
    const branch = (await git(directory, ["symbolic-ref", "--short", "HEAD"]))?.trim()
    return context.json(branch ? { branch } : {})
  })
  app.get("/global/health", (context) => context.json({ healthy: true, version }))
}

export function openCodeProject({ project, worktree }: Pick<ServerHost, "project" | "worktree">) {
  const { id, vcs, time } = project
  const { created, updated = created, initialized } = time
  return {
    ...{ id, worktree, sandboxes: [] as string[] },
    ...(vcs ? { vcs } : {}),
    time: { created, updated, ...(initialized === undefined ? {} : { initialized }) },
  }
}
