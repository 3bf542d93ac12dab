import type { ProcessGuard } from "@pawl/process-guard"
import type { Secrets } from "@pawl/secrets"
import type { Log } from "./logging/log.ts"

/** The process, as a runtime sees it. The CLI passes its own; other programs use `processHost`. */
export interface RuntimeHost {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute: the current directory, from which relative paths of the user start. */
  readonly directory: string
  /** Home directory. Undefined or empty if it is unknown. */
  readonly home: string | undefined
  /** Absolute path of the scripts of the `replay` provider that come with pawl. */
  readonly demoDirectory: string
  /** Known secrets. Mask all output for users, except answers, with `mask`. */
  readonly secrets: Secrets
  /** For notices about a storage, and for messages of plugins if PAWL_DEBUG is set. */
  readonly stderr: { write(text: string): unknown }
  /** Log of the process. */
  readonly log: Log
  /** Address of the server that this process runs, for plugins. Undefined without a server. */
  readonly serverURL?: URL | undefined
  /** Called before code of plugins is loaded, so that signals end the process even if that code blocks its thread. */
  watchThread(): void
  /**
   * Returns the guard that ends child processes if this process is killed; the same one each time. The first call marks the
   * environment that children inherit.
   */
  guard(): Promise<ProcessGuard>
  /**
   * Adds a function that names the owner of code, such as "the plugin acme", from a stack, in case that code ends the process.
   * The returned function removes it.
   */
  explainExit(ownerOf: (stack: string) => string | undefined): () => void
}
