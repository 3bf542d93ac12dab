import { setTimeout as delay } from "node:timers/promises"
import { waitFor } from "../wait-for.ts"
import { contentHash } from "../config/content-hash.ts"
import { McpServerError, wordsOf } from "../errors.ts"
import type { Listing } from "../listing/listing.ts"
import { reconnectDelay } from "./backoff.ts"
import type { Connection } from "./connection.ts"
import type { ListName, OpenedConnection } from "./open-connection.ts"

/** Milliseconds that a connection has to live for the failures before it to be forgotten. */
const STABLE = 10_000
/** Milliseconds between two readings of what a server offers: some say without end that it is another. */
const PAUSE = 250

export interface ServerDeps {
  readonly name: string
  /** Opens a connection and lists what it offers. */
  open(events: ServerEvents, signal: AbortSignal): Promise<OpenedConnection>
  /** What was listed is other than before. */
  onListing(listing: Listing): void
  /** The list of resources, which is not kept here, may be another. */
  onResources(): void
  onNote(text: string): void
  readonly random: () => number
}

export interface ServerEvents {
  onListChanged(list: ListName): void
  onClosed(reason: string): void
}

export type Phase = "idle" | "connecting" | "connected"

/**
 * The life of one server:
 *
 *   idle ──need──▶ connecting ──▶ connected
 *    ▲                 │              │ lost
 *    └────failed───────┘◀──backoff────┘
 *
 * `disconnect` leads to idle from anywhere. A failed attempt is repeated when the server is needed, one after a lost
 * connection by itself.
 */
export interface Server {
  readonly phase: Phase
  /** Why the last attempt failed; absent while there is a connection. */
  readonly failure: McpServerError | undefined
  readonly opened: OpenedConnection | undefined
  readonly listing: Listing | undefined
  /** As it is known from before. Does nothing once the server itself was asked. */
  remember(listing: Listing): void
  /** Connects if need be; shared by all who ask meanwhile. The signal ends the waiting alone. */
  connect(signal?: AbortSignal): Promise<Connection>
  /**
   * Whether to connect, or wait for it, without being asked: not soon after an attempt that failed, nor for one that has
   * taken longer than this, in milliseconds.
   */
  isDue(patience: number): boolean
  /** Ends the connection, and its process within 2 s. It connects again when it is needed. */
  disconnect(): Promise<void>
}

export function createServer(deps: ServerDeps): Server {
  const { name, random } = deps
  let opened: OpenedConnection | undefined
  let attempt:
    | {
        readonly promise: Promise<Connection>
        readonly controller: AbortController
        readonly began: number
      }
    | undefined
  let failure: McpServerError | undefined
  let listing: Listing | undefined
  let failures = 0
  let dueAt = 0
  let openedAt = 0
  let timer: NodeJS.Timeout | undefined
  let closing: Promise<unknown> = Promise.resolve()
  let isStale = false
  let isReading = false

  function begin(): Promise<Connection> {
    clearTimeout(timer)
    const controller = new AbortController()
    const promise = run(controller).finally(() => {
      if (attempt?.controller === controller) attempt = undefined
    })
    attempt = { promise, controller, began: performance.now() }
    return promise
  }

  async function run({ signal }: AbortController): Promise<Connection> {
    let own: OpenedConnection | undefined
    // A connection that ends while it is being set up is a failed attempt.
    let isSetUp = false
    let lost: string | undefined
    const events: ServerEvents = {
      onListChanged(list) {
        if (isSetUp && opened === own) refresh(list)
        else isStale = true
      },
      onClosed(reason) {
        lost = reason
        if (isSetUp && opened === own) onLost(reason)
      },
    }
    try {
      // Of one server there is one process: the last one is to be gone.
      await closing
      own = await deps.open(events, signal)
      const read = await readListing(own.connection, signal)
      signal.throwIfAborted()
      if (lost !== undefined) throw new McpServerError("connect-failed", name, `The MCP server "${name}" ${lost}.`)
      isSetUp = true
      opened = own
      openedAt = performance.now()
      failure = undefined
      take(read)
      if (isStale) refresh("tools")
      return own.connection
    } catch (error) {
      const ended = own?.connection.close().catch(() => undefined)
      if (signal.aborted) {
        // Whoever aborted it waits for that.
        await ended
        throw signal.reason
      }
      closing = ended ?? closing
      failure = toFailure(name, error)
      putOff()
      deps.onNote(failure.message)
      throw failure
    }
  }

  async function readListing(connection: Connection, signal?: AbortSignal): Promise<Listing> {
    const [tools, prompts] = await Promise.all([
      connection.listTools(signal),
      // Prompts that cannot be listed are no reason to do without tools.
      connection.listPrompts(signal).catch((error: unknown) => {
        signal?.throwIfAborted()
        deps.onNote(wordsOf(error))
        return []
      }),
    ])
    const { instructions, hasResources } = connection
    return { tools: [...tools], prompts: [...prompts], instructions, hasResources }
  }

  function take(read: Listing): void {
    const isChanged = !listing || contentHash(listing) !== contentHash(read)
    listing = read
    if (isChanged) deps.onListing(read)
  }

  /** Several changes on end are read once, and what changes meanwhile once more. */
  function refresh(list: ListName): void {
    if (list === "resources") return deps.onResources()
    isStale = true
    if (!isReading) void readAgain()
  }

  async function readAgain(): Promise<void> {
    isReading = true
    // Once more when it changed again meanwhile.
    for (let own = opened; own && isStale; own = opened) {
      isStale = false
      try {
        const read = await readListing(own.connection)
        if (opened === own) take(read)
      } catch (error) {
        deps.onNote(wordsOf(error))
      }
      await delay(PAUSE, undefined, { ref: false })
    }
    isReading = false
  }

  function onLost(reason: string): void {
    const connection = opened?.connection
    opened = undefined
    if (performance.now() - openedAt >= STABLE) failures = 0
    putOff()
    failure = new McpServerError("connection-lost", name, `The MCP server "${name}" was lost: ${reason}.`)
    deps.onNote(failure.message)
    closing = connection?.close().catch(() => undefined) ?? closing
    again()
  }

  function putOff(): void {
    dueAt = performance.now() + reconnectDelay(failures++, random())
  }

  function again(): void {
    timer = setTimeout(
      () => {
        if (!attempt && !opened) begin().catch(retry)
      },
      Math.max(0, dueAt - performance.now()),
    )
    timer.unref()
  }

  function retry(): void {
    // What a person has to mend first is not tried again by itself.
    if (failure && !["needs-auth", "needs-client-registration", "not-allowed"].includes(failure.kind)) again()
  }

  return {
    get phase() {
      if (attempt) return "connecting"
      return opened ? "connected" : "idle"
    },
    get failure() {
      return opened ? undefined : failure
    },
    get opened() {
      return opened
    },
    get listing() {
      return listing
    },
    remember(known) {
      listing ??= known
    },
    async connect(signal) {
      signal?.throwIfAborted()
      if (opened) return opened.connection
      return waitFor(attempt?.promise ?? begin(), signal)
    },
    isDue(patience) {
      const now = performance.now()
      return attempt ? now - attempt.began < patience : now >= dueAt
    },
    async disconnect() {
      clearTimeout(timer)
      const pending = attempt
      const connection = opened?.connection
      attempt = undefined
      opened = undefined
      failure = undefined
      failures = 0
      dueAt = 0
      pending?.controller.abort(
        new McpServerError("connection-lost", name, `The MCP server "${name}" was disconnected.`),
      )
      // Who connects meanwhile waits for all of it.
      closing = Promise.allSettled([closing, pending?.promise, connection?.close()])
      await closing
    },
  }
}

function toFailure(name: string, error: unknown): McpServerError {
  if (error instanceof McpServerError) return error
  const text = `The MCP server "${name}" could not be connected: ${wordsOf(error)}`
  return new McpServerError("connect-failed", name, text, { cause: error })
}
