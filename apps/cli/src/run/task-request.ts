import type { SessionChoice } from "../session/find-session.ts"
import type { TrustFlag } from "../trust/trust-of.ts"

/** What `pawl run` was asked to do. */
export interface TaskRequest {
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  /** Absent: finish what was interrupted. */
  readonly task?: { readonly text: string; readonly files: readonly string[] }
  readonly model: ModelRequestOptions
  /** Absent: the session's, or that of the configuration. */
  readonly agent?: string | undefined
  /** The model writes summaries too, whatever the configuration says. */
  readonly isSummarizer?: boolean
  readonly format: "text" | "json"
  /** The URL of the storage; absent: the user's own choice. */
  readonly storage?: string | undefined
  /** Of `--trust`: what the project supplies may run this time. */
  readonly trust?: TrustFlag | undefined
  /** Makes of the command that goes on with the session the one that is shown; undefined to show none. */
  readonly showNext?: (command: string) => string | undefined
}

export interface ModelRequestOptions {
  /** provider/model */
  readonly model?: string | undefined
  readonly baseURL?: string | undefined
  /** The name of the environment variable that holds the key. */
  readonly keyVariable?: string | undefined
  /** Absolute. */
  readonly script?: string | undefined
  /** How slowly scripts are played: 1 as written, 0 without pauses. */
  readonly pace?: number | undefined
}
