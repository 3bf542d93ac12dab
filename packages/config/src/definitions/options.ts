import type { Env } from "../source.ts"

export interface ReadDefinitionsOptions {
  /** Absolute. The nearest definitions are looked for here. */
  readonly directory: string
  /** Absolute. Definitions from here down to the directory count; without it, only those in the directory. */
  readonly worktree?: string | undefined
  /** `PAWL_CONFIG_DIR`, `XDG_CONFIG_HOME`, and what keeps away the definitions of other programs. */
  readonly env: Env
  /** The home directory; undefined or empty if there is no home directory. */
  readonly home: string | undefined
  /** Absolute paths of `skills.paths` in the configuration, lowest precedence first. They take precedence over all others. */
  readonly skillDirectories?: readonly { readonly directory: string; readonly isProject: boolean }[] | undefined
}
