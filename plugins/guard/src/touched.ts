import { globSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { ShellCommand, ShellReader } from "@pawl/shell"
import type { ProtectedFiles } from "./protected-files.ts"
import { isPattern, isUnknownWord, type Removal, removalsOf } from "./removals.ts"

/** The effects of a built-in tool's call, as far as its arguments show them. */
export interface Touched {
  /** Changed files, relative to the start of the tool. */
  readonly files: readonly string[]
  readonly removals: readonly Removal[]
  readonly patterns: readonly WrittenPattern[]
  /** As the shell would run them. */
  readonly commands: readonly string[]
  /** Directories that a command changes to. */
  readonly directories: readonly string[]
  /** Set if the tool starts in the shell's directory instead of the session's. */
  readonly isShell: boolean
  readonly workdir: string | undefined
}

/** A word of a writing command that may match several files. */
interface WrittenPattern {
  readonly pattern: string
  /** A file or directory that the command itself declares as written. */
  readonly location: string
}

const nothing: Touched = {
  ...{ files: [], removals: [], patterns: [], commands: [], directories: [], isShell: false, workdir: undefined },
}

export function readCall(tool: string, args: unknown, reader: ShellReader): Touched {
  const { filePath, patchText, command, workdir } = (args ?? {}) as Readonly<Record<string, unknown>>
  if (tool === "bash" && typeof command === "string") {
    const { commands, redirects, directories } = reader.read(command)
    return {
      files: redirects.filter(({ mode }) => mode === "write").map(({ path }) => path),
      removals: removalsOf(commands),
      patterns: commands.flatMap((each) => patternsOf(each, reader)),
      commands: commands.map((each) => each.text),
      directories,
      isShell: true,
      workdir: typeof workdir === "string" ? workdir : undefined,
    }
  }
  if (tool === "apply_patch" && typeof patchText === "string") {
    const named = patchText.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.+)$/gm)
    return { ...nothing, files: [...named].map(([, path = ""]) => path.trim()) }
  }
  const isWritten = ["edit", "write", "multiedit"].includes(tool) && typeof filePath === "string"
  return isWritten ? { ...nothing, files: [filePath] } : nothing
}

function patternsOf({ text, words }: ShellCommand, reader: ShellReader): WrittenPattern[] {
  const patterns = words.slice(1).filter((word) => isPattern(word))
  if (patterns.length === 0) return []
  const written = reader.read(text).redirects.filter(({ mode }) => mode === "write")
  return written.flatMap(({ path: location }) => patterns.map((pattern) => ({ pattern, location })))
}

/** Throws if a call that starts in `start` (absolute) would change or remove something protected. */
export function checkTouched(
  { files, removals, patterns, isShell }: Touched,
  start: string,
  protection: ProtectedFiles,
): void {
  for (const file of files) {
    // Only the shell resolves `..` behind links and expands `~`.
    const path = isShell ? absolute(start, file) : resolve(start, file)
    protection.checkChanged(path)
    for (const removal of removals) {
      for (const removed of removedBy(removal, file, path)) {
        protection.checkRemoved(removed, removal.name)
      }
    }
    for (const { pattern, location } of patterns) {
      if (!isSameLocation(tidy(file), tidy(location))) continue
      for (const each of expanded(afterVariables(pattern), path)) protection.checkChanged(each)
    }
  }
}

/** Returns the paths that a removal affects, given a file or its directory that the command writes. */
function removedBy(
  { path: written, isPattern: isGlob, isBelowDirectory }: Removal,
  file: string,
  path: string,
): string[] {
  const [own, known] = [tidy(afterVariables(written)), tidy(file)]
  if (own === "") return []
  // The word may be any name.
  if (isUnknownWord(own)) return [path]
  if (isGlob) return expanded(own, path)
  if (isBelowDirectory) return [resolve(path, own)]
  return isSameLocation(known, own) ? [path] : []
}

function isSameLocation(known: string, own: string): boolean {
  return known === own || known.endsWith(`/${own}`) || own.endsWith(`/${known}`)
}

/** Expands a pattern. Its names before the first wildcard are part of `location` already. */
function expanded(pattern: string, location: string): string[] {
  const names = pattern.split("/")
  const first = names.findIndex((name) => isPattern(name))
  return globSync(names.slice(first).join("/"), { cwd: location }).map((each) => join(location, each))
}

/** Returns the end of a word after its last variable. */
function afterVariables(word: string): string {
  return /[$`]/.test(word) ? word.replace(/^.*(?:\$\{[^}]*\}|\$\w+|\)|`)\/?/s, "").replaceAll('"', "") : word
}

function tidy(path: string): string {
  return path
    .replaceAll(/\/(?:\.?\/)+/g, "/")
    .replace(/^(?:\.\/)+(?=.)/, "")
    .replace(/(?<=.)\/+$/, "")
}

function absolute(start: string, path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : joined(start, path)
}

/** Keeps `..`, because only the file system knows where it leads behind a link. */
function joined(start: string, path: string): string {
  return path.startsWith("/") ? path : `${start}/${path}`
}
