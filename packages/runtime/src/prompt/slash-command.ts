/** A command by its name, and what stands behind it. */
export interface CommandCall {
  readonly name: string
  readonly arguments: string
}

/**
 * The command that a prompt begins with, if its first word looks like one: `/review`, `/team/release`. A path may look
 * like that as well: what is called so in the file system is the caller's to know.
 */
export function slashCommand(text: string): CommandCall | undefined {
  const [, name, rest = ""] = /^\/([A-Za-z\d][\w:./-]*)(?:\s+([^]*))?$/.exec(text.trim()) ?? []
  return name === undefined ? undefined : { name, arguments: rest.trimEnd() }
}
