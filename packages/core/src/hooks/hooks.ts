import { type Deadlines, within } from "../deadlines.ts"
import { HookError, messageOf } from "../errors.ts"
import type { HookMap, HookName } from "./hook-map.ts"
import type { CalledHookName, HookHandler, HookInput, HookOutput, PluginEntry, PluginHooks } from "./plugin.ts"

type NameOf<C extends HookMap[HookName]["class"]> = {
  [N in CalledHookName]: HookMap[N]["class"] extends C ? N : never
}[CalledHookName]

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

export type HookFailure = (error: HookError) => void

interface Loaded {
  readonly id: string
  readonly hooks: PluginHooks
}

/** Starts the plugins in their order. One that fails to start is reported and left out. */
export async function loadHooks(
  entries: readonly PluginEntry[],
  deadlines: Deadlines,
  report: HookFailure,
): Promise<Hooks> {
  const plugins: Loaded[] = []
  for (const entry of inOrder(entries)) {
    try {
      const started = Promise.resolve(entry.plugin({ options: entry.options ?? {} }))
      const hooks = await within(deadlines.guardHook, started, () => new Error("it did not start in time"))
      plugins.push({ id: entry.id, hooks: withoutPrefix(hooks) })
    } catch (error) {
      report(new HookError(entry.id, "start", messageOf(error), { cause: error }))
    }
  }
  return createHooks(plugins, deadlines, report)
}

function createHooks(plugins: readonly Loaded[], deadlines: Deadlines, report: HookFailure): Hooks {
  const taking = (name: CalledHookName) => plugins.filter(({ hooks }) => typeof hooks[name] === "function")

  async function call<N extends CalledHookName>(
    { id, hooks }: Loaded,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    deadline: number,
  ): Promise<HookOutput<N>> {
    try {
      const { hookMap } = await import("./hook-map.ts")
      const own = structuredClone(draft)
      const handler = hooks[name] as HookHandler<N>
      const run = (async () => handler(deepFreeze(structuredClone(input)), own))()
      const returned = await within(deadline, run, () => new Error(`it took longer than ${deadline} ms`))
      const { output } = hookMap[name]
      // Concise arrow functions return whatever their last expression is: only what is a draft counts as one.
      const replaced = returned === undefined ? undefined : output.safeParse(returned)
      return (replaced?.success ? replaced.data : output.parse(own)) as HookOutput<N>
    } catch (error) {
      throw error instanceof HookError ? error : new HookError(id, name, messageOf(error), { cause: error })
    }
  }

  return {
    tools: plugins.flatMap(({ hooks }) => (hooks.tool ? [hooks.tool] : [])),
    has: (name) => taking(name).length > 0,
    async guard(name, input, draft) {
      let output = draft
      for (const plugin of taking(name)) output = await call(plugin, name, input, output, deadlines.guardHook)
      return output
    },
    async transform(name, input, draft) {
      let output = draft
      for (const plugin of taking(name)) {
        try {
          output = await call(plugin, name, input, output, deadlines.transformHook)
        } catch (error) {
          report(error as HookError)
        }
      }
      return output
    },
    async observe(name, input) {
      const told = taking(name).map((plugin) =>
        call(plugin, name, input, {} as HookOutput<typeof name>, deadlines.transformHook).catch((error: unknown) =>
          report(error as HookError),
        ),
      )
      await Promise.all(told)
    },
  }
}

function inOrder(entries: readonly PluginEntry[]): PluginEntry[] {
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort(
      (a, b) =>
        (b.entry.priority ?? 0) - (a.entry.priority ?? 0) || a.index - b.index || (a.entry.id < b.entry.id ? -1 : 1),
    )
    .map(({ entry }) => entry)
}

function withoutPrefix(hooks: PluginHooks): PluginHooks {
  if (typeof hooks !== "object" || hooks === null) return {}
  const named = Object.entries(hooks).map(([name, value]) => [name.replace(/^experimental\./, ""), value])
  return Object.fromEntries(named) as PluginHooks
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
