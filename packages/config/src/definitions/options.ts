import type { Env } from "../source.ts"

export interface ReadDefinitionsOptions {
  /** Absolute. The nearest definitions are looked for here. */
  readonly directory: string
  /** Absolute. Definitions from here down to the directory count; without it, only those in the directory. */
  readonly worktree?: string | undefined
  /** `PAWL_CONFIG_DIR`, `XDG_CONFIG_HOME`, and what keeps away the definitions of other programs. */
  readonly env: Env
  /** The home directory; undefined or empty when there is none. */
  readonly home: string | undefined
  /** What `skills.paths` of the configuration names, absolute, lowest precedence first. They win over all others. */
  readonly skillDirectories?: readonly { readonly directory: string; readonly isProject: boolean }[] | undefined
}
