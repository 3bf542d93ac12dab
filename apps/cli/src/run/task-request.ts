import type { AskPolicy, DeliveryMode, RunLimits } from "@pawl/core"
import type { SessionChoice } from "../session/find-session.ts"
import type { TrustFlag } from "../trust/trust-of.ts"

/** What `pawl run` was asked to do. */
export interface TaskRequest {
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  /** Absent: finish what was interrupted. */
  readonly task?: TaskText
  readonly model: ModelRequestOptions
  /** Absent: the session's, or that of the configuration. */
  readonly agent?: string | undefined
  /** The model writes summaries too, whatever the configuration says. */
  readonly isSummarizer?: boolean
  readonly format: "text" | "json"
  /** All of the model's reasoning is shown. */
  readonly showsThinking?: boolean | undefined
  /** The file that the run is written into, so that it can be replayed. */
  readonly record?: RecordRequest | undefined
  /** The URL of the storage; absent: the user's own choice. */
  readonly storage?: string | undefined
  /** Of `--trust`: what the project supplies may run this time. */
  readonly trust?: TrustFlag | undefined
  /** No plugins take part. */
  readonly isPure?: boolean | undefined
  /** What becomes of questions that nobody here can answer; absent: as the configuration says. */
  readonly askPolicy?: AskPolicy | undefined
  /** Where the run ends; those that are absent are the configuration's. */
  readonly limits?: RunLimits | undefined
  /** For a session that a process works on; absent: such a session is refused. */
  readonly delivery?: DeliveryMode | undefined
  /** What the sender calls the prompt: a second one of the same name is the same. */
  readonly clientID?: string | undefined
  /** Makes of the command that goes on with the session the one that is shown; undefined to show none. */
  readonly showNext?: (command: string) => string | undefined
}

export interface RecordRequest {
  /** Absolute. */
  readonly path: string
  /** A file that is there already is replaced. */
  readonly replaces: boolean
}

export interface TaskText {
  /** All of it. */
  readonly text: string
  /** What `text` begins with and somebody typed: commands and @ mean something there alone. Absent: nothing. */
  readonly typed?: string
  /** The slash command that `typed` are the arguments of. */
  readonly command?: string | undefined
  /** To attach: absolute, or relative to where the user is. */
  readonly files: readonly string[]
}

export interface ModelRequestOptions {
  /** provider/model */
  readonly model?: string | undefined
  /** Of the model, or "default" for none; absent: the command's, the session's or the agent's. */
  readonly variant?: string | undefined
  readonly baseURL?: string | undefined
  /** The name of the environment variable that holds the key. */
  readonly keyVariable?: string | undefined
  /** Absolute. */
  readonly script?: string | undefined
  /** How slowly scripts are played: 1 as written, 0 without pauses. */
  readonly pace?: number | undefined
}
