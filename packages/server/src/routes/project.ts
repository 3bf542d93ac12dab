import { homedir } from "node:os"
import { join } from "node:path"
import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import type { AppContext } from "../app-context.ts"
import { type ChangedFile, changedFiles } from "../files/changed-files.ts"
import { changes } from "../files/changes.ts"
import { git } from "../files/git.ts"
import { createReadRules } from "../files/read-rules.ts"
import type { ServerHost } from "../host.ts"
import { readQuery } from "../read-request.ts"
import { z } from "zod"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const diffQuery = z.object({
  mode: z.enum(["git", "branch"]).default("git"),
  context: z.coerce.number().int().min(0).max(1000).optional(),
})

export const projectOperations: Operations = {
  "GET /project": { id: "project.list", summary: "Lists the projects here.", answer: z.array(answers.project) },
  "GET /project/current": { id: "project.current", summary: "Returns the project.", answer: answers.project },
  "GET /project/:projectID/directories": {
    id: "project.directories",
    summary: "Lists the directories of a project.",
    answer: z.array(z.object({ directory: z.string() })),
  },
  "GET /experimental/capabilities": {
    id: "experimental.capabilities.get",
    summary: "Returns what is supported.",
    answer: z.object({ backgroundSubagents: z.boolean() }),
  },
  "GET /path": {
    id: "path.get",
    summary: "Returns the directories that are used.",
    answer: z.object({
      home: z.string(),
      state: z.string(),
      config: z.string(),
      worktree: z.string(),
      directory: z.string(),
    }),
  },
  "GET /vcs": {
    id: "vcs.get",
    summary: "Returns the branch.",
    answer: z.object({ branch: z.string().optional() }),
  },
  "GET /vcs/status": {
    id: "vcs.status",
    summary: "Lists files that differ from the last commit.",
    answer: z.array(answers.changedFileDiff),
  },
  "GET /vcs/diff": {
    id: "vcs.diff",
    summary: "Returns the differences from the last commit, or from the beginning of the branch.",
    query: diffQuery,
    answer: z.array(answers.changedFileDiff),
  },
  "GET /vcs/diff/raw": {
    id: "vcs.diff.raw",
    summary: "Returns the differences from the last commit as one patch.",
    answer: z.string(),
    type: "text/x-diff",
  },
  "GET /global/health": {
    id: "global.health",
    summary: "Returns the version.",
    isGlobal: true,
    answer: z.object({ healthy: z.literal(true), version: z.string() }),
  },
}

export function addProjectRoutes(app: Hono, { host }: AppContext): void {
  const { directory, worktree, version } = host
  /** Returns the worktrees besides the one in which this directory is. */
  const sandboxes = async () => ((await host.worktrees?.list()) ?? []).filter((path) => path !== worktree)
  app.get("/project", async (context) => context.json([openCodeProject(host, await sandboxes())]))
  app.get("/project/current", async (context) => context.json(openCodeProject(host, await sandboxes())))
  app.get("/project/:projectID/directories", async (context) => {
    const id = context.req.param("projectID")
    if (id !== host.project.id) throw new NotFoundError(`There is no project ${id} here.`)
    return context.json([directory, ...(await sandboxes())].map((each) => ({ directory: each })))
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
  app.get("/vcs/status", async (context) => {
    return context.json((await changedFiles(worktree)).map((file) => changedFile(file)))
  })
  app.get("/vcs/diff", async (context) => {
    const { mode, context: lines } = readQuery(context, diffQuery)
    const found = await changes({ worktree, rules: createReadRules(host), mode, context: lines })
    return context.json(found.map(({ patch, ...file }) => ({ ...changedFile(file), patch })))
  })
  app.get("/vcs/diff/raw", async (context) => {
    const found = await changes({ worktree, rules: createReadRules(host), mode: "git" })
    const patch = found.map((file) => file.patch).join("")
    return context.body(patch, 200, { "Content-Type": "text/x-diff; charset=utf-8" })
  })
  app.get("/global/health", (context) => context.json({ healthy: true, version }))
}

function changedFile({ path, added, removed, status }: ChangedFile) {
  return { file: path, additions: added, deletions: removed, status }
}

/** `sandboxes`: roots of the project's other worktrees. */
export function openCodeProject(
  { project, worktree }: Pick<ServerHost, "project" | "worktree">,
  sandboxes: readonly string[] = [],
) {
  const { id, vcs, time } = project
  const { created, updated = created, initialized } = time
  return {
    ...{ id, worktree, sandboxes: [...sandboxes] },
    ...(vcs ? { vcs } : {}),
    time: { created, updated, ...(initialized === undefined ? {} : { initialized }) },
  }
}
