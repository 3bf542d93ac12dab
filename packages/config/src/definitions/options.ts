import type { Env } from "../source.ts"

export interface ReadDefinitionsOptions {
  /** Absolute. The working directory. */
  readonly directory: string
  /**
   * Absolute. Definitions in the directories from here down to `directory` apply. If it is undefined, only those in
   * `directory` do.
   */
  readonly worktree?: string | undefined
  /** `PAWL_CONFIG_DIR`, `XDG_CONFIG_HOME`, and the variables that disable definitions of other programs. */
  readonly env: Env
  /** The home directory; undefined or empty if there is no home directory. */
  readonly home: string | undefined
  /**
   * Absolute paths of `skills.paths` in the configuration, lowest precedence first. They override all other
   * directories.
   */
  readonly skillDirectories?: readonly { readonly directory: string; readonly isProject: boolean }[] | undefined
}
