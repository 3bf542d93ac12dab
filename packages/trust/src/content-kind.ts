import { extname } from "node:path/posix"

/**
 * The role of a project's file. `code` is named or imported by another file. `package` lists the packages that code gets.
 */
export type ContentKind =
  | "config"
  | "mcp"
  | "plugin"
  | "tool"
  | "agent"
  | "command"
  | "skill"
  | "package"
  | "code"
  | "other"

/** Files in every directory from the work tree's root down. */
export const CONTENT_FILES = ["pawl.json", "pawl.jsonc", "opencode.json", "opencode.jsonc", ".mcp.json"] as const

/** Directories there, whose files count as far as `contentKind` or their mode says that they are run or read. */
export const CONTENT_DIRECTORIES = [
  ...[".pawl", ".opencode", ".claude/agents", ".claude/commands", ".claude/skills", ".agents/skills"],
] as const

const FOLDERS: ReadonlyMap<string, ContentKind> = new Map([
  ...[["plugin", "plugin"] as const, ["plugins", "plugin"] as const],
  ...[["tool", "tool"] as const, ["tools", "tool"] as const],
  ...[["agent", "agent"] as const, ["agents", "agent"] as const],
  ...[["mode", "agent"] as const, ["modes", "agent"] as const],
  ...[["command", "command"] as const, ["commands", "command"] as const],
  ...[["skill", "skill"] as const, ["skills", "skill"] as const],
])

const PACKAGES = new Set(
  "package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb .npmrc".split(" "),
)
const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".tsx", ".jsx"])
/** Endings of what plugins and commands start, or load besides modules. */
const PROGRAMS = new Set(
  ".sh .bash .zsh .fish .ksh .py .rb .pl .php .lua .awk .ps1 .bat .cmd .exe .com .wasm .node .so .dylib .dll .jar".split(
    " ",
  ),
)

/** By its path, which is relative to the work tree, with slashes. `other`: neither run nor read as configuration. */
export function contentKind(path: string): ContentKind {
  const names = path.split("/")
  const file = names.at(-1) ?? ""
  if (file === ".mcp.json") return "mcp"
  const at = names.findIndex((name) => [".pawl", ".opencode", ".claude", ".agents"].includes(name))
  // A configuration file stands beside the folders, not in them.
  if (/^(?:pawl|opencode)\.jsonc?$/.test(file) && (at < 0 || names.length === at + 2)) return "config"
  const kind = at < 0 || names.length < at + 3 ? undefined : FOLDERS.get(names[at + 1] ?? "")
  const isInstalled = at < 0 || names.length === at + 2 || kind === "plugin" || kind === "tool"
  // Elsewhere below it is a plugin's own cache; what code gets by it is found with the code.
  if (PACKAGES.has(file) && isInstalled) return "package"
  if (kind === "skill") return kind
  if (file.endsWith(".md") && (kind === "agent" || kind === "command")) return kind
  if (isCode(path)) return kind === "plugin" || kind === "tool" ? kind : "code"
  return PROGRAMS.has(extname(path).toLowerCase()) ? "code" : "other"
}

/** Returns true if the file is code that can be loaded and run. */
export function isCode(path: string): boolean {
  return CODE.has(extname(path).toLowerCase())
}
