import type { PromptPart, Session, SessionID } from "@pawl/core"
import { readAncestors } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import type { RuntimeHost } from "../host.ts"
import type { Interaction } from "../interaction.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import type { TypedPrompt } from "../runtime-options.ts"
import { agentOf, chosenCommand } from "./agent-choice.ts"
import type { Command } from "./builtin-commands.ts"
import { isCompaction } from "./compaction-command.ts"
import type { ChosenCommand } from "./find-command.ts"
import { type PromptContext, promptParts } from "./prompt-parts.ts"

/** A prompt for `engine.prompt`, or the request of `/compact`. */
export type PreparedPrompt =
  | {
      readonly type: "prompt"
      readonly parts: readonly PromptPart[]
      /** Undefined for the session's own. */
      readonly agent: string | undefined
      readonly command: ChosenCommand | undefined
    }
  | { readonly type: "compact"; readonly focus: string }

/** The receiver of a prompt. */
export interface PromptTarget {
  readonly sessionID: SessionID
  /** Agent that the user selected. Default: that of the command or the session. */
  readonly agent?: string | undefined
}

export interface PreparingDeps {
  readonly environment: { readonly settings: DefinedSettings; readonly commands: readonly Command[] }
  readonly storage: Pick<Storage, "getSession">
  readonly getSession: (id: SessionID) => Promise<Session>
  readonly host: RuntimeHost
  readonly interaction: Interaction
  /** The same for all prompts of the runtime. */
  readonly context: Omit<PromptContext, "prompt" | "session" | "above" | "agent" | "command" | "settings">
}

/** Prepares a prompt after the first one. Throws UsageError for an unknown command, and for one that may not run. */
export async function prepareTyped(
  prompt: TypedPrompt,
  { sessionID, agent: selected }: PromptTarget,
  { environment, storage, getSession, host, interaction, context }: PreparingDeps,
): Promise<PreparedPrompt> {
  const { settings, commands } = environment
  const session = await getSession(sessionID)
  const command = chosenCommand(prompt, settings, commands)
  if (isCompaction(command)) return { type: "compact", focus: command?.arguments.trim() ?? "" }
  const agent = agentOf({ agent: selected, prompt }, session, command, settings)
  const above = await readAncestors(storage, session)
  const parts = await promptParts({ ...context, prompt, session, above, agent, command, settings }, host, interaction)
  return { type: "prompt", parts, agent, command }
}
