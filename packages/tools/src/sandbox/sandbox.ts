import type { ToolPlace } from "@pawl/core/tool"
import type { SetAside } from "./left-places.ts"

/** Runs programs where they can change and see only a part of the machine. */
export interface Sandbox {
  /** A directory of its own for what is temporary: absolute, as it is called outside and inside. */
  readonly temporary: { readonly outside: string; readonly inside: string }
  /** What the programs get in their environment in place of other values. */
  readonly env: Readonly<Record<string, string>>
  /** The program and arguments that run `argv` inside, in a directory that is absolute. */
  wrap(argv: readonly string[], place: SandboxPlace): Promise<readonly string[]>
  /**
   * Called before a program runs. The returned function is called once nothing of it runs any more: gives another name to
   * what it left where that would decide over later commands and nothing was before. Further calls tell the same.
   */
  watch(place: SandboxPlace): Promise<() => Promise<readonly SetAside[]>>
  /** Removes what is temporary. Nothing may run inside any more. */
  close(): Promise<void>
}

export interface SandboxPlace extends Pick<ToolPlace, "directory" | "worktree"> {
  /** Where the program starts. */
  readonly cwd: string
}
