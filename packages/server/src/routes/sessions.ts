import { type CreateSessionInput, type PromptPart, type Session, type SessionUpdate, type UndoReport } from "@pawl/core"
import type { JSONObject } from "@pawl/core/record"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import type { ServerHost } from "../host.ts"
import { requireNoOtherRun } from "../other-run.ts"
import { compacted } from "../prompt/compacted.ts"
import { readBody, readQuery, sessionIDOf } from "../read-request.ts"
import { openCodeSession } from "../shapes/session.ts"
import { openCodeTodos } from "../shapes/todo.ts"
import { writtenTodos } from "../written-todos.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const sessionID = z.templateLiteral(["ses_", z.string()])
const partID = z.templateLiteral(["prt_", z.string()])
const messageID = z.templateLiteral(["msg_", z.string()])
const rules = z.array(
  z.object({ permission: z.string(), pattern: z.string(), action: z.enum(["allow", "ask", "deny"]) }),
)
const metadata = z.record(z.string(), z.unknown())
const yes = z.enum(["true", "false"]).transform((text) => text === "true")

const listQuery = z.object({
  scope: z.literal("project").optional(),
  roots: yes.optional(),
  /** Epoch milliseconds. */
  start: z.coerce.number().optional(),
  search: z.string().optional(),
  limit: z.coerce.number().int().positive().default(100),
})
const createBody = z.object({
  parentID: sessionID.optional(),
  title: z.string().optional(),
  permission: rules.optional(),
  metadata: metadata.optional(),
})
const updateBody = z.object({
  title: z.string().optional(),
  permission: rules.optional(),
  metadata: metadata.optional(),
  time: z.object({ archived: z.number().nullable().optional() }).optional(),
})
const revertBody = z.object({
  messageID: messageID.optional(),
  partID: partID.optional(),
  /** pawl's own: undoes messages. Default: true */
  chat: z.boolean().optional(),
  /** pawl's own: undoes changes of files. Default: true */
  files: z.boolean().optional(),
})
/** `last`: pawl's own. Takes back only the newest undo. */
const unrevertBody = z.object({ last: z.boolean().optional() })
const diffQuery = z.object({ messageID: messageID.optional() })
const forkBody = z.object({ messageID: messageID.optional() })
const summarizeBody = z.object({
  providerID: z.string().optional(),
  modelID: z.string().optional(),
  /** pawl's own: topics to keep. */
  focus: z.string().optional(),
  /** Continues the work afterwards, as after an automatic compaction. */
  auto: z.boolean().optional(),
})
const everywhereQuery = z.object({
  roots: yes.optional(),
  archived: yes.optional(),
  start: z.coerce.number().optional(),
  /** Only sessions that changed before this time, in epoch milliseconds. */
  cursor: z.coerce.number().optional(),
  search: z.string().optional(),
  limit: z.coerce.number().int().positive().max(1000).default(100),
})

/** The prompt after a compaction that was asked for in the middle of the work. */
const continuation: PromptPart = {
  type: "text",
  text: "Continue with your next step. If the work is done, or if you need a decision of the user, say so and stop.",
  synthetic: true,
}

export const sessionOperations: Operations = {
  "GET /session": {
    id: "session.list",
    summary: "Lists sessions, most recently changed first.",
    query: listQuery,
    answer: z.array(answers.session),
  },
  "POST /session": {
    id: "session.create",
    summary: "Creates a session.",
    body: createBody,
    answer: answers.session,
  },
  "GET /experimental/session": {
    id: "experimental.session.list",
    summary: "Lists the sessions of all directories, most recently changed first.",
    query: everywhereQuery,
    answer: z.array(answers.globalSession),
  },
  "GET /session/status": {
    id: "session.status",
    summary: "Returns the states of sessions that are not idle, by id.",
    answer: z.record(z.string(), answers.status),
  },
  "GET /session/:sessionID": { id: "session.get", summary: "Returns a session.", answer: answers.session },
  "DELETE /session/:sessionID": {
    id: "session.delete",
    summary: "Removes a session and all below it.",
    answer: answers.yes,
  },
  "PATCH /session/:sessionID": {
    id: "session.update",
    summary: "Changes a session.",
    body: updateBody,
    answer: answers.session,
  },
  "GET /session/:sessionID/children": {
    id: "session.children",
    summary: "Lists the sessions directly below it.",
    answer: z.array(answers.session),
  },
  "GET /session/:sessionID/todo": {
    id: "session.todo",
    summary: "Returns the session's list of tasks.",
    answer: z.array(answers.todo),
  },
  "POST /session/:sessionID/fork": {
    id: "session.fork",
    summary: "Copies a session.",
    body: forkBody,
    answer: answers.session,
  },
  "POST /session/:sessionID/revert": {
    id: "session.revert",
    summary: "Undoes a message and what follows it, in messages and files.",
    body: revertBody,
    answer: answers.undoneSession,
  },
  "POST /session/:sessionID/unrevert": {
    id: "session.unrevert",
    summary: "Takes undos back.",
    body: unrevertBody,
    answer: answers.undoneSession,
  },
  "GET /session/:sessionID/diff": {
    id: "session.diff",
    summary: "Returns the files that the session changed.",
    query: diffQuery,
    answer: z.array(answers.diff),
  },
  "POST /session/:sessionID/abort": {
    id: "session.abort",
    summary: "Ends the session's run.",
    answer: answers.yes,
  },
  "POST /session/:sessionID/summarize": {
    id: "session.summarize",
    summary: "Compacts the session.",
    body: summarizeBody,
    answer: answers.yes,
  },
}

export function addSessionRoutes(app: Hono, { host, events }: AppContext): void {
  const { engine } = host

  app.get("/session", async (context) => {
    return context.json((await listed(host, readQuery(context, listQuery))).map((each) => openCodeSession(each)))
  })
  app.post("/session", async (context) => {
    const body = await readBody(context, createBody)
    if (body.parentID !== undefined) await engine.getSession(body.parentID)
    const input: CreateSessionInput = {
      directory: host.directory,
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.parentID === undefined ? {} : { parentID: body.parentID }),
      ...(body.permission === undefined ? {} : { permission: body.permission }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata as JSONObject }),
    }
    return context.json(openCodeSession(await engine.createSession(input)))
  })
  app.get("/experimental/session", async (context) => {
    const { project, worktree } = host
    const found = await listedEverywhere(host, readQuery(context, everywhereQuery))
    return context.json(
      found.map((each) => ({
        ...openCodeSession(each),
        // This server knows no other project.
        project: each.projectID === project.id ? { id: project.id, worktree } : null,
      })),
    )
  })
  app.get("/session/status", (context) => context.json(Object.fromEntries(events.statuses)))
  app.get("/session/:sessionID", async (context) => {
    return context.json(openCodeSession(await engine.getSession(sessionIDOf(context))))
  })
  app.delete("/session/:sessionID", async (context) => {
    await engine.removeSession(sessionIDOf(context))
    return context.json(true)
  })
  app.patch("/session/:sessionID", async (context) => {
    const { title, permission, metadata: given, time } = await readBody(context, updateBody)
    const changes: SessionUpdate = {
      ...(title === undefined ? {} : { title }),
      ...(permission === undefined ? {} : { permission }),
      ...(given === undefined ? {} : { metadata: given as JSONObject }),
      ...(time?.archived === undefined ? {} : { archived: time.archived !== null }),
    }
    return context.json(openCodeSession(await engine.updateSession(sessionIDOf(context), changes)))
  })
  app.get("/session/:sessionID/children", async (context) => {
    const id = sessionIDOf(context)
    await engine.getSession(id)
    return context.json((await engine.children(id)).map((child) => openCodeSession(child)))
  })
  app.get("/session/:sessionID/todo", async (context) => {
    return context.json(openCodeTodos(await writtenTodos(engine, sessionIDOf(context))))
  })
  app.post("/session/:sessionID/fork", async (context) => {
    const { messageID: before } = await readBody(context, forkBody)
    const id = sessionIDOf(context)
    const fork = await engine.forkSession({
      sessionID: id,
      ...(before ? { messageID: before } : {}),
    })
    return context.json(openCodeSession(fork))
  })
  app.post("/session/:sessionID/revert", async (context) => {
    const { messageID: message, partID: part, chat, files } = await readBody(context, revertBody)
    const report = await engine.revert({
      sessionID: sessionIDOf(context),
      ...(message === undefined ? {} : { messageID: message }),
      ...(part === undefined ? {} : { partID: part }),
      ...(chat === undefined ? {} : { chat }),
      ...(files === undefined ? {} : { files }),
    })
    return context.json(undoneSession(report))
  })
  app.post("/session/:sessionID/unrevert", async (context) => {
    const session = await engine.getSession(sessionIDOf(context))
    const { last } = await readBody(context, unrevertBody)
    const { undo = [] } = session
    // OpenCode's clients also call it when nothing is undone.
    if (undo.length === 0) return context.json(openCodeSession(session))
    return context.json(undoneSession(await engine.unrevert({ sessionID: session.id, ...(last ? { last } : {}) })))
  })
  app.get("/session/:sessionID/diff", async (context) => {
    const { messageID: message } = readQuery(context, diffQuery)
    const { files } = await engine.diff({ sessionID: sessionIDOf(context), ...(message ? { messageID: message } : {}) })
    return context.json(files)
  })
  app.post("/session/:sessionID/abort", async (context) => {
    const sessionID = sessionIDOf(context)
    await engine.abort(sessionID)
    await requireNoOtherRun(host, sessionID)
    return context.json(true)
  })
  app.post("/session/:sessionID/summarize", async (context) => {
    const { providerID, modelID, auto, focus } = await readBody(context, summarizeBody)
    const model = providerID !== undefined && modelID !== undefined ? { model: { providerID, modelID } } : {}
    const id = sessionIDOf(context)
    await compacted(engine, id, { ...model, ...(focus ? { focus } : {}) })
    if (auto) await engine.prompt({ sessionID: id, by: "program", parts: [continuation], ...model })
    await events.log.delivered()
    return context.json(true)
  })
}

/** `undone` has the outcome of each file, which OpenCode does not report. */
function undoneSession({ session, files, uncovered }: UndoReport) {
  return { ...openCodeSession(session), undone: { files, uncovered } }
}

/** Most recently changed first. */
async function listedEverywhere(host: ServerHost, query: z.infer<typeof everywhereQuery>): Promise<Session[]> {
  const { roots, archived, start = 0, cursor = Infinity, search, limit } = query
  const sessions: Session[] = []
  const found = host.engine.listSessions({
    ...(roots ? { parentID: null } : {}),
    ...(search === undefined ? {} : { title: search }),
    ...(archived ? {} : { archived: false }),
  })
  for await (const session of found) {
    const { updated } = session.time
    if (updated >= start && updated < cursor) sessions.push(session)
  }
  return sessions.toSorted((a, b) => b.time.updated - a.time.updated).slice(0, limit)
}

/** Most recently changed first. */
async function listed(host: ServerHost, query: z.infer<typeof listQuery>): Promise<Session[]> {
  const { engine, directory, project } = host
  const sessions: Session[] = []
  const found = engine.listSessions({
    ...(query.scope ? { projectID: project.id } : { directory }),
    ...(query.roots ? { parentID: null } : {}),
    ...(query.search === undefined ? {} : { title: query.search }),
  })
  for await (const session of found) if (session.time.updated >= (query.start ?? 0)) sessions.push(session)
  return sessions.toSorted((a, b) => b.time.updated - a.time.updated).slice(0, query.limit)
}
