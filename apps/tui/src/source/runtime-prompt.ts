import type { PromptRequest } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import type { Runtime } from "@pawl/runtime"
import type { SentPrompt } from "./source.ts"

type RuntimePrompt =
  | { readonly type: "prompt"; readonly prompt: PromptRequest }
  | { readonly type: "compact"; readonly focus: string }

/** Turns what the user sends into a request of the engine: commands are expanded, mentions attached. */
export async function runtimePrompt(
  { prepare }: Pick<Runtime, "prepare">,
  { sessionID, text, files = [], agent, model, variant, delivery }: SentPrompt,
): Promise<RuntimePrompt> {
  const prepared = await prepare({ text, typed: text, files }, { sessionID: sessionID as SessionID, agent })
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
