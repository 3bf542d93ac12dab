import type { AskPolicy, DeliveryMode, RunLimits } from "@pawl/core"
import type { SessionChoice } from "./session/find-session.ts"
import type { TrustFlag } from "@pawl/trust/trust-of"

/** The request of `pawl run`. */
export interface TaskRequest {
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  /** If absent, interrupted work is finished. */
  readonly task?: TypedPrompt
  readonly model: ModelOptions
  /** Default: the agent of the session, or of the configuration. */
  readonly agent?: string | undefined
  /** Set if this model also writes summaries, against the configuration. */
  readonly isSummarizer?: boolean
  readonly format: "text" | "json"
  /** Shows the model's whole reasoning. */
  readonly showsThinking?: boolean | undefined
  /** File to record the run to. */
  readonly record?: RecordRequest | undefined
  /** Storage URL. Default: the configured one. */
  readonly storage?: string | undefined
  /** Value of `--trust`: trusts the project for this run. */
  readonly trust?: TrustFlag | undefined
  /** Runs without plugins. */
  readonly isPure?: boolean | undefined
  /** Policy for questions without a user at this terminal. Default: the configured one. */
  readonly askPolicy?: AskPolicy | undefined
  /** Limits of the run. Default for each: the configured one. */
  readonly limits?: RunLimits | undefined
  /** Delivers the prompt to a session that another process runs. If absent, such a session is refused. */
  readonly delivery?: DeliveryMode | undefined
  /** Idempotency key of the prompt: a second prompt with the same key is not sent. */
  readonly clientID?: string | undefined
  /** Converts the command that continues the session into the one to show. Undefined shows no command. */
  readonly showNext?: (command: string) => string | undefined
}

export interface RecordRequest {
  /** Absolute. */
  readonly path: string
  /** Replaces an existing file. */
  readonly replaces: boolean
}

export interface TypedPrompt {
  /** The whole text. */
  readonly text: string
  /** Prefix of `text` that the user typed. Commands and @ are recognized only there. Default: empty. */
  readonly typed?: string
  /** Slash command whose arguments are `typed`. */
  readonly command?: string | undefined
  /** Files to attach: absolute, or relative to the user's directory. */
  readonly files: readonly string[]
}

export interface ModelOptions {
  /** provider/model */
  readonly model?: string | undefined
  /** Variant of the model, or "default" to remove it. Default: that of the command, the session or the agent. */
  readonly variant?: string | undefined
  readonly baseURL?: string | undefined
  /** Name of the environment variable with the key. */
  readonly keyVariable?: string | undefined
  /** Absolute. */
  readonly script?: string | undefined
  /** Playback delay factor of scripts: 1 = as written, 0 = none. */
  readonly pace?: number | undefined
}
