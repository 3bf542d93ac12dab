const SEGMENT = /^[a-z\d](?:[a-z\d._-]{0,62}[a-z\d_-])?$/
const RULE =
  'Names are made of lowercase letters a-z, digits, "-", "_" and ".", begin with a letter or digit, and have at most 64 characters'

/**
 * Returns a sentence that says why the name is not valid for an agent, a command or a skill; undefined if it is valid.
 */
export function wrongName(name: string, { isNested }: { isNested: boolean }): string | undefined {
  const segments = isNested ? name.split("/") : [name]
  if (segments.every((segment) => SEGMENT.test(segment)) && segments.length <= 8) return undefined
  const nested = isNested ? ', each part between "/"' : ""
  return `The name ${quoted(name)} is not allowed. ${RULE}${nested}${example(segments)}.`
}

/** Like `wrongName`, for a file of tools. Its name is part of the tool names that the model gets. */
export function wrongToolName(name: string): string | undefined {
  if (/^[A-Za-z][\w-]{0,63}$/.test(name)) return undefined
  return (
    `The name ${quoted(name)} is not allowed. A tool's file is called by letters a-z and A-Z, digits, "-" and "_", ` +
    "begins with a letter, and has at most 64 characters before its ending. Rename it."
  )
}

function example(segments: readonly string[]): string {
  const near = segments.map((segment) =>
    segment
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z\d._-]+/g, "-")
      .replaceAll(/^[-._]+|[-.]+$/g, "")
      .slice(0, 64),
  )
  return near.every((segment) => SEGMENT.test(segment)) ? `, for example ${JSON.stringify(near.join("/"))}` : ""
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name)
}
