import type { PluginEntry } from "../src/plugin.ts"
import type { JSONValue, Part, ToolPart } from "../src/record.ts"
import type { Tool } from "../src/tool.ts"
import { loadHooks, toolScope } from "./load-hooks.ts"
import { defaultDeadlines, type Deadlines } from "../src/base/deadlines.ts"
import type { PermissionRules } from "../src/permission/rules.ts"
import { createJournal } from "../src/store/journal.ts"
import { createFileWatcher } from "../src/undo/watch-files.ts"
import { createRepetitionGuard } from "../src/repetition/repetition-guard.ts"
import { nothingSpent } from "../src/record/spent.ts"
import { runToolCall, type UnsettledToolPart } from "../src/tool-call/tool-call.ts"
import type { CallContext, CallHandles, Calls, ToolCallDeps } from "../src/tool-call/call-deps.ts"
import { pending } from "../src/contracts/tool-state.ts"
import { authorize } from "../src/tool-call/authorize.ts"
import { createToolSet } from "../src/tool-set/tool-set.ts"
import { defaultOutputLimits } from "../src/measure/truncate.ts"
import { askingWorld, type AskingWorld } from "./asking.ts"
// By its place: core must not depend on it.
import { outputFacts } from "../../tools/src/output-facts/output-facts.ts"

export interface CallWorld extends Omit<AskingWorld, "scopes"> {
  readonly tools?: readonly Tool[]
  readonly plugins?: readonly PluginEntry[]
  readonly rules?: PermissionRules
  readonly deadlines?: Partial<Deadlines>
  readonly signal?: AbortSignal
  readonly rootSessionID?: ToolPart["sessionID"]
  /** In place of the engine's own parts. */
  readonly parts?: Partial<Calls>
}

const allowAll: PermissionRules = {
  scopes: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
}

/** The choke point alone, over a real storage and real hooks, with a context and handles that are made by hand. */
export async function callWorld(world: CallWorld) {
  const { tools = [], plugins = [], rules = allowAll, signal = new AbortController().signal } = world
  const asking = await askingWorld(world)
  const { session, storage, message } = asking
  const deadlines = { ...defaultDeadlines, ...world.deadlines }
  const hooks = await loadHooks(plugins, deadlines, { failed: () => undefined, disabled: () => undefined })
  const deps: ToolCallDeps = {
    hooks,
    store: {
      ...asking.deps.store,
      deadlines: { ...deadlines, question: asking.deps.store.deadlines.question },
    },
    calls: { ...asking.deps.calls, authorize, environment: {}, outputFacts, ...world.parts },
  }
  const lease = await storage.acquire(session.id, "own_1", 60_000)
  if (!lease) throw new Error("The session is held.")
  const journal = createJournal({ storage, bus: deps.store.bus, now: Date.now }, session.id, lease.token)
  const context: CallContext = {
    agent: { name: "build" },
    rootSessionID: world.rootSessionID ?? session.id,
    rules,
    workspace: { directory: "/", worktree: "/", instructionPaths: [] },
    outputLimits: defaultOutputLimits,
    tools: await createToolSet(hooks, tools, toolScope({ sessionID: session.id, rootSessionID: session.id })),
  }
  const run: CallHandles = {
    journal,
    signal,
    policies: {
      ...createRepetitionGuard({ settings: {}, canAsk: true, traitsOf: () => undefined }),
      ...createFileWatcher({
        ...{ history: undefined, blobs: storage.blobs, ids: asking.deps.store.ids, journal, signal },
        place: { directory: "/", worktree: "/" },
      }),
    },
    entered: async () => [],
    fitted: async (file) => file,
    delegate: () => Promise.reject(new Error("There are no subagents here.")),
    generator: {
      generate: () => Promise.reject(new Error("There is no model here.")),
      spent: nothingSpent,
      bills: [],
    },
  }
  const readParts = async (): Promise<readonly Part[]> => {
    const { messages } = await storage.readContext(session.id)
    return messages.flatMap(({ parts }) => parts)
  }
  return {
    ...{ asking, storage, session, deps, context, run, readParts },
    newPart: (tool: string, args: JSONValue = {}): UnsettledToolPart => ({
      ...{
        id: deps.store.ids.part(),
        sessionID: session.id,
        messageID: message.id,
        type: "tool",
        callID: "call_1",
        tool,
      },
      state: pending(typeof args === "string" ? args : JSON.stringify(args)),
    }),
    /** Runs the call to its end and stores it; `beside` for one that goes on after a crash. */
    async run(part: UnsettledToolPart, beside?: readonly Part[]) {
      const outcome = await runToolCall(deps, run, context, part, beside)
      await journal.commit([])
      const stored = (await readParts()).find(({ id }) => id === part.id) as ToolPart
      return { outcome, part: stored }
    },
  }
}
