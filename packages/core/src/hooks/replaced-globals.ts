/** What everything in a process relies on, and what is named when it is another than before. */
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

/** Takes note of what everybody relies on; the function names what has been replaced since. Reading runs no code. */
export function watchGlobals(): () => readonly string[] {
  const before = readAll()
  return () => [...readAll()].flatMap(([name, value]) => (Object.is(before.get(name), value) ? [] : [name]))
}

/** Some are accessors that load what they give: what counts is the accessor itself. */
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
