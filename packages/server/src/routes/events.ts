import type { HttpBindings } from "@hono/node-server"
import type { Context, Hono } from "hono"
import type { AppContext } from "../app-context.ts"
import type { EventLog } from "../events/event-log.ts"
import type { Replay } from "../events/replay.ts"
import { eventStream, type EventStreamOptions } from "../events/event-stream.ts"

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
}

/** Streams all events of the directory until the client disconnects. */
export function addEventRoutes(app: Hono, { events }: AppContext): void {
  app.get("/event", (context) => {
    const { directory, replay } = events
    return streamed(context, events.log, { directory, replay, onEnd: events.watchFiles() })
  })
  app.get("/global/event", (context) => globalStream(context, { ...events, onEnd: events.watchFiles() }))
}

/** Responds with the events of all directories of a log. */
export function globalStream(
  context: Context,
  { log, replay, onEnd }: { readonly log: EventLog; readonly replay?: Replay | undefined; readonly onEnd: () => void },
): Response {
  return streamed(context, log, {
    isGlobal: true,
    replay,
    onEnd,
  })
}

function streamed(context: Context, log: EventLog, options: EventStreamOptions): Response {
  const after = context.req.header("last-event-id") ?? context.req.query("after")
  // A response within this process has no connection.
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
  const onOverflow = () => void outgoing?.destroy()
  const sessionID = context.req.query("sessionID")
  return new Response(eventStream(log, { ...options, sessionID, after: after || undefined, onOverflow }), {
    headers: HEADERS,
  })
}
