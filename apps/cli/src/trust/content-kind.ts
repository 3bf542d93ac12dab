import { extname } from "node:path/posix"

/**
 * What a file of a project is to pawl. `code`: what another one names or imports. `package`: which packages code is given.
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

/** Directories there, of which every file counts. */
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

/** `path`: relative to the work tree, with slashes. */
export function contentKind(path: string): ContentKind {
  const names = path.split("/")
  const file = names.at(-1) ?? ""
  if (file === ".mcp.json") return "mcp"
  const at = names.findIndex((name) => [".pawl", ".opencode", ".claude", ".agents"].includes(name))
  // A configuration file stands beside the folders, not in them.
  if (/^(?:pawl|opencode)\.jsonc?$/.test(file) && (at < 0 || names.length === at + 2)) return "config"
  if (PACKAGES.has(file)) return "package"
  const kind = at < 0 ? undefined : FOLDERS.get(names[at + 1] ?? "")
  if (names.length < at + 3 || kind === undefined) return isCode(path) ? "code" : "other"
  if (kind === "plugin" || kind === "tool") return isCode(path) ? kind : "other"
  if (kind === "agent" || kind === "command") return file.endsWith(".md") ? kind : "other"
  return kind
}

/** Whether it is loaded and run when something asks for it. */
export function isCode(path: string): boolean {
  return CODE.has(extname(path).toLowerCase())
}
