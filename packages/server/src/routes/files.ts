import { join } from "node:path"
import { type Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { changedFiles } from "../files/changed-files.ts"
import { fileContent } from "../files/file-content.ts"
import { findFiles } from "../files/find-files.ts"
import { findText } from "../files/find-text.ts"
import { insideProject } from "../files/inside.ts"
import { listDirectory } from "../files/list-directory.ts"
import { createReadRules, requireReadable } from "../files/read-rules.ts"
import { ripgrepOf } from "../files/ripgrep-of.ts"
import { readQuery } from "../read-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const pathQuery = z.object({ path: z.string() })
const textQuery = z.object({ pattern: z.string() })
const fileQuery = z.object({
  query: z.string(),
  dirs: z.enum(["true", "false"]).optional(),
  type: z.enum(["file", "directory"]).optional(),
  limit: z.coerce.number().int().positive().max(200).default(10),
})

export const fileOperations: Operations = {
  "GET /file": {
    id: "file.list",
    summary: "Lists a directory.",
    query: pathQuery,
    answer: z.array(answers.fileNode),
  },
  "GET /file/content": {
    id: "file.read",
    summary: "Returns a file.",
    query: pathQuery,
    answer: answers.fileContent,
  },
  "GET /file/status": {
    id: "file.status",
    summary: "Lists files that differ from the last commit.",
    answer: z.array(answers.changedFile),
  },
  "GET /find": {
    id: "find.text",
    summary: "Searches files for a regular expression.",
    query: textQuery,
    answer: z.array(answers.textMatch),
  },
  "GET /find/file": {
    id: "find.files",
    summary: "Finds files by name.",
    query: fileQuery,
    answer: z.array(z.string()),
  },
}

/** Routes that read the project's files, if the rules of `read` allow it without asking a user. */
export function addFileRoutes(app: Hono, { host }: AppContext): void {
  const { directory, worktree } = host
  app.get("/file", async (context) => {
    const { path } = readQuery(context, pathQuery)
    return context.json(await listDirectory(await insideProject(host, path), directory, createReadRules(host)))
  })
  app.get("/file/content", async (context) => {
    const { path } = readQuery(context, pathQuery)
    const real = await insideProject(host, path)
    const rules = createReadRules(host)
    for (const name of [path, real]) await requireReadable(rules, name)
    return context.json(await fileContent(real))
  })
  app.get("/file/status", async (context) => {
    const rules = createReadRules(host)
    const actions = await Promise.all(
      (await changedFiles(worktree)).map(async (file) => ({ file, action: await rules(join(worktree, file.path)) })),
    )
    // A file about which the rules ask may be named, but a denied one may not.
    return context.json(actions.flatMap(({ file, action }) => (action === "deny" ? [] : [file])))
  })
  app.get("/find", async (context) => {
    const { pattern } = readQuery(context, textQuery)
    return context.json(await findText(await ripgrepOf(host), { directory, pattern, rules: createReadRules(host) }))
  })
  app.get("/find/file", async (context) => {
    const { query, dirs, type, limit } = readQuery(context, fileQuery)
    const kind = type ?? (dirs === "false" ? "file" : undefined)
    const rules = createReadRules(host)
    return context.json(await findFiles(await ripgrepOf(host), { directory, query, type: kind, limit, rules }))
  })
}
