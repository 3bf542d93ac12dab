import { realpath } from "node:fs/promises"
import { isAbsolute } from "node:path"
import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { failure } from "../error-response.ts"
import type { ServerWorktrees, WorktreeRefusal } from "../host.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { readBody } from "../read-request.ts"

const MAX_NAME = 200
const MAX_COMMAND = 128 * 1024
const MAX_PATH = 4096

const createBody = z.object({
  name: z.string().trim().max(MAX_NAME).nullish(),
  startCommand: z.string().trim().max(MAX_COMMAND).nullish(),
})
const pathBody = z.object({
  directory: z
    .string()
    .max(MAX_PATH)
    .regex(/^[^\0]*$/, "a text without NUL")
    .refine((path) => isAbsolute(path), "an absolute path"),
})

export const worktreeOperations: Operations = {
  "GET /experimental/worktree": {
    id: "worktree.list",
    summary: "Lists the directories of the worktrees that pawl has created for the repository.",
    answer: z.array(z.string()),
  },
  "POST /experimental/worktree": {
    id: "worktree.create",
    summary: "Creates a worktree on a branch of its own, at the commit that is checked out.",
    body: createBody,
    answer: answers.worktree,
  },
  "DELETE /experimental/worktree": {
    id: "worktree.remove",
    summary: "Removes a worktree that has nothing to lose, and its branch.",
    body: pathBody,
    answer: answers.yes,
  },
  "POST /experimental/worktree/reset": {
    id: "worktree.reset",
    summary:
      "Lets a worktree that has nothing to lose begin again, at the commit that is checked out where it was created.",
    body: pathBody,
    answer: answers.yes,
  },
}

/** Names of errors in OpenCode's interface. */
type Failure = "Create" | "Remove" | "Reset"

const NO_START_COMMAND =
  "pawl's server runs no start command, so no worktree was created. Create it without startCommand, and run the command in a " +
  "session of its directory: POST /session/{id}/shell"

/** Routes for git worktrees. */
export function addWorktreeRoutes(app: Hono, { host, events, others }: AppContext): void {
  function worktrees(): ServerWorktrees {
    if (host.worktrees) return host.worktrees
    throw new NotFoundError(
      "pawl's server has no worktrees here, so this is not offered: use a server of `pawl serve`.",
    )
  }

  app.get("/experimental/worktree", async (context) => context.json(await worktrees().list()))
  app.post("/experimental/worktree", async (context) => {
    const { name, startCommand } = await readBody(context, createBody)
    if (startCommand) return failure(400, "WorktreeStartCommandFailedError", { message: NO_START_COMMAND })
    const created = await worktrees().create(name || undefined)
    if ("refusal" in created) return refused("Create", created)
    const { path, branch } = created
    // Clients of OpenCode wait for it among the events of the new directory.
    events.publish("worktree.ready", { name: created.name, branch }, path)
    return context.json({ name: created.name, branch, directory: path })
  })
  app.delete("/experimental/worktree", async (context) => {
    const { directory } = await readBody(context, pathBody)
    // It is closed under its real path, which is unknown after it is removed.
    const real = await realpath(directory).catch(() => directory)
    if (others?.hasTerminals(real)) {
      const refusal = `A terminal is open in ${directory}. End it first: DELETE /pty/{id}`
      return refused("Remove", { refusal, isOutsideGit: false })
    }
    const refusal = await worktrees().remove(directory)
    if (refusal) return refused("Remove", refusal)
    await others?.close(real)
    return context.json(true)
  })
  app.post("/experimental/worktree/reset", async (context) => {
    const { directory } = await readBody(context, pathBody)
    const refusal = await worktrees().reset(directory)
    return refusal ? refused("Reset", refusal) : context.json(true)
  })
}

function refused(operation: Failure, { refusal: message, isOutsideGit }: WorktreeRefusal): Response {
  return failure(400, isOutsideGit ? "WorktreeNotGitError" : `Worktree${operation}FailedError`, { message })
}
