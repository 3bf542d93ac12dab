/** Globals that all code in a process relies on, and that are reported when they are replaced. */
const RELIED_ON: readonly (readonly [holder: object, prefix: string, names: readonly string[]])[] = [
  [
    globalThis,
    "",
    ["fetch", "Promise", "setTimeout", "clearTimeout", "setImmediate", "queueMicrotask", "structuredClone"],
  ],
  [globalThis, "", ["AbortController", "URL", "TextEncoder", "TextDecoder", "console", "process", "Buffer"]],
  [JSON, "JSON.", ["parse", "stringify"]],
  [Promise.prototype, "Promise.prototype.", ["then", "catch", "finally"]],
  [Object, "Object.", ["keys", "entries", "freeze", "assign"]],
  [Array.prototype, "Array.prototype.", ["map", "filter", "push"]],
]

/**
 * Records the globals. The returned function returns the names of those that have been replaced since. Runs no code of
 * accessors.
 */
export function watchGlobals(): () => readonly string[] {
  const before = readAll()
  return () => [...readAll()].flatMap(([name, value]) => (Object.is(before.get(name), value) ? [] : [name]))
}

/** Reads the globals. For an accessor, which may load its value, compares the accessor itself. */
function readAll(): Map<string, unknown> {
  return new Map(
    RELIED_ON.flatMap(([holder, prefix, names]) =>
      names.map((name) => {
        const property = new Map<string, unknown>(Object.entries(Object.getOwnPropertyDescriptor(holder, name) ?? {}))
        return [`${prefix}${name}`, property.get("get") ?? property.get("value")] as const
      }),
    ),
  )
}
