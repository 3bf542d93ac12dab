import { Client, type ClientConfig } from "pg"
import { quoted } from "./identifier.ts"

/** The one connection of a process that listens. Nothing depends on it: it says when to look. */
export interface Listener {
  readonly isListening: boolean
  start(): void
  stop(): Promise<void>
}

export interface ListenerDeps {
  readonly config: ClientConfig
  readonly channel: string
  readonly onHint: (payload: string) => void
  /** Called when listening starts. Earlier hints were missed. */
  readonly onListening: () => void
}

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 5000

/** Connects, and connects again whenever the connection is lost, until it is stopped. */
export function createListener({ config, channel, onHint, onListening }: ListenerDeps): Listener {
  let current: Client | undefined
  let listening = false
  let retry: NodeJS.Timeout | undefined
  let wait = FIRST_RETRY_MS

  async function connect(): Promise<void> {
    const client = new Client(config)
    current = client
    client.on("notification", ({ payload = "" }) => onHint(payload))
    // Also of a server that ends: the event `end` follows, or the attempt to connect rejects.
    client.on("error", () => void client.end().catch(ignore))
    client.on("end", () => lost(client))
    try {
      await client.connect()
      await client.query(`LISTEN ${quoted(channel)}`)
    } catch {
      lost(client)
      await client.end().catch(ignore)
      return
    }
    if (current !== client) return
    listening = true
    wait = FIRST_RETRY_MS
    onListening()
  }

  function lost(client: Client): void {
    if (current !== client) return
    current = undefined
    listening = false
    // By chance, so that many processes do not meet a server that has just started.
    retry = setTimeout(() => void connect(), wait * (0.5 + Math.random())).unref()
    wait = Math.min(wait * 2, LONGEST_RETRY_MS)
  }

  return {
    get isListening() {
      return listening
    },
    start() {
      if (current || retry) return
      void connect()
    },
    async stop() {
      clearTimeout(retry)
      retry = undefined
      const client = current
      current = undefined
      listening = false
      await client?.end().catch(ignore)
    },
  }
}

/** It is gone, which is what was asked for. */
function ignore(): void {}
