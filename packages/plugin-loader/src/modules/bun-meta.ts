/** What modules for Bun find in `import.meta`, and Node has under other names or nowhere. */
const ASKED = /\bimport\.meta\b(?!\.(?:dirname|filename|main|resolve|url)\b)/

const SETS = [
  "const m = import.meta",
  'm.require ??= process.getBuiltinModule("node:module").createRequire(m.url)',
  "m.dir ??= m.dirname",
  "m.path ??= m.filename",
  'm.file ??= process.getBuiltinModule("node:path").basename(m.filename)',
  "m.env ??= process.env",
].join("; ")

/**
 * An ES module's text that first puts into `import.meta` what Bun has there, if it asks for any of it: bundles made for Bun
 * reach what they require by it. Lines stay where they are.
 */
export function withBunMeta(text: string): string {
  if (!ASKED.test(text)) return text
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

/** The same for a text that becomes a function, where each `import.meta` is an object of its own. */
export function withoutBunMeta(text: string): string {
  return text.replaceAll(BY_NAME, (asked, name: string) => IN_FUNCTION[name] ?? asked)
}
