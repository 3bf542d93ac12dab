import type { RunLimits } from "@pawl/core"
import type { AskPolicy } from "@pawl/core/host"
import type { TrustFlag } from "@pawl/trust/trust-of"
import type { RuntimeHost } from "./host.ts"
import type { Interaction } from "./interaction.ts"
import type { SessionChoice } from "./session/find-session.ts"

export interface RuntimeOptions {
  /** Absolute path. */
  readonly directory: string
  /** Default: `processHost()`. */
  readonly host?: RuntimeHost | undefined
  /** Default: nothing is asked, and notices are in `Runtime.notices`. */
  readonly interaction?: Interaction | undefined
  /** Session to continue. Default: a new one. */
  readonly session?: SessionChoice | undefined
  /** First prompt. Its slash command may select the agent and the model. */
  readonly prompt?: TypedPrompt | undefined
  readonly model?: ModelOptions | undefined
  /** Default: the agent of the session, or of the configuration if there is a prompt. */
  readonly agent?: string | undefined
  /** Set if the model also writes summaries, against the configuration. */
  readonly isSummarizer?: boolean | undefined
  /** Storage URL. Default: the configured one. */
  readonly storage?: string | undefined
  /** Trusts the project until the runtime is closed. A prefix of a hash trusts only that content. */
  readonly trust?: TrustFlag | undefined
  /** Opens no plugins and MCP servers. */
  readonly isPure?: boolean | undefined
  /** Policy for questions that `interaction` does not answer. Default: the configured one. */
  readonly askPolicy?: AskPolicy | undefined
  /** Limits of each run. Default for each: the configured one. */
  readonly limits?: RunLimits | undefined
  /**
   * Set to report about a session without running it. Its directory may be missing, its import may be incomplete, and the model
   * may be unusable: `Runtime.problem` says why.
   */
  readonly isReport?: boolean | undefined
  /** Set for a server, whose clients may add MCP servers. */
  readonly isServed?: boolean | undefined
  /** Called if the prompt is the slash command `/compact`, before the model is selected. May throw to refuse it. */
  readonly checkCompaction?: (() => void) | undefined
}

export interface TypedPrompt {
  /** The whole text. */
  readonly text: string
  /** Prefix of `text` that the user typed. Commands and @ are recognized only there. Default: empty. */
  readonly typed?: string
  /** Slash command whose arguments are `typed`. */
  readonly command?: string | undefined
  /** Files to attach: absolute, or relative to the directory of the host. Default: none. */
  readonly files?: readonly string[]
}

export interface ModelOptions {
  /** provider/model */
  readonly model?: string | undefined
  /** Variant of the model, or "default" to remove it. Default: that of the command, the session or the agent. */
  readonly variant?: string | undefined
  readonly baseURL?: string | undefined
  /** Name of the environment variable with the key. */
  readonly keyVariable?: string | undefined
  /** Absolute path of a script that is played instead of a model. */
  readonly script?: string | undefined
  /** Playback delay factor of scripts: 1 = as written, 0 = none. */
  readonly pace?: number | undefined
}
