import { realpath } from "node:fs/promises"
import type { Session } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import type { ServerHost } from "../host.ts"
import { sessionOf } from "../newer-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { readQuery } from "../read-request.ts"
import {
  readSessionCursor,
  type SessionCursor,
  type SessionFilter,
  sessionFilter,
  writeCursor,
} from "../session-cursor.ts"
import { newerSession, subpathOf } from "../shapes/newer-session.ts"

/** OpenCode's web app reads the list of all sessions in pages of this size, and stops at a shorter page. */
const MAX_PAGE = 5000

const listQuery = sessionFilter.extend({
  limit: z.coerce.number().int().positive().max(MAX_PAGE).default(50),
  /** Replaces all parameters but the limit. */
  cursor: z.string().optional(),
})

export const apiSessionOperations: Operations = {
  "GET /api/session": {
    id: "v2.session.list",
    summary: "Lists the sessions of all directories, newest first, page by page.",
    query: listQuery,
    answer: z.object({
      data: z.array(answers.newerSession),
      cursor: z.object({ previous: z.string().optional(), next: z.string().optional() }),
    }),
    isGlobal: true,
  },
  "GET /api/session/:sessionID": {
    id: "v2.session.get",
    summary: "Returns a session.",
    answer: z.object({ data: answers.newerSession }),
  },
}

/** Sessions in the form of OpenCode's newer interface, from which its web app lists them. */
export function addAPISessionRoutes(app: Hono, { host }: AppContext): void {
  const { engine } = host
  app.get("/api/session", async (context) => {
    const { cursor, limit, ...given } = readQuery(context, listQuery)
    const { anchor, ...filter } = cursor === undefined ? { ...given, anchor: undefined } : readSessionCursor(cursor)
    const page = pageOf(await filtered(host, filter), filter.order ?? "desc", limit, anchor)
    const spent = await engine.spent(page.map(({ id }) => id))
    const [first, last] = [page[0], page.at(-1)]
    return context.json({
      data: page.map((session) => newerSession(host, session, spent.get(session.id))),
      cursor: {
        ...(first ? { previous: writeCursor(filter, "previous", first) } : {}),
        ...(last ? { next: writeCursor(filter, "next", last) } : {}),
      },
    })
  })
  app.get("/api/session/:sessionID", async (context) => {
    const session = await sessionOf(context, engine)
    return context.json({ data: newerSession(host, session, (await engine.spent([session.id])).get(session.id)) })
  })
}

async function filtered(host: ServerHost, filter: SessionFilter): Promise<Session[]> {
  const { directory, project, subpath, workspace, search } = filter
  // No session belongs to a workspace.
  if (workspace !== undefined) return []
  const found = host.engine.listSessions({
    // A session has the real path of its directory.
    ...(directory === undefined ? {} : { directory: await realpath(directory).catch(() => directory) }),
    ...(project === undefined ? {} : { projectID: project }),
    ...(search === undefined ? {} : { title: search }),
  })
  const sessions: Session[] = []
  for await (const session of found) {
    if (subpath === undefined || subpath === (subpathOf(host, session) ?? "")) sessions.push(session)
  }
  return sessions
}

type Place = Pick<SessionCursor["anchor"], "id" | "time">

/** Returns the sessions after or before the anchor. Without an anchor, returns the first ones. */
function pageOf(
  sessions: readonly Session[],
  order: "asc" | "desc",
  limit: number,
  anchor: SessionCursor["anchor"] | undefined,
): Session[] {
  const compare = (a: Place, b: Place) => {
    const [older, newer] = order === "asc" ? [a, b] : [b, a]
    return older.time - newer.time || (older.id < newer.id ? -1 : older.id > newer.id ? 1 : 0)
  }
  const place = ({ id, time }: Session): Place => ({ id, time: time.created })
  const sorted = sessions.toSorted((a, b) => compare(place(a), place(b)))
  if (!anchor) return sorted.slice(0, limit)
  if (anchor.direction === "next") return sorted.filter((each) => compare(place(each), anchor) > 0).slice(0, limit)
  return sorted.filter((each) => compare(place(each), anchor) < 0).slice(-limit)
}
