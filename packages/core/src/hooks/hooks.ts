import type { z } from "zod"
import { type Deadlines, within } from "../deadlines.ts"
import { HookError, messageOf } from "../errors.ts"
import type { SessionID } from "../ids.ts"
import { isToolName } from "../tool/tool.ts"
import type { HookMap, HookName } from "./hook-map.ts"
import { createPluginFailures, type PluginFailures } from "./plugin-failures.ts"
import type { CalledHookName, HookHandler, HookInput, HookOutput, PluginEntry, PluginHooks } from "./plugin.ts"

type NameOf<C extends HookMap[HookName]["class"]> = {
  [N in CalledHookName]: HookMap[N]["class"] extends C ? N : never
}[CalledHookName]

/**
 * The handlers of all plugins. One that has failed three times in a row is disabled for the session: its transforms and
 * observers are no longer called, and a guard that failed refuses without being called. Guards that work stay, for
 * without them what they guard would be open, and so do its tools.
 */
export interface Hooks {
  /** Whether anyone takes part. Where nobody does, calling costs nothing. */
  has(name: CalledHookName): boolean
  /** The draft after all handlers. The first that throws, is late or leaves nonsense rejects with HookError. */
  guard<N extends NameOf<"guard">>(name: N, input: HookInput<N>, draft: HookOutput<N>): Promise<HookOutput<N>>
  /** The draft after all handlers; one that fails is skipped and reported. */
  transform<N extends NameOf<"transform">>(name: N, input: HookInput<N>, draft: HookOutput<N>): Promise<HookOutput<N>>
  /** Tells all handlers and waits for none; failures are reported. The promise is for those who close. */
  observe<N extends NameOf<"observer">>(name: N, input: HookInput<N>): Promise<void>
  /** The tools of all plugins, in their order. */
  readonly tools: readonly NonNullable<PluginHooks["tool"]>[]
}

export interface HookReports {
  /** A plugin that did not start, a tool that cannot be offered, or a handler that was skipped. */
  failed(error: HookError, sessionID?: SessionID): void
  /** Once for a plugin and a session. */
  disabled(plugin: string, sessionID: SessionID): void
}

interface Loaded {
  readonly id: string
  readonly hooks: PluginHooks
  readonly failures: PluginFailures
}

type Outcome<N extends CalledHookName> = { readonly output: HookOutput<N> } | { readonly error: HookError }

/** Starts the plugins in their order. One that fails to start is reported and left out. */
export async function loadHooks(
  entries: readonly PluginEntry[],
  deadlines: Deadlines,
  reports: HookReports,
): Promise<Hooks> {
  const plugins: Loaded[] = []
  for (const { id, plugin, options = {} } of inOrder(entries)) {
    try {
      const started = Promise.resolve(plugin({ options }))
      const given = await within(deadlines.guardHook, started, () => new Error("it did not start in time"))
      const hooks = typeof given === "object" && given !== null ? given : {}
      plugins.push({ id, hooks, failures: createPluginFailures() })
      for (const name of Object.keys(hooks.tool ?? {})) {
        if (!isToolName(name)) reports.failed(new HookError(id, "tool", unusable(name)))
      }
    } catch (error) {
      reports.failed(new HookError(id, "start", messageOf(error), { cause: error }))
    }
  }
  return createHooks(plugins, deadlines, reports)
}

function createHooks(plugins: readonly Loaded[], deadlines: Deadlines, reports: HookReports): Hooks {
  const taking = (name: CalledHookName) => plugins.filter(({ hooks }) => handlerOf(hooks, name))

  async function call<N extends CalledHookName>(
    { id, hooks, failures }: Loaded,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
  ): Promise<Outcome<N>> {
    const sessionID = sessionOf(input)
    const { hookMap } = await import("./hook-map.ts")
    const isGuard = hookMap[name].class === "guard"
    const deadline = isGuard ? deadlines.guardHook : deadlines.transformHook
    let isRefusal = false
    try {
      const own = structuredClone(draft)
      const run = (async () => handlerOf(hooks, name)?.call(hooks, deepFreeze(structuredClone(input)), own))()
      // Guards refuse by throwing: that is their work, not a failure.
      run.catch(() => (isRefusal = isGuard))
      const returned = await within(deadline, run, () => new Error(`it took longer than ${deadline} ms`))
      const output = readBack(hookMap[name].output, returned, own) as HookOutput<N>
      failures.clear(sessionID, name)
      return { output }
    } catch (cause) {
      const error = new HookError(id, name, messageOf(cause), { cause })
      // The failure of a guard shows in what it refuses.
      if (!isGuard && !failures.isDisabled(sessionID)) reports.failed(error, sessionID)
      if (!isRefusal && failures.add(sessionID, name)) reports.disabled(id, sessionID as SessionID)
      return { error }
    }
  }

  return {
    tools: plugins.flatMap(({ hooks }) => (hooks.tool ? [hooks.tool] : [])),
    has: (name) => taking(name).length > 0,
    async guard(name, input, draft) {
      let output = draft
      for (const plugin of taking(name)) {
        const { id, failures } = plugin
        const sessionID = sessionOf(input)
        if (failures.isDisabled(sessionID) && failures.has(sessionID, name)) throw new HookError(id, name, DISABLED)
        const outcome = await call(plugin, name, input, output)
        if ("error" in outcome) throw outcome.error
        output = outcome.output
      }
      return output
    },
    async transform(name, input, draft) {
      let output = draft
      for (const plugin of taking(name)) {
        if (plugin.failures.isDisabled(sessionOf(input))) continue
        const outcome = await call(plugin, name, input, output)
        if ("output" in outcome) output = outcome.output
      }
      return output
    },
    async observe(name, input) {
      const active = taking(name).filter(({ failures }) => !failures.isDisabled(sessionOf(input)))
      await Promise.all(active.map((plugin) => call(plugin, name, input, {} as HookOutput<typeof name>)))
    },
  }
}

const DISABLED = "it failed three times in a row and is disabled for this session, so what it guards stays refused"

function sessionOf(input: object): SessionID | undefined {
  const about = "event" in input ? (input as HookInput<"event">).event.properties : input
  return "sessionID" in about ? (about.sessionID as SessionID) : undefined
}

function handlerOf<N extends CalledHookName>(hooks: PluginHooks, name: N): HookHandler<N> | undefined {
  const handler: unknown = hooks[name] ?? hooks[`experimental.${name}`]
  return typeof handler === "function" ? (handler as HookHandler<N>) : undefined
}

/** What the handler made of its draft: a value that can be stored. */
function readBack(schema: z.ZodType, returned: unknown, own: unknown): unknown {
  // Concise arrow functions return whatever their last expression is: only what is a draft counts as one.
  const replaced = returned === undefined ? undefined : schema.safeParse(returned)
  const draft = replaced?.success ? replaced.data : schema.parse(own)
  // Throws where there is a cycle, which no storage could write.
  JSON.stringify(draft)
  return draft
}

function unusable(name: string): string {
  return `"${name}" cannot be offered as a tool: rename it to at most 64 letters, digits, "_" and "-".`
}

/** The order of equal priorities is kept. */
function inOrder(entries: readonly PluginEntry[]): PluginEntry[] {
  return entries.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}

function deepFreeze<T>(value: T): T {
  // What is frozen has been here before: values may contain themselves.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}
