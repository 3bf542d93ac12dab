import type { PromptRequest } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import { UsageError } from "@pawl/config/usage-error"
import type { Runtime } from "@pawl/runtime"
import { slashCommand } from "@pawl/runtime/prompt/slash-command"
import type { SentPrompt } from "./source.ts"

type RuntimePrompt =
  | { readonly type: "prompt"; readonly prompt: PromptRequest }
  | { readonly type: "compact"; readonly focus: string }

/** Turns what the user sends into a request of the engine: commands are expanded, mentions attached. */
export async function runtimePrompt(
  { prepare }: Pick<Runtime, "prepare">,
  { sessionID, text, files = [], agent, model, variant, delivery }: SentPrompt,
): Promise<RuntimePrompt> {
  const prepared = await prepare({ text, typed: text, files }, { sessionID: sessionID as SessionID, agent }).catch(
    (error: unknown) => {
      // Its hint is for the command line, which does not know the commands of the UI.
      if (error instanceof UsageError && slashCommand(text))
        throw new UsageError(error.message, "/help lists all commands.")
      throw error
    },
  )
  if (prepared.type === "compact") return prepared
  const { parts, agent: chosen, command } = prepared
  return {
    type: "prompt",
    prompt: {
      sessionID: sessionID as SessionID,
      parts,
      ...(chosen === undefined ? {} : { agent: chosen }),
      ...(model ? { model } : {}),
      ...(variant === undefined ? {} : { variant }),
      ...(delivery ? { delivery } : {}),
      ...(command ? { command: { name: command.command.name, arguments: command.arguments } } : {}),
    },
  }
}
