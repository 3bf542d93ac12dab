import type { ConfigOverrides, Env, TextSourceKind } from "./source.ts"

export interface ReadConfigOptions {
  /** Absolute. The nearest configuration is looked for here. */
  directory: string
  /** Absolute. Files from here down to the directory count; without it, only those in the directory. */
  worktree?: string | undefined
  /** `PAWL_CONFIG`, `PAWL_CONFIG_CONTENT`, those of OpenCode, `PAWL_CONFIG_DIR`, `XDG_CONFIG_HOME`, and what `{env:NAME}` names. */
  env: Env
  /** The home directory; undefined or empty if there is no home directory. */
  home: string | undefined
  /** A file for this run, in place of the one in `PAWL_CONFIG`. Relative to the directory. */
  file?: string | undefined
  /** The same for the one in `OPENCODE_CONFIG`. */
  openCodeFile?: string | undefined
  /** Wins over every file. Taken as it is: nothing is substituted in it. */
  overrides?: ConfigOverrides | undefined
  /**
   * Replaces `{env:…}` and `{file:…}`, for all text or by origin. Default: true. Such text can send secrets to an address in
   * the same file, so pass `{ project: false }` for an untrusted project, whose references then stay unchanged.
   */
  substitute?: boolean | Partial<Record<TextSourceKind, boolean>> | undefined
}
