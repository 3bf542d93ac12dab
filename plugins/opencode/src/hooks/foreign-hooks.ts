export type ForeignHandler = (input: unknown, output?: unknown) => unknown

/** What a plugin of OpenCode has returned: any object. */
export type ForeignHooks = Readonly<Record<string, unknown>>

const EXPERIMENTAL = "experimental."

/** The plugin's handler of a hook by its name in OpenCode, or that with the prefix `experimental.`, called as OpenCode calls it. */
export function handlerOf(hooks: ForeignHooks, name: string): ForeignHandler | undefined {
  const bare = withoutPrefix(name)
  const handler = hooks[name] ?? hooks[bare] ?? hooks[EXPERIMENTAL + bare]
  return typeof handler === "function"
    ? (input, output) => (handler as ForeignHandler).call(hooks, input, output)
    : undefined
}

/** Returns what stands in place of the plugin's handler of a hook; undefined if it is a handler, or if there is none. */
export function mistakenHandlerOf(hooks: ForeignHooks, name: string): unknown {
  const value = hooks[name] ?? hooks[EXPERIMENTAL + name]
  return typeof value === "function" || value === null || value === false ? undefined : value
}

/** Returns the name of a hook without the prefix `experimental.`. */
function withoutPrefix(name: string): string {
  return name.startsWith(EXPERIMENTAL) ? name.slice(EXPERIMENTAL.length) : name
}
