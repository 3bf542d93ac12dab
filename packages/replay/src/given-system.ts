import { definePlugin, type Plugin } from "@pawl/core/plugin"
import type { Recording } from "@pawl/provider-replay"
import type { SessionMap } from "./session-map.ts"

/** Agents that do not read instructions, since they do not take part in the conversation. */
const BESIDE: readonly string[] = ["title", "compaction"]
/** Text in the system prompt after which instruction files follow. */
export const END_OF_ENVIRONMENT = "</env>"

/**
 * Restores parts of the recorded system prompt that the replay cannot build: instruction files, or the whole prompt if
 * plugins may have changed it.
 */
export function givenSystem({ systems, replies, header }: Recording, { nameOf }: Pick<SessionMap, "nameOf">): Plugin {
  const isWhole = (header.plugins ?? []).length > 0
  const blocks = new Map<string, readonly string[]>()
  for (const { session, request, beside } of replies) {
    const system = request?.system === undefined || beside ? undefined : systems.get(request.system)
    if (system && !blocks.has(session)) blocks.set(session, system)
  }
  return definePlugin(async () => ({
    "chat.system.transform": async ({ sessionID, agent }, output) => {
      const recorded = blocks.get(nameOf(sessionID) ?? "")
      if (!recorded || BESIDE.includes(agent)) return
      if (isWhole) output.system = [...recorded]
      else output.system = output.system.map((block, at) => withRest(block, recorded[at] ?? ""))
    },
  }))
}

function withRest(block: string, recorded: string): string {
  const [own, theirs] = [block.indexOf(END_OF_ENVIRONMENT), recorded.indexOf(END_OF_ENVIRONMENT)]
  return own === -1 || theirs === -1 ? block : block.slice(0, own) + recorded.slice(theirs)
}
