import type { Hono } from "hono"
import { NotFoundError } from "@pawl/core/storage"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, sessionIDOf } from "../read-request.ts"

const shell = z.object({
  id: z.string(),
  command: z.string(),
  started: z.number(),
  end: z
    .object({
      exit: z.number().nullable(),
      signal: z.string().nullable(),
      stopped: z.enum(["kill", "timeout", "abort"]).optional(),
      time: z.number(),
    })
    .optional(),
  lastLine: z.string(),
})

export const backgroundShellOperations: Operations = {
  "GET /session/:sessionID/shell": {
    id: "session.shells",
    summary: "Lists background commands of a session, oldest first.",
    answer: z.array(shell),
  },
  "GET /session/:sessionID/shell/:shellID": {
    id: "session.shellOutput",
    summary: "Returns the end of a background command's output so far.",
    answer: z.object({ text: z.string(), omitted: z.number() }),
  },
  "DELETE /session/:sessionID/shell/:shellID": {
    id: "session.stopShell",
    summary: "Stops a background command with all that it started. False: it has ended already.",
    answer: answers.yes,
  },
}

/** Routes for the background commands of this server's sessions. */
export function addBackgroundShellRoutes(app: Hono, { host: { engine, shells } }: AppContext): void {
  app.get("/session/:sessionID/shell", async (context) => {
    const { id } = await engine.getSession(sessionIDOf(context))
    return context.json((await shells?.list(id)) ?? [])
  })
  app.get("/session/:sessionID/shell/:shellID", async (context) => {
    const { place, id } = await found(sessionIDOf(context), paramOf(context, "shellID"))
    return context.json(await place.output(sessionIDOf(context), id))
  })
  app.delete("/session/:sessionID/shell/:shellID", async (context) => {
    const { place, id } = await found(sessionIDOf(context), paramOf(context, "shellID"))
    return context.json(await place.stop(sessionIDOf(context), id))
  })

  async function found(sessionID: ReturnType<typeof sessionIDOf>, id: string) {
    const known = (await shells?.list(sessionID)) ?? []
    if (shells && known.some((each) => each.id === id)) return { place: shells, id }
    throw new NotFoundError(`Session ${sessionID} has no background command ${id} in this server.`)
  }
}
