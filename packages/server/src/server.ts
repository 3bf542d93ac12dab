import { isSessionID } from "@pawl/core/record"
import { Hono } from "hono"
import { z } from "zod"
import { createDirectories, type OpenDirectory, type ServedDirectory } from "./directories.ts"
import { documentHandler } from "./document-route.ts"
import { errorResponse } from "./error-response.ts"
import { createCommitFollower } from "./events/commit-follower.ts"
import { createEventLog } from "./events/event-log.ts"
import { openPositions } from "./events/positions.ts"
import { createReplay } from "./events/replay.ts"
import { readBody } from "./read-request.ts"
import { RequestError } from "./request-error.ts"
import { requestedDirectory } from "./request-directory.ts"
import { activeSessions } from "./routes/api-commands.ts"
import { globalStream } from "./routes/events.ts"
import { type Attach, attachment } from "./terminals/attachment.ts"
import type { TerminalLimits } from "./terminals/limits.ts"
import { createTerminalSpace } from "./terminals/terminals.ts"

export interface ServerOptions {
  /** Absolute path of the directory for requests that name none. */
  readonly directory: string
  readonly version: string
  /** Opens an engine for a directory. Its real path is given. */
  readonly open: (directory: string) => Promise<ServedDirectory>
  /** Directory for the positions that clients come back with after a restart. If missing, they must read all again. */
  readonly positionsDirectory?: string
  /** A directory without requests, runs and terminals is closed after this time. Default: 30 minutes */
  readonly maxIdleMs?: number
  /** Default: those of `terminalLimits` */
  readonly terminalLimits?: Partial<TerminalLimits>
}

/** OpenCode's HTTP interface for many directories, each with its own engine. Nothing listens. */
export interface Server {
  readonly fetch: (request: Request, env?: object) => Promise<Response>
  /**
   * Answers a request for a WebSocket: with a response that refuses it, or a function for the open socket.
   * `isAuthorized`: the request has the server's token. Without it, a request needs a connect token.
   */
  readonly upgrade: (request: Request, access: { readonly isAuthorized: boolean }) => Promise<Response | Attach>
  /** Opens the directory for requests that name none, unless it is open. Rejects with the reason if it cannot be opened. */
  open(): Promise<void>
  /** Ends event streams and runs, and closes all directories. */
  close(): Promise<void>
}

/** The newer interface names the directory of a new session in the body. */
const locatedBody = z.looseObject({ location: z.looseObject({ directory: z.string().optional() }).optional() })

/**
 * Creates a server that opens the directory which a request names, in the query or in the header
 * `x-opencode-directory`.
 */
export function createServer(options: ServerOptions): Server {
  const { directory, version, open, maxIdleMs, positionsDirectory } = options
  const terminals = createTerminalSpace(options.terminalLimits)
  const log = createEventLog()
  const positions = positionsDirectory === undefined ? undefined : openPositions(positionsDirectory, log.epoch)
  const commits = createCommitFollower({ log, positions })
  /** Other processes work on sessions while no request names their directory, so one storage is always followed. */
  const openFirst = () => directories.use(directory, async () => undefined)
  const replay =
    positions &&
    createReplay({
      positions,
      reach: (sessionID) => commits.reach(sessionID),
      isWorking: (sessionID) => directories.workingOn(sessionID) !== undefined,
      async storages() {
        await openFirst()
        if (commits.storages.size > 0) await commits.begun
        return commits.storages
      },
    })
  const events = { log, commits, ...(replay ? { replay } : {}) }
  const directories = createDirectories({
    open,
    events,
    commits,
    terminals,
    first: directory,
    ...(maxIdleMs === undefined ? {} : { maxIdleMs }),
  })
  const app = new Hono()
  app.onError((error, { req }) => errorResponse(error, req.path))
  app.get("/global/health", (context) => context.json({ healthy: true, version }))
  app.get("/doc", documentHandler(version))
  app.get("/global/event", (context) => {
    void openFirst().catch(() => undefined)
    return globalStream(context, { log, replay, onEnd: directories.watchFiles() })
  })
  app.post("/global/dispose", async (context) => {
    await directories.closeAll()
    return context.json(true)
  })
  app.post("/instance/dispose", async (context) => {
    await directories.dispose(requestedDirectory(context.req) ?? directory)
    return context.json(true)
  })
  app.get("/api/session", async (context) => {
    const answer = async ({ app: routes }: OpenDirectory) => routes.fetch(context.req.raw, context.env)
    try {
      return await directories.use(requestedDirectory(context.req) ?? directory, answer)
    } catch (error) {
      // Sessions of a directory that is gone can be listed, too.
      if (error instanceof RequestError) return directories.use(directory, answer)
      throw error
    }
  })
  app.get("/api/session/active", (context) => context.json(activeSessions(directories.working())))
  app.post("/api/session", async (context) => {
    const body = await readBody(context, locatedBody)
    const path = body.location?.directory ?? requestedDirectory(context.req) ?? directory
    const { url, raw } = context.req
    const request = new Request(url, { method: "POST", headers: raw.headers, body: JSON.stringify(body) })
    try {
      return await directories.use(path, async ({ app: routes }) => routes.fetch(request, context.env))
    } catch (error) {
      if (!(error instanceof RequestError) || body.location?.directory === undefined) throw error
      throw new RequestError("Body", error.message)
    }
  })
  app.all("*", async (context) => {
    const path = requestedDirectory(context.req) ?? directory
    const answer = async ({ app: routes }: OpenDirectory) => routes.fetch(context.req.raw, context.env)
    return directories.use(path, async (opened) => {
      const own = await sessionDirectory(context.req.path, opened)
      if (own === undefined || own === opened.host.directory) return answer(opened)
      try {
        return await directories.use(own, answer)
      } catch (error) {
        // What a session did can be read when its directory is gone.
        if (context.req.method === "GET" && error instanceof RequestError) return answer(opened)
        throw error
      }
    })
  })

  /**
   * Returns the directory whose rules apply to a request about a session: that of the engine which works on it, else the
   * session's own, whatever the request names.
   */
  async function sessionDirectory(path: string, { host }: OpenDirectory): Promise<string | undefined> {
    const [, id = ""] = /^(?:\/api)?\/session\/([^/]+)/.exec(path) ?? []
    if (!isSessionID(id)) return undefined
    return directories.workingOn(id) ?? (await host.engine.getSession(id).catch(() => undefined))?.directory
  }

  return {
    fetch: async (request, env) => app.fetch(request, env),
    upgrade: async (request, access) => attachment(request, access, terminals),
    open: openFirst,
    async close() {
      log.close()
      await directories.close()
      commits.close()
      positions?.close()
    },
  }
}
