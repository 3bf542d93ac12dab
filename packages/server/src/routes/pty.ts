import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, readBody } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { MAX_SIZE } from "../terminals/limits.ts"

const MAX_TEXT = 128 * 1024
const MAX_PATH = 4096

const text = z
  .string()
  .max(MAX_TEXT)
  .regex(/^[^\0]*$/, "a text without NUL")
const name = z.string().regex(/^[A-Za-z_]\w*$/, "the name of a variable")
const title = z.string().min(1).max(200)
const size = z.int().min(1).max(MAX_SIZE)
const createBody = z.object({
  command: text.min(1).max(MAX_PATH).optional(),
  args: z.array(text).max(256).optional(),
  cwd: text.min(1).max(MAX_PATH).optional(),
  title: title.optional(),
  env: z
    .record(name, text)
    .refine((variables) => Object.keys(variables).length <= 256, "at most 256 variables")
    .refine((variables) => !("PAWL_CALL" in variables), "PAWL_CALL is set by pawl")
    .optional(),
})
const updateBody = z.object({ title: title.optional(), size: z.object({ rows: size, cols: size }).optional() })
const connectQuery = z.object({ cursor: z.string().optional(), ticket: z.string().optional() })

const shell = z.object({ path: z.string(), name: z.string(), acceptable: z.boolean() })
const located = <T extends z.ZodType>(data: T) => z.object({ location: answers.location, data })

const CONNECT = "Connects to a terminal with a WebSocket: output from the cursor on, and input."

export const ptyOperations: Operations = {
  "GET /pty": { id: "pty.list", summary: "Lists running terminals.", answer: z.array(answers.pty) },
  "POST /pty": {
    id: "pty.create",
    summary: "Opens a terminal under the permission of bash. Without a command, it runs the user's shell.",
    body: createBody,
    answer: answers.pty,
  },
  "GET /pty/shells": { id: "pty.shells", summary: "Lists the shells of the system.", answer: z.array(shell) },
  "GET /pty/:ptyID": { id: "pty.get", summary: "Returns a running terminal.", answer: answers.pty },
  "PUT /pty/:ptyID": {
    id: "pty.update",
    summary: "Changes the title and the size of a terminal.",
    body: updateBody,
    answer: answers.pty,
  },
  "DELETE /pty/:ptyID": { id: "pty.remove", summary: "Ends a terminal with its programs.", answer: answers.yes },
  "GET /pty/:ptyID/connect": { id: "pty.connect", summary: CONNECT, query: connectQuery, answer: answers.yes },
  "POST /pty/:ptyID/connect-token": {
    id: "pty.connectToken",
    summary: "Returns a ticket with which one client can connect once, within a minute.",
    answer: answers.connectToken,
  },
  "GET /api/pty": { id: "v2.pty.list", summary: "Lists running terminals.", answer: located(z.array(answers.pty)) },
  "POST /api/pty": {
    id: "v2.pty.create",
    summary: "Opens a terminal under the permission of bash. Without a command, it runs the user's shell.",
    body: createBody,
    answer: located(answers.pty),
  },
  "GET /api/pty/:ptyID": { id: "v2.pty.get", summary: "Returns a running terminal.", answer: located(answers.pty) },
  "PUT /api/pty/:ptyID": {
    id: "v2.pty.update",
    summary: "Changes the title and the size of a terminal.",
    body: updateBody,
    answer: located(answers.pty),
  },
  "DELETE /api/pty/:ptyID": { id: "v2.pty.remove", summary: "Ends a terminal with its programs." },
  "GET /api/pty/:ptyID/connect": { id: "v2.pty.connect", summary: CONNECT, query: connectQuery, answer: answers.yes },
  "POST /api/pty/:ptyID/connect-token": {
    id: "v2.pty.connectToken",
    summary: "Returns a ticket with which one client can connect once, within a minute.",
    answer: located(answers.connectToken),
  },
}

/** Routes for terminals. `listen` answers the requests for WebSockets. */
export function addPtyRoutes(app: Hono, { host, terminals: offered }: AppContext): void {
  const { directory, worktree, project } = host
  const location = { directory, project: { id: project.id, directory: worktree } }

  function terminals() {
    if (offered) return offered
    throw new NotFoundError(
      "pawl's server has no terminals here, so this is not offered: use a server of `pawl serve`.",
    )
  }

  /** Both interfaces answer with the same values, the newer one with their location. */
  function addRoutes(prefix: "" | "/api"): void {
    const answer = (data: unknown) => (prefix === "" ? data : { location, data })
    app.get(`${prefix}/pty`, (context) => context.json(answer(terminals().list())))
    app.post(`${prefix}/pty`, async (context) => {
      return context.json(answer(await terminals().open(await readBody(context, createBody))))
    })
    if (prefix === "") app.get("/pty/shells", async (context) => context.json(await terminals().shells()))
    app.get(`${prefix}/pty/:ptyID`, (context) => context.json(answer(terminals().get(paramOf(context, "ptyID")))))
    app.put(`${prefix}/pty/:ptyID`, async (context) => {
      const change = await readBody(context, updateBody)
      return context.json(answer(terminals().update(paramOf(context, "ptyID"), change)))
    })
    app.delete(`${prefix}/pty/:ptyID`, async (context) => {
      await terminals().remove(paramOf(context, "ptyID"))
      return prefix === "" ? context.json(true) : context.body(null, 204)
    })
    app.get(`${prefix}/pty/:ptyID/connect`, (context) => {
      terminals().get(paramOf(context, "ptyID"))
      throw new RequestError("Headers", "A terminal is a WebSocket: send the request with Upgrade: websocket.")
    })
    app.post(`${prefix}/pty/:ptyID/connect-token`, (context) => {
      return context.json(answer(terminals().ticket(paramOf(context, "ptyID"))))
    })
  }
  addRoutes("")
  addRoutes("/api")
}
