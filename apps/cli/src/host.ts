import type { Secrets } from "@pawl/secrets"
import type { Log } from "./logging/log.ts"
import type { Output } from "./output/output.ts"

/** What a command knows of the process it runs in. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly directory: string
  /** The home directory; undefined or empty when there is none. */
  readonly home: string | undefined
  /** What people type to call pawl: `pawl`, or what stands for it in a checkout. */
  readonly program: string
  /** Absolute: the demo's project and scripts, which come with pawl. */
  readonly demoDirectory: string
  /** What is known to be secret: what goes to people, other than an answer, goes through its `mask`. */
  readonly secrets: Secrets
  /** What happens, for those who look into it later. */
  readonly log: Log
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Output
  readonly stderr: Output
  /** Signals that end a command. The returned function ends the listening. */
  onSignal(listener: (signal: EndingSignal) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP"
