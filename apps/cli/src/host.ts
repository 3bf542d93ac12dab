import type { ProcessGuard } from "@pawl/process-guard"
import type { Secrets } from "@pawl/secrets"
import type { EnderOf } from "./exit-cause.ts"
import type { Log } from "./logging/log.ts"
import type { Output } from "./output/output.ts"

/** The process, as commands see it. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly directory: string
  /** Home directory. Undefined or empty if it is unknown. */
  readonly home: string | undefined
  /** Command that starts pawl: `pawl`, or the one of a checkout. */
  readonly program: string
  /** General options that the next command needs again, such as `--config`, in pairs of name and value. */
  readonly repeated?: readonly (readonly [name: string, value: string])[]
  /** Absolute: the demo's project and scripts, which come with pawl. */
  readonly demoDirectory: string
  /** Known secrets. All output for users except answers is masked with `mask`. */
  readonly secrets: Secrets
  /** Log of the process. */
  readonly log: Log
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Output
  readonly stderr: Output
  /**
   * Lines that plugins, tools and other code that is not pawl's wanted to print to stdout: they never get there. Without
   * a listener they go to stderr. The returned function ends the listening.
   */
  onPrinted(listener: (line: string) => void): () => void
  /** Signals that end a command. The returned function ends the listening. */
  onSignal(listener: (signal: EndingSignal) => void): () => void
  /** Lets signals end the process also if code of others blocks its thread. Call it before such code is loaded. */
  watchThread(): void
  /**
   * Ends what this process starts if it is killed. The first call marks the environment that children inherit. Resolves with
   * the same one each time.
   */
  guard(): Promise<ProcessGuard>
  /**
   * Asks who it was where other code ends the process: given the stack of the call, for people, such as "the plugin acme".
   * The returned function ends the asking.
   */
  explainExit(enderOf: EnderOf): () => void
  /**
   * Reports in place of the host that other code ends the process, given a sentence that says which. The process exits when
   * `report` returns. The returned function ends the reporting.
   */
  reportExit(report: (cause: string) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP"
