import type { Config } from "./schema.ts"

/** Environment variables, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Top-level values that override every file. An undefined value is treated as absent, so that flags can be passed
 * unchanged.
 */
export type ConfigOverrides = { readonly [Key in keyof Config]?: Config[Key] | undefined }

/** The origin of text: the user's own file, a file named for this run, a project's file, or a variable. */
export type TextSourceKind = "global" | "file" | "project" | "content"

/** The origin of a layer: text, an organization that the user has signed in to, or a program. */
export type LayerKind = TextSourceKind | "organization" | "overrides"

interface Named {
  /** Absolute path, or the name of a source that is not a file. */
  name: string
  /** The name in messages: short if it is unambiguous. */
  label: string
}

export interface FileSource extends Named {
  kind: "global" | "file" | "project"
  /** The text to read in place of the file's, which may not exist. */
  text?: string
  /** True for OpenCode's format, whose unknown keys are ignored. */
  isOpenCode?: boolean
  /** The option or variable that names the file, for a file of kind `file`. */
  namedBy?: string
}

export interface ContentSource extends Named {
  kind: "content"
  text: string
  isOpenCode?: boolean
}

interface OverridesSource extends Named {
  kind: "overrides"
  value: object
}

export type Source = FileSource | ContentSource | OverridesSource
