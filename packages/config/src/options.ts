import type { ConfigOverrides, Env, TextSourceKind } from "./source.ts"

export interface ReadConfigOptions {
  /** Absolute. The working directory. */
  directory: string
  /**
   * Absolute. Files in the directories from here down to `directory` apply. If it is undefined, only those in
   * `directory` do.
   */
  worktree?: string | undefined
  /**
   * `PAWL_CONFIG`, `PAWL_CONFIG_CONTENT`, the corresponding variables of OpenCode, `PAWL_CONFIG_DIR`,
   * `XDG_CONFIG_HOME`, and the variables that `{env:NAME}` refers to.
   */
  env: Env
  /** The home directory; undefined or empty if there is no home directory. */
  home: string | undefined
  /** A file for this run, which replaces the one in `PAWL_CONFIG`. Relative to the directory. */
  file?: string | undefined
  /** A file for this run, which replaces the one in `OPENCODE_CONFIG`. */
  openCodeFile?: string | undefined
  /** Values that override every file. References in them are not replaced. */
  overrides?: ConfigOverrides | undefined
  /**
   * Replaces `{env:…}` and `{file:…}` in all text, or by the kind of its source. Default: true. References can send
   * secrets to an address in the same file, so pass `{ project: false }` for an untrusted project; then its references
   * stay unchanged.
   */
  substitute?: boolean | Partial<Record<TextSourceKind, boolean>> | undefined
}
