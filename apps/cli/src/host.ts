import type { RuntimeHost } from "@pawl/runtime/host"
import type { Output } from "./output/output.ts"

/** The process, as commands see it. */
export interface Host extends RuntimeHost {
  /** Command that starts pawl: `pawl`, or the one of a checkout. */
  readonly program: string
  /** General options that the next command needs again, such as `--config`, in pairs of name and value. */
  readonly repeated?: readonly (readonly [name: string, value: string])[]
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
  /**
   * Reports in place of the host that other code ends the process, given a sentence that says which. The process exits when
   * `report` returns. The returned function ends the reporting.
   */
  reportExit(report: (cause: string) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP"
