import { Hono } from "hono"
import { createDirectories, type ServedDirectory } from "./directories.ts"
import { errorResponse } from "./error-response.ts"
import { createEventLog } from "./event-log.ts"
import { requestedDirectory } from "./request-directory.ts"
import { globalStream } from "./routes/events.ts"

export interface ServerOptions {
  /** Absolute path of the directory for requests that name none. */
  readonly directory: string
  readonly version: string
  /** Opens an engine for a directory. Its real path is given. */
  readonly open: (directory: string) => Promise<ServedDirectory>
  /** A directory without requests and runs is closed after this time. Default: 30 minutes */
  readonly maxIdleMs?: number
}

/** OpenCode's HTTP interface for many directories, each with its own engine. Nothing listens. */
export interface Server {
  readonly fetch: (request: Request, env?: object) => Promise<Response>
  /** Ends event streams and runs, and closes all directories. */
  close(): Promise<void>
}

/**
 * Creates a server that opens the directory which a request names, in the query or in the header
 * `x-opencode-directory`.
 */
export function createServer({ directory, version, open, maxIdleMs }: ServerOptions): Server {
  const log = createEventLog()
  const directories = createDirectories({ open, log, ...(maxIdleMs === undefined ? {} : { maxIdleMs }) })
  const app = new Hono()
  app.onError((error) => errorResponse(error))
  app.get("/global/health", (context) => context.json({ healthy: true, version }))
  app.get("/global/event", (context) => globalStream(context, log, directories.watchFiles()))
  app.post("/global/dispose", async (context) => {
    await directories.closeAll()
    return context.json(true)
  })
  app.post("/instance/dispose", async (context) => {
    await directories.dispose(requestedDirectory(context.req) ?? directory)
    return context.json(true)
  })
  app.all("*", async (context) => {
    const path = requestedDirectory(context.req) ?? directory
    return directories.use(path, async ({ app: routes }) => routes.fetch(context.req.raw, context.env))
  })
  return {
    fetch: async (request, env) => app.fetch(request, env),
    async close() {
      log.close()
      await directories.close()
    },
  }
}
