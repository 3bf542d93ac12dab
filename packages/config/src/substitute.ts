import type { KeyPath } from "./key-path.ts"
import { readText } from "./read-text.ts"
import { shortened } from "./shortened.ts"
import type { Env } from "./source.ts"
import { resolveUserPath, withoutHome } from "./user-path.ts"

export interface SubstituteContext {
  env: Env
  home: string | undefined
  /** The directory that relative paths in `{file:…}` refer to. */
  base: string
  /** Names of the only variables to replace. Default: all variables and files. */
  only?: readonly string[]
}

export interface Substituted {
  value: unknown
  failures: { path: KeyPath; message: string }[]
}

const reference = /\{(env|file):([^{}]*)\}/g

/**
 * Replaces `{env:NAME}` by the variable, empty if unset, and `{file:path}` by the trimmed text of the file, in every
 * string in `value`. Does not replace in keys, nor again in replaced text.
 */
export async function substitute(value: unknown, context: SubstituteContext): Promise<Substituted> {
  const failures: Substituted["failures"] = []

  async function visit(current: unknown, path: KeyPath): Promise<unknown> {
    if (typeof current === "string") return await replaceReferences(current, path)
    if (Array.isArray(current)) return await Promise.all(current.map((item, index) => visit(item, [...path, index])))
    if (typeof current !== "object" || current === null) return current
    const entries = Object.entries(current).map(
      async ([key, child]) => [key, await visit(child, [...path, key])] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  async function replaceReferences(text: string, path: KeyPath): Promise<string> {
    const pieces: string[] = []
    let end = 0
    for (const match of text.matchAll(reference)) {
      const [whole, kind, name = ""] = match
      if (context.only && !(kind === "env" && context.only.includes(name.trim()))) continue
      pieces.push(text.slice(end, match.index))
      pieces.push(
        kind === "env" ? (context.env[name.trim()] ?? "") : await readReferencedFile(name.trim(), whole, path),
      )
      end = match.index + whole.length
    }
    return pieces.join("") + text.slice(end)
  }

  async function readReferencedFile(name: string, whole: string, path: KeyPath): Promise<string> {
    const file = resolveUserPath(name, context)
    if (file === undefined) {
      failures.push({ path, message: withoutHome(shortened(whole)) })
      return ""
    }
    const { text, failure } = await readText(file)
    if (failure !== undefined) {
      // No path is longer.
      const named = file.length > 4096 ? shortened(file) : file
      failures.push({ path, message: `${shortened(whole)}: the file ${named} ${failure}.` })
    }
    return text?.trim() ?? ""
  }

  return { value: await visit(value, []), failures }
}
