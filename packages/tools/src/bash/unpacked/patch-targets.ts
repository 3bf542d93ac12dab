import { MAX_MEMBERS, type Member } from "./member.ts"

const HEADER = /^(?:---|\+\+\+|\*\*\*|Index:|rename (?:from|to)|copy (?:from|to)|diff --git) +(.+?)\r?$/gm

/**
 * Returns the files that a patch names, with all names that `patch` may choose. Undefined for a patch in an email
 * encoding, and for an `ed` script, which may write any file. `strip`: number of leading path components to remove.
 * Default: any number.
 */
export function patchTargets(text: string, strip: number | undefined): readonly Member[] | undefined {
  if (/^Content-Transfer-Encoding: *(?:base64|quoted-printable)/im.test(text)) return undefined
  const found = new Set<string>()
  for (const [line, rest = ""] of text.matchAll(HEADER)) {
    if (/^\*\*\* \d+(?:,\d+)? \*{4}/.test(line) || /^--- \d+(?:,\d+)? -{4}/.test(line)) continue
    const names = line.startsWith("diff --git") ? gitNames(rest) : namesOf(rest)
    for (const name of names) if (name !== "/dev/null") for (const path of stripped(name, strip)) found.add(path)
    if (found.size > MAX_MEMBERS) return undefined
  }
  if (found.size === 0 && /^\d+(?:,\d+)?[acdis]\r?$/m.test(text)) return undefined
  return Array.from(found, (path) => ({ path }))
}

/** A name ends at a tab, or before a time after blanks. It may be quoted. */
function namesOf(rest: string): string[] {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1]
  if (quoted !== undefined) return [unquoted(quoted)]
  const [whole = ""] = rest.split("\t", 1)
  return [...new Set([whole, whole.replace(/\s+\d{4}-\d\d-\d\d .*$/, ""), whole.split(/\s/, 1)[0] ?? ""])]
}

/** Both names are the same except for their first component; otherwise later lines contain the names. */
function gitNames(rest: string): string[] {
  const quoted = Array.from(rest.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, name = ""]) => unquoted(name))
  const words = rest.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").trim()
  const middle = words.slice(0, (words.length - 1) / 2)
  return [...quoted, ...(words === "" ? [] : [middle, words.slice(middle.length + 1), ...words.split(" ")])]
}

const ESCAPES: Readonly<Record<string, string>> = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }

/** Decodes the octal escapes of bytes in a quoted name. */
function unquoted(name: string): string {
  const bytes = name.replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter = "") =>
    octal === undefined
      ? (ESCAPES[letter as string] ?? String(letter))
      : String.fromCodePoint(Number.parseInt(octal, 8)),
  )
  return /[\u0080-\u00ff]/.test(bytes) && !/[\u0100-\uffff]/.test(bytes)
    ? Buffer.from(bytes, "latin1").toString("utf8")
    : bytes
}

function stripped(name: string, strip: number | undefined): string[] {
  const names = name.split(/\/+/)
  // Without the option, `patch` may remove any number of components.
  if (strip === undefined) return names.map((_, at) => names.slice(at).join("/"))
  return strip < names.length ? [names.slice(strip).join("/")] : []
}
