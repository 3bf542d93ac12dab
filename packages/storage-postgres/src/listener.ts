import { Client, type ClientConfig } from "pg"
import { quoted } from "./identifier.ts"

/** The connection of a process for notifications. Its hints only trigger a look. */
export interface Listener {
  readonly isListening: boolean
  start(): void
  stop(): Promise<void>
}

export interface ListenerDeps {
  readonly config: ClientConfig
  readonly channel: string
  readonly onHint: (payload: string) => void
  /** Called when listening starts. Earlier hints were not received. */
  readonly onListening: () => void
}

const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 5000

/** Connects, and reconnects after each loss, until it is stopped. */
export function createListener({ config, channel, onHint, onListening }: ListenerDeps): Listener {
  let current: Client | undefined
  let listening = false
  let retry: NodeJS.Timeout | undefined
  let wait = FIRST_RETRY_MS

  async function connect(): Promise<void> {
    const client = new Client(config)
    current = client
    client.on("notification", ({ payload = "" }) => onHint(payload))
    // Also emitted when the server stops. Then `end` follows, or the connection attempt rejects.
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
    // A random delay, so that many processes do not reconnect to a restarted server at the same time.
    retry = setTimeout(() => void connect(), wait * (0.5 + Math.random())).unref()
    wait = Math.min(wait * 2, MAX_RETRY_MS)
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

/** Ignores the error: the connection is closed already. */
function ignore(): void {}
