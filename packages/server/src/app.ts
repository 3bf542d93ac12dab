import { Hono } from "hono"
import type { AppContext, OtherDirectories } from "./app-context.ts"
import { errorResponse, notOffered } from "./error-response.ts"
import { documentHandler } from "./document-route.ts"
import type { ServerHost } from "./host.ts"
import { requireDirectory } from "./request-directory.ts"
import { addAPIRoutes } from "./routes/api.ts"
import { addAPICommandRoutes } from "./routes/api-commands.ts"
import { addAPIMessageRoutes } from "./routes/api-messages.ts"
import { addAPIQuestionRoutes } from "./routes/api-questions.ts"
import { addAPISessionRoutes } from "./routes/api-sessions.ts"
import { addCommandRoute } from "./routes/command.ts"
import { addCatalogRoutes } from "./routes/catalog.ts"
import { addConfigRoutes } from "./routes/config.ts"
import { addEventRoutes } from "./routes/events.ts"
import { addFileRoutes } from "./routes/files.ts"
import { addMcpRoutes } from "./routes/mcp.ts"
import { addMessageRoutes } from "./routes/messages.ts"
import { addMissingRoutes } from "./routes/missing.ts"
import { addProjectRoutes } from "./routes/project.ts"
import { addPromptRoutes } from "./routes/prompt.ts"
import { addPtyRoutes } from "./routes/pty.ts"
import { addQuestionRoutes } from "./routes/questions.ts"
import { addRunRoutes } from "./routes/runs.ts"
import { addSignInRoutes } from "./routes/sign-in.ts"
import { addSessionRoutes } from "./routes/sessions.ts"
import { addBackgroundShellRoutes } from "./routes/background-shells.ts"
import { addShellRoute } from "./routes/shell.ts"
import { addTerminalRoutes } from "./routes/terminal.ts"
import { addWorktreeRoutes } from "./routes/worktrees.ts"
import { createServerEvents, type ServerEvents } from "./events/server-events.ts"
import { createPendingSignIns, type PendingSignIns } from "./sign-in/pending-sign-ins.ts"
import type { Terminals } from "./terminals/terminals.ts"

export interface ServerAppOptions {
  /** Set if requests for other directories do not reach this app. Default: false */
  readonly isRouted?: boolean
  /** The caller closes them. Default: those of this app alone */
  readonly signIns?: PendingSignIns
  /** The caller closes them. Default: none */
  readonly terminals?: Terminals | undefined
  /** Default: none */
  readonly others?: OtherDirectories | undefined
}

/**
 * Creates the part of OpenCode's HTTP interface that plugins and scripts use. `app.fetch` handles requests; nothing
 * listens. Shapes are those of OpenCode 1.x. Other routes answer 404 with their name. Follows the engine's events as
 * long as the engine lives, or until `events` is closed.
 */
export function createServerApp(
  host: ServerHost,
  events: ServerEvents = createServerEvents(host.engine, host),
  { isRouted = false, signIns = createPendingSignIns(host), terminals, others }: ServerAppOptions = {},
): Hono {
  const app = new Hono()
  const parts: AppContext = { host, events, signIns, terminals, others }
  app.onError((error, { req }) => errorResponse(error, req.path))
  app.notFound(({ req }) => notOffered(req.method, req.path))
  if (!isRouted) app.use(requireDirectory(host))
  addSessionRoutes(app, parts)
  addMessageRoutes(app, parts)
  addPromptRoutes(app, parts)
  addCommandRoute(app, parts)
  addShellRoute(app, parts)
  addBackgroundShellRoutes(app, parts)
  addRunRoutes(app, parts)
  addQuestionRoutes(app, parts)
  addCatalogRoutes(app, parts)
  addSignInRoutes(app, parts)
  addConfigRoutes(app, parts)
  addMcpRoutes(app, parts)
  addProjectRoutes(app, parts)
  addFileRoutes(app, parts)
  addTerminalRoutes(app, parts)
  addPtyRoutes(app, parts)
  addWorktreeRoutes(app, parts)
  addEventRoutes(app, parts)
  addAPIRoutes(app, parts)
  addAPICommandRoutes(app, parts)
  addAPIMessageRoutes(app, parts)
  addAPIQuestionRoutes(app, parts)
  app.get("/doc", documentHandler(host.version))
  addMissingRoutes(app)
  // The route of one session also matches /api/session/active.
  addAPISessionRoutes(app, parts)
  return app
}
