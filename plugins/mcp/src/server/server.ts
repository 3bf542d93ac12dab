import { setTimeout as delay } from "node:timers/promises"
import { waitFor } from "../wait-for.ts"
import { contentHash } from "../config/content-hash.ts"
import { McpServerError, wordsOf } from "../errors.ts"
import type { Listing } from "../listing/listing.ts"
import { reconnectDelay } from "./backoff.ts"
import type { Connection } from "./connection.ts"
import type { ListName, OpenedConnection } from "./open-connection.ts"

/** Earlier failures are forgotten when a connection has lived this long, in milliseconds. */
const STABLE_MS = 10_000
/** Minimum interval between two listings in milliseconds, because some servers announce changes all the time. */
const LISTING_INTERVAL_MS = 250

export interface ServerDeps {
  readonly name: string
  /** Opens a connection. */
  open(events: ServerEvents, signal: AbortSignal): Promise<OpenedConnection>
  /** Called if the listing has changed. */
  onListing(listing: Listing): void
  /** Called if the resources may have changed. Their list is not cached here. */
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
 * The states of a server:
 *
 *   idle ──need──▶ connecting ──▶ connected
 *    ▲                 │              │ lost
 *    └────failed───────┘◀──backoff────┘
 *
 * `disconnect` leads to idle from every state. A failed attempt is repeated when the server is needed. A lost
 * connection is retried automatically.
 */
export interface Server {
  readonly phase: Phase
  /** Why the last attempt failed; undefined while there is a connection. */
  readonly failure: McpServerError | undefined
  readonly opened: OpenedConnection | undefined
  readonly listing: Listing | undefined
  /** Sets a cached listing. Does nothing if the server itself was listed. */
  remember(listing: Listing): void
  /** Connects if necessary. Concurrent callers share the attempt. The signal only ends the wait. */
  connect(signal?: AbortSignal): Promise<Connection>
  /**
   * Returns false shortly after a failed attempt, and if a running attempt has already taken longer than `waitMs`
   * milliseconds. Then do not connect or wait without need.
   */
  isDue(waitMs: number): boolean
  /** Ends the connection, and its process within 2 s. The server connects again when it is needed. */
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
    // If the connection ends during setup, the attempt has failed.
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
      // Only one process per server may run, so wait until the last one is gone.
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
        // The caller that aborted waits for this.
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
      // A server whose prompts cannot be listed still has tools.
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

  /** Combines changes in quick succession into one listing, and lists again if something changes meanwhile. */
  function refresh(list: ListName): void {
    if (list === "resources") return deps.onResources()
    isStale = true
    if (!isReading) void readAgain()
  }

  async function readAgain(): Promise<void> {
    isReading = true
    // Repeats if the list changed during the listing.
    for (let own = opened; own && isStale; own = opened) {
      isStale = false
      try {
        const read = await readListing(own.connection)
        if (opened === own) take(read)
      } catch (error) {
        deps.onNote(wordsOf(error))
      }
      await delay(LISTING_INTERVAL_MS, undefined, { ref: false })
    }
    isReading = false
  }

  function onLost(reason: string): void {
    const connection = opened?.connection
    opened = undefined
    if (performance.now() - openedAt >= STABLE_MS) failures = 0
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
    // Do not retry if the user must act first.
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
    isDue(waitMs) {
      const now = performance.now()
      return attempt ? now - attempt.began < waitMs : now >= dueAt
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
      // A new connection waits for all of these.
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
