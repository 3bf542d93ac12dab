import type * as NodePty from "@lydell/node-pty"
import type { Agent, Engine } from "@pawl/core"
import type { PermissionScope } from "@pawl/core/permission"
import type { PluginCommand } from "@pawl/core/plugin"
import type { Provider, StoredAuth } from "@pawl/core/provider"
import type { LeaseHolder, SessionID } from "@pawl/core/storage"
import type { Tool } from "@pawl/core/tool"
import type { Guardian } from "@pawl/process-guard"

/** The program that the app serves. Its functions are called for each request. */
export interface ServerHost {
  readonly engine: Engine
  /** Absolute. The only directory that this app serves. */
  readonly directory: string
  /** Absolute path of the worktree's root, or the directory outside of git. */
  readonly worktree: string
  readonly project: ServerProject
  readonly version: string
  /** Returns the configuration in pawl's form. */
  config(): object | Promise<object>
  agents(): Awaitable<readonly Agent[]>
  commands(): Awaitable<readonly ServerCommand[]>
  providers(): Awaitable<readonly Provider[]>
  log(entry: LogEntry): void
  toast(toast: Toast): void
  /** Returns the tools for models. If missing, lists of tools are empty. */
  tools?(): Awaitable<readonly Tool[]>
  /** Background commands of sessions. If missing, lists of them are empty. */
  readonly shells?: ServerShells
  /** Returns the skills. If missing, lists of skills are empty. */
  skills?(): Awaitable<readonly ServerSkill[]>
  /** Returns the state of MCP servers by name, in OpenCode's form. */
  mcp?(): Awaitable<Readonly<Record<string, object>>>
  /** Changes MCP servers. If missing, they can only be listed. */
  readonly servers?: ServerControl
  /** Stores a provider's credentials in OpenCode's form. If missing, credentials cannot be stored. */
  setAuth?(providerID: string, auth: StoredAuth): Promise<void>
  /** Removes a provider's credentials. If missing, credentials cannot be removed. */
  removeAuth?(providerID: string): Promise<void>
  /** Returns the rules of the configuration. If missing, only pawl's own rules apply to reading files here. */
  permission?(): readonly PermissionScope[]
  /** The user's own configuration. If missing, requests for it are not offered. */
  readonly userConfig?: ServerUserConfig
  /** Applies what has changed in files of configuration. Resolves when this is done. If missing, nothing is applied. */
  reload?(): Promise<void>
  /** Returns the process that works on a session. If missing, runs of other processes are not known here. */
  leaseHolder?(sessionID: SessionID): Promise<LeaseHolder | undefined>
  /** Returns the path of ripgrep. If missing, files are not searched. */
  ripgrep?(): Promise<string>
  /** Parts of this process for terminals. If missing, no terminal can be opened. */
  readonly terminals?: TerminalHost
  /** Worktrees of the directory's git repository. If missing, requests for them are not offered. */
  readonly worktrees?: ServerWorktrees
}

/** The file of the user's own configuration, without what a project or an organization adds. */
export interface ServerUserConfig {
  /** Returns the configuration in pawl's form. Secrets are replaced by placeholders. */
  read(): Promise<object | ConfigRefusal>
  /**
   * Merges a part into the file: objects key by key, all else replaced. If it returns a refusal, nothing was written.
   * Refuses a part with a placeholder.
   */
  merge(part: Readonly<Record<string, unknown>>): Promise<ConfigRefusal | undefined>
}

/** A request about configuration that cannot be done as it is. */
export interface ConfigRefusal {
  /** The reason, with the next step. */
  readonly refusal: string
}

/** Git worktrees in which sessions work beside the directory. The path of a worktree is its root. */
export interface ServerWorktrees {
  /** Returns absolute paths. Empty outside of git. */
  list(): Promise<readonly string[]>
  /** Creates a worktree that did not exist. Default for the name: a generated one */
  create(name?: string): Promise<ServerWorktree | WorktreeRefusal>
  /** Removes a worktree. Refuses if work would be lost, and while a session is at work there. */
  remove(path: string): Promise<WorktreeRefusal | undefined>
  /** Lets a worktree begin again at the commit that is checked out where it was created. Refuses like `remove`. */
  reset(path: string): Promise<WorktreeRefusal | undefined>
}

export interface ServerWorktree {
  readonly name: string
  readonly branch: string
  /** Absolute path of its root. */
  readonly path: string
}

/** A request about worktrees that cannot be done as it is. */
export interface WorktreeRefusal {
  /** The reason, with the next step. */
  readonly refusal: string
  /** Set if the directory is not in a git repository. */
  readonly isOutsideGit: boolean
}

export type TerminalLibrary = Pick<typeof NodePty, "spawn">

/** Parts of this process for terminals, besides the rules of the host. */
export interface TerminalHost {
  /** Ends terminals if this process dies. */
  readonly guardian: Guardian
  /** Returns the environment that calls of bash get, without secrets. */
  environment(): Awaitable<Readonly<Record<string, string>>>
  /** Path of the shell of terminals that name no command. Default: the user's */
  readonly shell?: string
  /** Reason that terminals are not allowed here, with the next step. */
  readonly refusal?: string
  /** Loads the library of terminals. Default: the installed one */
  load?(): Promise<TerminalLibrary>
}

/** Background commands that belong to sessions of this process. */
export interface ServerShells {
  list(sessionID: SessionID): Promise<readonly ServerShell[]>
  /** Returns the end of the output. `omitted`: bytes before it. */
  output(sessionID: SessionID, id: string): Promise<{ readonly text: string; readonly omitted: number }>
  /** Ends a command with all that it started. Returns false if it has ended already. */
  stop(sessionID: SessionID, id: string): Promise<boolean>
}

export interface ServerShell {
  readonly id: string
  readonly command: string
  /** Epoch milliseconds. */
  readonly started: number
  /** Missing while the command runs. */
  readonly end?: {
    readonly exit: number | null
    readonly signal: string | null
    readonly stopped?: "kill" | "timeout" | "abort"
    readonly time: number
  }
  readonly lastLine: string
}

export type Awaitable<T> = T | Promise<T>

export interface ServerProject {
  readonly id: string
  readonly vcs?: "git"
  readonly time: { readonly created: number; readonly updated?: number; readonly initialized?: number }
}

export interface ServerCommand extends PluginCommand {
  /** The template as it is written, for lists. */
  readonly template?: string
  readonly subtask?: boolean
  /** An action that replaces the prompt. */
  readonly does?: "compact"
  readonly source?: "command" | "mcp" | "skill"
}

export interface ServerSkill {
  readonly name: string
  readonly description?: string
  /** Absolute path of its file. */
  readonly location: string
  readonly content: string
}

/** Operations on MCP servers by name. Unknown names reject with NotFoundError. */
export interface ServerControl {
  /** Adds a server until the directory is closed. `config` is in OpenCode's form, as in a configuration file. */
  add(name: string, config: object): Promise<void>
  connect(name: string, signal: AbortSignal): Promise<void>
  /** The server is started again when it is needed. */
  disconnect(name: string): Promise<void>
  /** Begins a sign-in, or returns that which waits for its user. */
  beginAuth(name: string): Promise<ServerSignIn>
  /** Removes the stored tokens. */
  removeAuth(name: string): Promise<void>
}

/** A sign-in to an MCP server that waits for its user. */
export interface ServerSignIn {
  /** The page to open in a browser of this machine. */
  readonly address: string
  readonly state: string
  /** Resolves when the user has signed in. */
  readonly done: Promise<void>
  /** Passes the code of the page that the browser was sent to, if it cannot reach this machine. */
  enter(code: string): Promise<void>
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
