import type { Agent, Engine } from "@pawl/core"
import type { PermissionScope } from "@pawl/core/permission"
import type { PluginCommand } from "@pawl/core/plugin"
import type { Provider, StoredAuth } from "@pawl/core/provider"
import type { Tool } from "@pawl/core/tool"

/** What the app is a view of. Functions are asked anew with each request. */
export interface ServerHost {
  readonly engine: Engine
  /** Absolute: the one directory that this app speaks for. */
  readonly directory: string
  /** Absolute: the git work tree's root, or the directory outside of git. */
  readonly worktree: string
  readonly project: ServerProject
  readonly version: string
  /** The configuration in pawl's form. */
  config(): object | Promise<object>
  agents(): Awaitable<readonly Agent[]>
  commands(): Awaitable<readonly ServerCommand[]>
  providers(): Awaitable<readonly Provider[]>
  log(entry: LogEntry): void
  toast(toast: Toast): void
  /** What the model may be offered; absent: lists of tools are empty. */
  tools?(): Awaitable<readonly Tool[]>
  /** The state of MCP servers by name, in OpenCode's form. */
  mcp?(): Awaitable<Readonly<Record<string, object>>>
  /** Keeps what a provider is signed in with, in OpenCode's form; absent: it cannot be kept. */
  setAuth?(providerID: string, auth: StoredAuth): Promise<void>
  /** Forgets it; absent: as with `setAuth`. */
  removeAuth?(providerID: string): Promise<void>
  /** The rules of the configuration, as the engine has them; absent: pawl's own alone bind those who read files here. */
  permission?(): readonly PermissionScope[]
  /** Where ripgrep is; absent: files are not searched. */
  ripgrep?(): Promise<string>
}

export type Awaitable<T> = T | Promise<T>

export interface ServerProject {
  readonly id: string
  readonly vcs?: "git"
  readonly time: { readonly created: number; readonly updated?: number; readonly initialized?: number }
}

export interface ServerCommand extends PluginCommand {
  /** As it is written, for lists. */
  readonly template?: string
  readonly subtask?: boolean
  /** Done in place of its prompt. */
  readonly does?: "compact"
  readonly source?: "command" | "mcp" | "skill"
}

export interface LogEntry {
  readonly service: string
  readonly level: "debug" | "info" | "error" | "warn"
  readonly message: string
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

export interface Toast {
  readonly title?: string | undefined
  readonly message: string
  readonly variant: "info" | "success" | "warning" | "error"
  /** Milliseconds. */
  readonly duration?: number | undefined
}
