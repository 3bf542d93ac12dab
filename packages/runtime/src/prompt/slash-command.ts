/** The name of a slash command, and the text after it. */
export interface CommandCall {
  readonly name: string
  readonly arguments: string
}

/**
 * Returns the command that a prompt begins with, if its first word looks like one: `/review`, `/team/release`. A path
 * may look the same: the caller must check that.
 */
export function slashCommand(text: string): CommandCall | undefined {
  const [, name, rest = ""] = /^\/([A-Za-z\d][\w:./-]*)(?:\s+([^]*))?$/.exec(text.trim()) ?? []
  return name === undefined ? undefined : { name, arguments: rest.trimEnd() }
}
