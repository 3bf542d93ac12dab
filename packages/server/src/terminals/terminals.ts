import { realpath, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { createIDSource, NotFoundError } from "@pawl/core"
import type { ServerEvents } from "../events/server-events.ts"
import type { ServerHost, TerminalHost } from "../host.ts"
import { ForbiddenError, RequestError } from "../request-error.ts"
import { type TerminalLimits, terminalLimits } from "./limits.ts"
import { loadTerminalLibrary } from "./node-pty.ts"
import { findProgram, listShells, type Shell } from "./shells.ts"
import { openTerminal, type Pty, type Terminal, type TerminalSize } from "./terminal.ts"
import { requireAllowedTerminal } from "./terminal-rules.ts"
import { createTickets, type Ticket, type Tickets } from "./tickets.ts"

/** The terminals of all directories of a server. */
export interface TerminalSpace {
  readonly limits: TerminalLimits
  readonly tickets: Tickets
  /** Running terminals by id. */
  readonly all: Map<string, Terminal>
  /** Terminals that are being opened. */
  opening: number
}

export interface TerminalRequest {
  /** Default: the user's shell */
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly title?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The terminals of a directory. */
export interface Terminals {
  /** Number of running terminals. */
  readonly size: number
  list(): readonly Pty[]
  /** Throws NotFoundError. */
  get(id: string): Pty
  /** Rejects with ForbiddenError, RequestError and NotFoundError. */
  open(request: TerminalRequest): Promise<Pty>
  /** Throws NotFoundError. */
  update(id: string, change: { readonly title?: string | undefined; readonly size?: TerminalSize | undefined }): Pty
  remove(id: string): Promise<void>
  shells(): Promise<readonly Shell[]>
  /** Returns a token with which one client can connect once. Throws NotFoundError. */
  ticket(id: string): Ticket
  /** Ends all terminals. */
  close(): Promise<void>
}

/** Shells that read commands from their terminal. Others are found by the rules of bash. */
const SHELL = /(?:^|[\\/])(?:ba|z|da|k|fi|c|tc|a)?sh$/

/** Returns the name by which the rules know a program: that of the shell for a link to one, which would hide it. */
async function judgedName(command: string, program: string | undefined): Promise<string> {
  if (program === undefined || SHELL.test(command)) return command
  const target = basename(await realpath(program).catch(() => program))
  return SHELL.test(target) ? target : command
}

export function createTerminalSpace(limits: Partial<TerminalLimits> = {}): TerminalSpace {
  const all = { ...terminalLimits, ...limits }
  return { limits: all, tickets: createTickets(all.ticketMs), all: new Map(), opening: 0 }
}

export function createTerminals(
  host: ServerHost & { readonly terminals: TerminalHost },
  events: Pick<ServerEvents, "publish">,
  space: TerminalSpace,
): Terminals {
  const { limits, tickets } = space
  const ids = createIDSource(Date.now)
  const own = new Map<string, Terminal>()
  let isClosed = false

  function require(id: string): Terminal {
    const terminal = own.get(id)
    if (!terminal) throw new NotFoundError(`There is no terminal "${id}".`)
    return terminal
  }

  function forget(id: string): void {
    own.delete(id)
    space.all.delete(id)
  }

  async function open(request: TerminalRequest): Promise<Pty> {
    const { args = [], env = {}, title } = request
    const { refusal, guardian } = host.terminals
    if (refusal !== undefined) throw new ForbiddenError(refusal)
    const environment = { ...(await host.terminals.environment()), TERM: "xterm-256color", ...env }
    const command = request.command ?? (await defaultShell(environment))
    const cwd = resolve(host.directory, request.cwd ?? ".")
    const program = findProgram(command, environment, cwd)
    const name = await judgedName(command, program)
    const isShell = args.length === 0 && (request.command === undefined || SHELL.test(name))
    await requireAllowedTerminal(host, {
      words: [name, ...args],
      variables: env,
      workdir: request.cwd === undefined ? undefined : cwd,
      isShell,
    })
    if (!(await stat(cwd).catch(() => undefined))?.isDirectory()) {
      throw new RequestError("Body", `There is no directory ${cwd}.`)
    }
    if (program === undefined) throw new RequestError("Body", `There is no program "${command}".`)
    const library = await loadTerminalLibrary(host.terminals)
    if (isClosed) throw new RequestError("Query", "This directory is being closed.")
    const id = ids.other("pty")
    const terminal = openTerminal({
      ...{ id, title: title ?? `Terminal ${id.slice(-4)}`, command, args, cwd, program, env: environment },
      ...{ library, guardian, limits },
      onExit(exitCode) {
        if (!own.has(id)) return
        forget(id)
        events.publish("pty.exited", { id, exitCode })
      },
    })
    own.set(id, terminal)
    space.all.set(id, terminal)
    const info = terminal.info()
    events.publish("pty.created", { info })
    return info
  }

  async function defaultShell(environment: Readonly<Record<string, string>>): Promise<string> {
    const [first] = await listShells({ ...environment, SHELL: host.terminals.shell ?? environment["SHELL"] ?? "" })
    if (!first) throw new NotFoundError('pawl\'s server has no shell for a terminal here: name a program in "command".')
    return first.path
  }

  return {
    get size() {
      return own.size
    },
    list: () => [...own.values()].map((terminal) => terminal.info()),
    get: (id) => require(id).info(),
    async open(request) {
      if (space.all.size + space.opening >= limits.terminals) {
        throw new RequestError("Body", `This server already has ${limits.terminals} terminals. Remove one first.`)
      }
      space.opening++
      try {
        return await open(request)
      } finally {
        space.opening--
      }
    },
    update(id, { title, size }) {
      const terminal = require(id)
      if (title !== undefined) terminal.rename(title)
      if (size) terminal.resize(size)
      const info = terminal.info()
      events.publish("pty.updated", { info })
      return info
    },
    async remove(id) {
      const terminal = require(id)
      forget(id)
      events.publish("pty.deleted", { id })
      await terminal.close()
    },
    shells: async () => listShells(await host.terminals.environment()),
    ticket(id) {
      require(id)
      return tickets.issue(id)
    },
    async close() {
      isClosed = true
      const closing = [...own]
      for (const [id] of closing) {
        forget(id)
        events.publish("pty.deleted", { id })
      }
      await Promise.all(closing.map(([, terminal]) => terminal.close()))
    },
  }
}
