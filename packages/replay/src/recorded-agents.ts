import { type Agent, builtinAgents } from "@pawl/core"
import type { PermissionRule } from "@pawl/core/record"
import { type Recording, ROOT } from "@pawl/provider-replay"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { recordedDefinitions } from "./recorded-tools.ts"

/**
 * Returns the agents of a recording, each with the tools that it was offered. They have all permissions, since denied
 * calls are among the recorded results.
 */
export function recordedAgents(recording: Recording): Agent[] {
  const offered = offeredTools(recording)
  const all = recordedDefinitions(recording).map(({ name }) => name)
  const written = new Map((recording.header.agents ?? []).map((agent) => [agent.name, agent]))
  const names = new Set([
    ...builtinAgents.map(({ name }) => name),
    ...written.keys(),
    ...recording.prompts.flatMap(({ agent }) => agent ?? []),
    ...recording.sessions.flatMap(({ agent }) => agent ?? []),
  ])
  return [...names].map((name): Agent => {
    const own = builtinAgents.find((agent) => agent.name === name)
    const { model, ...fields } = written.get(name) ?? { name }
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const ref = model === undefined ? undefined : toModelRef(model)
    const agent = { name, ...own, ...given, ...(ref ? { model: ref } : {}) }
    return own?.hidden
      ? agent
      : { ...agent, mode: "all", permission: rulesOf(all, offered.get(name)), delegates: [ANYTHING] }
  })
}

const ANYTHING = { permission: "*", pattern: "*" } as const

function rulesOf(all: readonly string[], tools: ReadonlySet<string> | undefined): PermissionRule[] {
  const rule = (permission: string, action: PermissionRule["action"]) => ({ permission, pattern: "*", action })
  // Lists each tool, since a subagent lacks some tools unless its rules name them.
  return [rule("*", "allow"), ...all.map((name) => rule(name, !tools || tools.has(name) ? "allow" : "deny"))]
}

/** Returns the names of the tools in the requests of each agent. */
function offeredTools({ replies, prompts, sessions, tools }: Recording): ReadonlyMap<string, ReadonlySet<string>> {
  const offered = new Map<string, Set<string>>()
  const last = new Map<string, string>()
  for (const { session, request, beside, line } of replies) {
    if (!request) continue
    if (request.tools !== undefined) last.set(session, request.tools)
    const agent =
      session === ROOT
        ? (prompts.findLast((prompt) => prompt.line < line)?.agent ??
          sessions.find((each) => each.session === ROOT)?.agent)
        : sessions.find((each) => each.session === session)?.agent
    if (beside || agent === undefined) continue
    const names = (tools.get(last.get(session) ?? "") ?? []).map(({ name }) => name)
    offered.set(agent, new Set([...(offered.get(agent) ?? []), ...names]))
  }
  return offered
}
