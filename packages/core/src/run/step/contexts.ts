import { type Agent, findAgent, isFor } from "../../agents/agent.ts"
import { isDeniedThroughout, type PermissionRules, type PermissionScope } from "../../permission/rules.ts"
import { permissionRules } from "../../permission/scopes.ts"
import type { Model } from "../../contracts/model.ts"
import type { Tool } from "../../contracts/tool.ts"
import { deferTools } from "../../tool-set/deferred.ts"
import { CALL_TOOL } from "../../tool-set/call-tool.ts"
import { TOOL_SEARCH } from "../../tool-set/tool-search.ts"
import { createToolSet, offering, type ToolSet, withoutTools } from "../../tool-set/tool-set.ts"
import type { HeldHooks } from "../../hooks/hooks.ts"
import type { SessionID } from "../../base/ids.ts"
import type { Storage } from "../../contracts/storage.ts"
import { readAncestors } from "../../store/ancestors.ts"
import type { MessageWithParts, ModelRef, Session, UserMessage } from "../../record/message.ts"
import type { SessionWorkspace } from "../../workspace/workspace.ts"
import { createContextHeads, decideHead } from "../../request/context-head.ts"
import type { Requests } from "../../request/request-deps.ts"
import type { SharedContext, StepContext } from "../../request/step-context.ts"
import { overflowPolicy } from "../../measure/overflow-policy.ts"
import { limitsWithin, type OutputLimits } from "../../measure/truncate.ts"
import { systemBlocks, systemSources } from "../../request/system-prompt.ts"

export interface ContextSettings {
  readonly tools: readonly Tool[]
  readonly toolSwitches: (model: ModelRef) => Readonly<Record<string, boolean>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly permission: readonly PermissionScope[]
  readonly fallback: readonly ModelRef[]
  /** Changes when any of these settings changes. */
  readonly version: number
}

export interface ContextsDeps {
  readonly store: { readonly storage: Pick<Storage, "getSession"> }
  readonly models: { readonly findModel: (ref: ModelRef) => Promise<Model> }
  readonly requests: Pick<Requests, "arrange" | "contextSettings">
  readonly settings: () => ContextSettings
  readonly defaults: { readonly outputLimits: OutputLimits; readonly platform: string }
}

/** The session of the contexts. */
export interface ContextsInput {
  readonly session: Session
  readonly workspace: Pick<SessionWorkspace, "read">
  readonly rootSessionID: SessionID
  /** Set if the session may have no subagents. Default: `false` */
  readonly isDeepest?: boolean
  /** Ends the work of plugins on the list of tools. */
  readonly signal: AbortSignal
}

/** The hidden agent that writes summaries. */
const SUMMARIZER = "compaction"

/** The contexts of a run's steps. */
export interface StepContexts {
  /**
   * Returns the context of a step that begins with these messages and answers `user`, with these plugins. Steps with
   * the same agent, model and tools share its facts until plugins or settings change.
   */
  of(user: UserMessage, messages: readonly MessageWithParts[], hooks: HeldHooks): Promise<StepContext>
  /** Called when a step has stored a system prompt or a reminder. */
  headChanged(): void
  /** Returns the tools of the newest context. */
  tools(): ToolSet | undefined
}

/** Reads everything a run needs in addition to its messages, at the first use and again after changes. */
export function createStepContexts(deps: ContextsDeps, input: ContextsInput): StepContexts {
  const { session, workspace, rootSessionID, signal } = input
  const heads = createContextHeads()
  let newestTools: ToolSet | undefined
  const above = readAncestors(deps.store.storage, session)
  // Reading begins before the first `await`, so a rejection must not be unhandled.
  above.catch(() => undefined)
  let contexts = new Map<string, Promise<SharedContext>>()
  let version = ""
  /** Tool lists by model and tools. An unchanged list keeps its identity, so requests begin with the same bytes. */
  const definitions = new Map<string, ToolSet["definitions"]>()

  async function create(user: UserMessage, hooks: HeldHooks, settings: ContextSettings): Promise<SharedContext> {
    const agent = findAgent(settings.agents, user.agent)
    const model = await deps.models.findModel(user.model)
    const { directory, worktree, isGit, instructions } = await workspace.read()
    const sources = systemSources({
      agent,
      session,
      model: user.model,
      modelPrompt: model.systemPrompt,
      worktree: isGit ? worktree : undefined,
      instructions,
      platform: deps.defaults.platform,
    })
    const parents = await above
    const rules = permissionRules(settings, agent, session, parents)
    const listing = listingAgents(settings, agent, session).map((each) => {
      return each === agent ? rules : permissionRules(settings, each, session, parents)
    })
    const scope = {
      sessionID: session.id,
      rootSessionID,
      agent: agent.name,
      model: user.model,
      directory,
      worktree,
      signal,
    }
    const switches = { ...settings.toolSwitches(model.ref), ...user.tools, ...withheldTools(agent, rules, input) }
    const offered = offering(
      withoutTools(await createToolSet(hooks, settings.tools, scope), switches),
      (tool) =>
        model.info.capabilities.toolCall &&
        listing.some((each) => !isDeniedThroughout(each, tool.permission ?? tool.name)),
    )
    const isSearchable =
      switches[TOOL_SEARCH] !== false &&
      switches[CALL_TOOL] !== false &&
      listing.some((each) => !isDeniedThroughout(each, TOOL_SEARCH))
    const deferring = isSearchable ? deferTools(offered, model) : offered
    const listed = JSON.stringify([user.model, user.tools])
    const known = definitions.get(listed)
    const tools = known && isSame(known, deferring.definitions) ? { ...deferring, definitions: known } : deferring
    definitions.set(listed, tools.definitions)
    const { usable } = overflowPolicy(model.info, model.ref, deps.requests.contextSettings)
    return {
      rootSessionID,
      agent,
      model,
      fallback: agent.fallback ?? settings.fallback,
      summaryModel: settings.agents.get(SUMMARIZER)?.model,
      sources,
      tools,
      rules,
      workspace: { directory, worktree, instructionPaths: instructions.map(({ path }) => path) },
      outputLimits: limitsWithin(usable, deps.defaults.outputLimits),
    }
  }

  function shared(user: UserMessage, hooks: HeldHooks): Promise<SharedContext> {
    const settings = deps.settings()
    const now = `${hooks.version} ${settings.version}`
    if (now !== version) contexts = new Map()
    version = now
    const key = JSON.stringify([user.agent, user.model, user.tools])
    const context = contexts.get(key) ?? create(user, hooks, settings)
    contexts.set(key, context)
    return context
  }

  return {
    async of(user, messages, hooks) {
      const context = await shared(user, hooks)
      newestTools = context.tools
      const { ref } = context.model
      const head = decideHead(heads.find(messages, deps.requests.arrange(messages)), {
        agent: context.agent.name,
        model: `${ref.providerID}/${ref.modelID}`,
        sources: context.sources,
        maxReminderBytes: context.outputLimits.bytes,
      })
      return { ...context, head, system: systemBlocks(head.head) }
    },
    headChanged: () => heads.changed(),
    tools: () => newestTools,
  }
}

/**
 * Returns the agents whose tools are listed. Users switch agents within a session, and a changed list of tools would
 * invalidate the provider's cache. Tools that only some of these agents may use are listed for all of them, and refused
 * when they are called. The agent of a subagent's session stays the same.
 */
function listingAgents({ agents }: Pick<ContextSettings, "agents">, agent: Agent, session: Session): Agent[] {
  if (session.delegation || !isFor(agent, "user")) return [agent]
  return [...agents.values()].filter((each) => each === agent || isFor(each, "user"))
}

function isSame(some: ToolSet["definitions"], others: ToolSet["definitions"]): boolean {
  return some.length === others.length && JSON.stringify(some) === JSON.stringify(others)
}

/**
 * Returns switches that withhold tools: subagents get neither `todowrite` nor `task`, unless their own rules name the
 * tool. `task` is always withheld at the deepest level.
 */
function withheldTools(
  { name, permission = [] }: Agent,
  { scopes }: PermissionRules,
  { session, isDeepest = false }: ContextsInput,
): Record<string, boolean> {
  const configured = scopes.filter(({ agent, onlyTightens = false }) => agent === name && !onlyTightens)
  const own = [...permission, ...configured.flatMap(({ rules }) => rules)]
  const isNamed = (tool: string) => own.some((rule) => rule.permission === tool && rule.action !== "deny")
  const withheld = session.delegation ? ["task", "todowrite"].filter((tool) => !isNamed(tool)) : []
  return Object.fromEntries([...withheld, ...(isDeepest ? ["task"] : [])].map((tool) => [tool, false]))
}
