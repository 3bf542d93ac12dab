import { isPawlPlugin } from "@pawl/core/plugin"

/** A function of a module that starts a plugin, under the name of its export. */
export interface PluginFunction {
  readonly name: string
  readonly start: (input: unknown, options?: unknown) => unknown
}

type Namespace = Readonly<Record<string, unknown>>
type Start = PluginFunction["start"]

/** Whether the module looks like a plugin of OpenCode 1.x: something in it can be started, and it is none of pawl's. */
export function hasPluginFunctions(module: unknown): module is Namespace {
  if (!isObject(module)) return false
  const main = module["default"]
  if (isCompiled(main)) return hasPluginFunctions(withoutMark(main))
  const values = Object.values(module)
  if (values.some((value) => isPawlPlugin(value))) return false
  return values.some((value) => startOf(value) !== undefined || isTerminalPlugin(value))
}

/**
 * What a module starts. One whose default export is an object with `server` starts that; of others every export is
 * started, once each, in their order. Throws TypeError for a module that has an export of another kind, as OpenCode does.
 */
export function pluginFunctions(module: Namespace): readonly PluginFunction[] {
  const main = module["default"]
  if (isCompiled(main)) return pluginFunctions(withoutMark(main))
  if (isObject(main) && typeof main !== "function" && ("server" in main || "tui" in main || "id" in main)) {
    const start = startOf(main)
    if (start) return [{ name: "default", start }]
    if (isTerminalPlugin(main))
      throw new TypeError("It is a plugin for OpenCode's terminal, and has nothing else to run.")
  }
  const seen = new Set<unknown>()
  return Object.entries(module).flatMap(([name, value]): PluginFunction[] => {
    if (seen.has(value)) return []
    seen.add(value)
    const start = startOf(value)
    if (!start) throw new TypeError(`Its export "${name}" is no function: plugins of OpenCode export nothing else.`)
    return [{ name, start }]
  })
}

/** A CommonJS module that was an ES module before it was compiled: to Bun its exports are those, Node has them as one. */
function isCompiled(main: unknown): main is Namespace {
  return isObject(main) && typeof main !== "function" && main["__esModule"] === true
}

function withoutMark(main: Namespace): Namespace {
  return Object.fromEntries(Object.entries(main).filter(([name]) => name !== "__esModule"))
}

function startOf(value: unknown): Start | undefined {
  if (typeof value === "function") return value as Start
  if (!isObject(value) || typeof value["server"] !== "function") return undefined
  const { server } = value as { readonly server: Start }
  return (input, options) => server.call(value, input, options)
}

function isTerminalPlugin(value: unknown): boolean {
  return isObject(value) && typeof value !== "function" && typeof value["tui"] === "function"
}

function isObject(value: unknown): value is Namespace {
  return (typeof value === "object" || typeof value === "function") && value !== null
}
