import type { Hono } from "hono"
import type { AppScene } from "../app-scene.ts"
import { eventStream } from "../event-stream.ts"

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
}

/** All events, as they come, until the client leaves. */
export function addEventRoutes(app: Hono, { host, events }: AppScene): void {
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
