import type { Engine, PluginHooks } from "@pawl/core/plugin"
import type { SessionID, UserMessage } from "@pawl/core/record"
import { openCodeMessage } from "@pawl/server"
import type { Scene } from "../scene.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"

type CompactionHooks = Pick<PluginHooks, "session.compacting" | "compaction.autocontinue">

export function compactionHooks(
  { host, models }: Pick<Scene, "host" | "models">,
  hooks: ForeignHooks,
): CompactionHooks {
  const onCompacting = handlerOf(hooks, "experimental.session.compacting")
  const onContinue = handlerOf(hooks, "experimental.compaction.autocontinue")
  return {
    ...(onCompacting && {
      async "session.compacting"({ sessionID }, draft) {
        const output: { context: unknown; prompt: unknown } = { context: draft.context, prompt: draft.prompt }
        await onCompacting({ sessionID }, output)
        const { context, prompt } = output
        // What is neither the engine refuses by the hook's name.
        draft.context = (context ?? []) as typeof draft.context
        if (prompt == null) delete draft.prompt
        else draft.prompt = prompt as string
      },
    }),
    ...(onContinue && {
      async "compaction.autocontinue"({ sessionID, agent, model, overflow }, draft) {
        const asked = await lastAsked(host.engine, sessionID)
        const message = asked && structuredClone(openCodeMessage(asked))
        await onContinue({ sessionID, agent, ...(await models(model)), message, overflow }, draft)
      },
    }),
  }
}

async function lastAsked(engine: Pick<Engine, "readMessages">, sessionID: SessionID): Promise<UserMessage | undefined> {
  for await (const { info, parts } of engine.readMessages(sessionID)) {
    if (info.role === "user" && !parts.some(({ type }) => type === "compaction")) return info
  }
  return undefined
}
