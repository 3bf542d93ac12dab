import { realpath } from "node:fs/promises"
import type { SessionID } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { sessionOf } from "../newer-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { otherRun, requireNoOtherRun } from "../other-run.ts"
import { admitted } from "../prompt/admitted.ts"
import { compacted } from "../prompt/compacted.ts"
import { newerPromptBody, newerPromptRequest } from "../prompt/newer-prompt-request.ts"
import { readBody } from "../read-request.ts"
import { RequestError, TaggedError } from "../request-error.ts"
import { newerPrompt } from "../shapes/newer-prompt.ts"
import { newerSession } from "../shapes/newer-session.ts"

/** The engine chooses ids, and a session gets its agent and model with its first prompt. */
const notKept = z.undefined({ error: "pawl's server cannot keep it for a new session: leave it out." })

const createBody = z.object({
  id: notKept.optional(),
  agent: notKept.optional(),
  model: notKept.optional(),
  location: z.object({ directory: z.string(), workspaceID: notKept.optional() }).optional(),
})

export const apiCommandOperations: Operations = {
  "POST /api/session": {
    id: "v2.session.create",
    summary: "Creates a session.",
    body: z.object({ location: z.object({ directory: z.string() }).optional() }),
    answer: z.object({ data: answers.newerSession }),
  },
  "GET /api/session/active": {
    id: "v2.session.active",
    summary: "Returns the sessions that this server works on, by id.",
    answer: z.object({ data: z.record(z.string(), z.object({ type: z.literal("running") })) }),
    isGlobal: true,
  },
  "POST /api/session/:sessionID/interrupt": { id: "v2.session.interrupt", summary: "Ends the session's run." },
  "POST /api/session/:sessionID/wait": { id: "v2.session.wait", summary: "Answers when the session is idle." },
  "POST /api/session/:sessionID/compact": { id: "v2.session.compact", summary: "Compacts the session." },
  "POST /api/session/:sessionID/prompt": {
    id: "v2.session.prompt",
    summary: "Sends a prompt, and answers when it is stored.",
    body: newerPromptBody,
    answer: z.object({ data: answers.admittedPrompt }),
  },
}

/** Commands of sessions in OpenCode's newer interface. */
export function addAPICommandRoutes(app: Hono, { host, events }: AppContext): void {
  const { engine } = host

  app.post("/api/session", async (context) => {
    const { location } = await readBody(context, createBody)
    await requireOwn(host.directory, location?.directory)
    const session = await engine.createSession({ directory: host.directory })
    return context.json({ data: newerSession(host, session, undefined) })
  })
  app.get("/api/session/active", (context) => context.json(activeSessions(events.statuses.keys())))
  app.post("/api/session/:sessionID/interrupt", async (context) => {
    const { id } = await sessionOf(context, engine)
    await engine.abort(id)
    await requireNoOtherRun(host, id)
    return context.body(null, 204)
  })
  app.post("/api/session/:sessionID/wait", async (context) => {
    const { id } = await sessionOf(context, engine)
    const { signal } = context.req.raw
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const onAbort = () => leave()
    signal.addEventListener("abort", onAbort, { once: true })
    if (signal.aborted) leave()
    try {
      await Promise.race([engine.untilIdle(id), left])
    } finally {
      signal.removeEventListener("abort", onAbort)
    }
    if (!signal.aborted && (await otherRun(host, id))) {
      const message = `Another process works on session ${id}: its end cannot be waited for here.`
      throw new TaggedError(503, "ServiceUnavailableError", { message })
    }
    await events.log.delivered()
    return context.body(null, 204)
  })
  app.post("/api/session/:sessionID/compact", async (context) => {
    const { id } = await sessionOf(context, engine)
    await compacted(engine, id)
    await events.log.delivered()
    return context.body(null, 204)
  })
  app.post("/api/session/:sessionID/prompt", async (context) => {
    const { id: sessionID } = await sessionOf(context, engine)
    const body = await readBody(context, newerPromptBody)
    const request = await newerPromptRequest(sessionID, body, host)
    const stored = await admitted(engine, request)
    const { id, time, delivery: { mode = body.delivery } = {} } = stored.info
    return context.json({
      data: {
        // Prompts are numbered by their time, which a repeated request finds again.
        ...{ admittedSeq: time.created, id, sessionID, prompt: newerPrompt(stored) },
        ...{ delivery: mode === "queue" ? mode : "steer", timeCreated: time.created },
      },
    })
  })
}

/** Returns the answer about sessions that are at work. */
export function activeSessions(ids: Iterable<SessionID>) {
  return { data: Object.fromEntries(Array.from(ids, (id) => [id, { type: "running" as const }])) }
}

/** Throws RequestError for a directory that this app does not serve. */
async function requireOwn(directory: string, wanted: string | undefined): Promise<void> {
  if (wanted === undefined || (await realpath(wanted).catch(() => wanted)) === directory) return
  throw new RequestError("Body", `This server works in ${directory}, not in ${wanted}.`)
}
