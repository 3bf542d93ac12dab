/** Properties of `import.meta` that Bun has, but Node lacks or has under other names. */
const BUN_PROPERTY = /\bimport\.meta\b(?!\.(?:dirname|filename|main|resolve|url)\b)/

const SETS = [
  "const m = import.meta",
  'm.require ??= process.getBuiltinModule("node:module").createRequire(m.url)',
  "m.dir ??= m.dirname",
  "m.path ??= m.filename",
  'm.file ??= process.getBuiltinModule("node:path").basename(m.filename)',
  "m.env ??= process.env",
].join("; ")

/**
 * Adds Bun's properties of `import.meta` to an ES module that uses any. Bundles for Bun use them to require modules.
 * Line numbers do not change.
 */
export function withBunMeta(text: string): string {
  if (!BUN_PROPERTY.test(text)) return text
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0
  return `${text.slice(0, start)}{ ${SETS} } ${text.slice(start)}`
}

const BY_NAME = /\bimport\.meta\.(dir|env|file|path|require)\b/g

const IN_FUNCTION: Readonly<Record<string, string>> = {
  dir: "import.meta.dirname",
  env: "process.env",
  file: 'import.meta.filename.replace(/.*[\\\\/]/, "")',
  path: "import.meta.filename",
  require: "require",
}

/** Like `withBunMeta` for a text that becomes a function, where each `import.meta` is a separate object. */
export function withoutBunMeta(text: string): string {
  return text.replaceAll(BY_NAME, (asked, name: string) => IN_FUNCTION[name] ?? asked)
}
