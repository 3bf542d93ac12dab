import type { MessageID, SessionID } from "../base/ids.ts"
import type { AgentPart, ModelRef } from "../record/message.ts"

/**
 * A part of a prompt. The text of a text file is sent as a synthetic text; its file part is for the user interface.
 * Other files reach the model.
 */
export type PromptPart =
  | { readonly type: "text"; readonly text: string; readonly synthetic?: boolean; readonly ignored?: boolean }
  | { readonly type: "file"; readonly mime: string; readonly filename?: string; readonly url: string }
  /** A subagent that the user names: the model is told to delegate work to it, and needs no permission for that. */
  | { readonly type: "agent"; readonly name: string; readonly source?: AgentPart["source"] }
  /** A task that a subagent gets before the model answers. `command`: the command that requested it. */
  | {
      readonly type: "subtask"
      readonly prompt: string
      readonly description: string
      readonly agent: string
      readonly model?: ModelRef
      readonly command?: string
    }

export interface PromptInput {
  readonly sessionID: SessionID
  readonly parts: readonly PromptPart[]
  readonly agent: string
  readonly model: ModelRef
  /** Name of the model's variant; "default" for none. */
  readonly variant?: string
  /** Added to the system prompt while this is the user's newest message. */
  readonly system?: string
  /** `false` hides a tool from the model. */
  readonly tools?: Readonly<Record<string, boolean>>
  /** Idempotency key of the sender: a second prompt with the same id is the same prompt, and stores nothing. */
  readonly clientID?: string
  /**
   * Id for the message. Ignored, so that the engine chooses another one, if it has an invalid form or does not sort after
   * the newest message, and for a prompt that waits.
   */
  readonly messageID?: MessageID
  /** The command that made the parts. */
  readonly command?: { readonly name: string; readonly arguments: string }
}
