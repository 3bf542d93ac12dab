import type { ToolLocation } from "@pawl/core/tool"
import type { SetAside } from "./left-places.ts"

/** Runs programs that can see and change only a part of the machine. */
export interface Sandbox {
  /** Absolute path of the private temporary directory, outside and inside of the sandbox. */
  readonly temporary: { readonly outside: string; readonly inside: string }
  /** Environment variables that override the programs' own. */
  readonly env: Readonly<Record<string, string>>
  /** Returns the program and arguments that run `argv` inside, in an absolute directory. */
  wrap(argv: readonly string[], workspace: SandboxWorkspace): Promise<readonly string[]>
  /**
   * Called before a program runs. Call the returned function when none of its processes runs any more: it renames new
   * files that later commands would obey. Further calls return the same result.
   */
  watch(workspace: SandboxWorkspace): Promise<() => Promise<readonly SetAside[]>>
  /** Removes the temporary directory. No program may run inside any more. */
  close(): Promise<void>
}

export interface SandboxWorkspace extends Pick<ToolLocation, "directory" | "worktree"> {
  /** Directory where the program starts. */
  readonly cwd: string
}
