import { globSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { ShellCommand, ShellReader } from "@pawl/shell"
import type { ProtectedFiles } from "./protected-files.ts"
import { isPattern, isUntold, type Removal, removalsOf } from "./removals.ts"

/** What a call of a built-in tool would do, as far as its arguments tell. */
export interface Touched {
  /** Files that it changes; relative to where the tool starts. */
  readonly files: readonly string[]
  readonly removals: readonly Removal[]
  readonly patterns: readonly WrittenPattern[]
  /** As the shell would run them. */
  readonly commands: readonly string[]
  /** Directories that a command changes to. */
  readonly directories: readonly string[]
  /** Whether it starts where the shell is; else in the session's directory. */
  readonly isShell: boolean
  readonly workdir: string | undefined
}

/** A word that may stand for several files of a command that writes. */
interface WrittenPattern {
  readonly pattern: string
  /** One of the files or directories that this command writes, as it says itself. */
  readonly place: string
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
  return written.flatMap(({ path: place }) => patterns.map((pattern) => ({ pattern, place })))
}

/** Throws where something protected would be changed or removed by a call that starts in `start`, which is absolute. */
export function checkTouched(
  { files, removals, patterns, isShell }: Touched,
  start: string,
  protection: ProtectedFiles,
): void {
  for (const file of files) {
    // Other tools take names as they are written: `..` for what stands before it, `~` for a name.
    const path = isShell ? absolute(start, file) : resolve(start, file)
    protection.checkChanged(path)
    for (const removal of removals) {
      for (const removed of removedBy(removal, file, path)) {
        protection.checkRemoved(removed, removal.name)
      }
    }
    for (const { pattern, place } of patterns) {
      if (!isSamePlace(tidy(file), tidy(place))) continue
      for (const each of expanded(afterVariables(pattern), path)) protection.checkChanged(each)
    }
  }
}

/** What a removal means for a file, or the directory that it lies in, that the command was found to write. */
function removedBy({ path: written, isPattern: isGlob, isBelowPlace }: Removal, file: string, path: string): string[] {
  const [own, known] = [tidy(afterVariables(written)), tidy(file)]
  if (own === "") return []
  // Any name may be read while it runs.
  if (isUntold(own)) return [path]
  if (isGlob) return expanded(own, path)
  if (isBelowPlace) return [resolve(path, own)]
  return isSamePlace(known, own) ? [path] : []
}

function isSamePlace(known: string, own: string): boolean {
  return known === own || known.endsWith(`/${own}`) || own.endsWith(`/${known}`)
}

/** What is there of a pattern. Its names without stars are part of the place already. */
function expanded(pattern: string, place: string): string[] {
  const names = pattern.split("/")
  const first = names.findIndex((name) => isPattern(name))
  return globSync(names.slice(first).join("/"), { cwd: place }).map((each) => join(place, each))
}

/** What stands behind the last variable of a word: its end is known. */
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

/** `..` stays, for the file system alone knows where it leads behind a link. */
function joined(start: string, path: string): string {
  return path.startsWith("/") ? path : `${start}/${path}`
}
