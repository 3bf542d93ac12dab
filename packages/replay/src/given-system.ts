import { definePlugin, type Plugin } from "@pawl/core/plugin"
import type { Recording } from "@pawl/provider-replay"
import type { SessionMap } from "./session-map.ts"

/** Agents that answer beside the conversation: they read no instructions. */
const BESIDE: readonly string[] = ["title", "compaction"]
/** Text in the system prompt after which instruction files follow. */
export const END_OF_ENVIRONMENT = "</env>"

/**
 * Gives the system prompt what it had in the recording and is not here: instruction files, and all of it where plugins
 * took part in it.
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
