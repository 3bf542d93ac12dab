import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import type { AppScene } from "./app-scene.ts"
import { errorResponse, notOffered, tooLarge } from "./error-response.ts"
import type { ServerHost } from "./host.ts"
import { requireDirectory } from "./request-directory.ts"
import { addCommandRoute } from "./routes/command.ts"
import { addCatalogRoutes } from "./routes/catalog.ts"
import { addEventRoutes } from "./routes/events.ts"
import { addFileRoutes } from "./routes/files.ts"
import { addMessageRoutes } from "./routes/messages.ts"
import { addProjectRoutes } from "./routes/project.ts"
import { addPromptRoutes } from "./routes/prompt.ts"
import { addQuestionRoutes } from "./routes/questions.ts"
import { addSessionRoutes } from "./routes/sessions.ts"
import { addTerminalRoutes } from "./routes/terminal.ts"
import { createServerEvents, type ServerEvents } from "./server-events.ts"

/** Bytes of a request: room for images in their base64, and no more than a process can spare. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * The part of OpenCode's HTTP interface that plugins and scripts use, over an engine: `app.fetch` takes requests, and
 * nothing listens. Shapes are those of OpenCode 1.x; what is not offered is a 404 that names it. Follows the engine's
 * events as long as the engine lives, or until `events` is closed.
 */
export function createServerApp(host: ServerHost, events: ServerEvents = createServerEvents(host.engine, host)): Hono {
  const app = new Hono()
  const scene: AppScene = { host, events }
  app.onError((error) => errorResponse(error))
  app.notFound(({ req }) => notOffered(req.method, req.path))
  app.use(bodyLimit({ maxSize: MOST_BYTES, onError: () => tooLarge(MOST_BYTES) }))
  app.use(requireDirectory(host))
  addSessionRoutes(app, scene)
  addMessageRoutes(app, scene)
  addPromptRoutes(app, scene)
  addCommandRoute(app, scene)
  addQuestionRoutes(app, scene)
  addCatalogRoutes(app, scene)
  addProjectRoutes(app, scene)
  addFileRoutes(app, scene)
  addTerminalRoutes(app, scene)
  addEventRoutes(app, scene)
  return app
}
