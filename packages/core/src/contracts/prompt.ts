import type { SessionID } from "../base/ids.ts"
import type { AgentPart, ModelRef } from "../record/message.ts"

/** The text of a text file goes along as a synthetic text; its file part is for people. Other files reach the model. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string; readonly synthetic?: boolean; readonly ignored?: boolean }
  | { readonly type: "file"; readonly mime: string; readonly filename?: string; readonly url: string }
  /** A subagent that the user names: the model is told to hand work to it, and needs no permission for that. */
  | { readonly type: "agent"; readonly name: string; readonly source?: AgentPart["source"] }
  /** Handed to a subagent before the model answers; `command`: the command that asks for it. */
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
  /** Of the model, by name; "default" for none. */
  readonly variant?: string
  /** Added to the system prompt while this message is the newest of the user's. */
  readonly system?: string
  /** `false` keeps a tool from the model. */
  readonly tools?: Readonly<Record<string, boolean>>
  /** What the sender calls it: a second prompt of the same name is the same prompt, and stores nothing. */
  readonly clientID?: string
  /** The command that the parts were made by. */
  readonly command?: { readonly name: string; readonly arguments: string }
}
