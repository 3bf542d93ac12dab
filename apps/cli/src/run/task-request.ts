import type { DeliveryMode, RunLimits } from "@pawl/core"
import type { AskPolicy } from "@pawl/core/host"
import type { ModelOptions, TypedPrompt } from "@pawl/runtime/runtime-options"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import type { OpenedWorktree } from "@pawl/worktree"
import type { TrustFlag } from "@pawl/trust/trust-of"

/** The request of `pawl run`. */
export interface TaskRequest {
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  /** Worktree that contains the directory, if the run has opened one. */
  readonly worktree?: OpenedWorktree | undefined
  /** If absent, interrupted work is finished. */
  readonly task?: TypedPrompt
  readonly model: ModelOptions
  /** Default: the agent of the session, or of the configuration. */
  readonly agent?: string | undefined
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
