import type { Hono } from "hono"
import type { AppContext } from "../app-context.ts"
import { eventStream } from "../event-stream.ts"

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
}

/** Streams all events until the client disconnects. */
export function addEventRoutes(app: Hono, { host, events }: AppContext): void {
  app.get("/event", () => new Response(eventStream(events), { headers: HEADERS }))
  app.get("/global/event", () => {
    const { directory } = host
    const body = eventStream(events, (payload) => ({
      ...(payload.type.startsWith("server.") ? {} : { directory }),
      payload,
    }))
    return new Response(body, { headers: HEADERS })
  })
}
