import { globSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { ShellReader } from "@pawl/shell"
import type { ProtectedFiles } from "./protected-files.ts"
import { type Removal, removalsOf } from "./removals.ts"

/** What a call of a built-in tool would do, as far as its arguments tell. */
export interface Touched {
  /** Files that it changes; relative to where the tool starts. */
  readonly files: readonly string[]
  readonly removals: readonly Removal[]
  /** As the shell would run them. */
  readonly commands: readonly string[]
  /** Directories that a command changes to. */
  readonly directories: readonly string[]
  /** Whether it starts where the shell is; else in the session's directory. */
  readonly isShell: boolean
  readonly workdir: string | undefined
}

const nothing: Touched = {
  ...{ files: [], removals: [], commands: [], directories: [], isShell: false, workdir: undefined },
}

export function readCall(tool: string, args: unknown, reader: ShellReader): Touched {
  const { filePath, patchText, command, workdir } = (args ?? {}) as Readonly<Record<string, unknown>>
  if (tool === "bash" && typeof command === "string") {
    const { commands, redirects, directories } = reader.read(command)
    return {
      files: redirects.filter(({ mode }) => mode === "write").map(({ path }) => path),
      removals: removalsOf(commands),
      commands: commands.map((each) => each.text),
      directories,
      isShell: true,
      workdir: typeof workdir === "string" ? workdir : undefined,
    }
  }
  if (tool === "apply_patch" && typeof patchText === "string") {
    const named = patchText.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)
    return { ...nothing, files: [...named].map(([, path = ""]) => path.trim()) }
  }
  const isWritten = ["edit", "write", "multiedit"].includes(tool) && typeof filePath === "string"
  return isWritten ? { ...nothing, files: [filePath] } : nothing
}

/** Throws where something protected would be changed or removed by a call that starts in `start`, which is absolute. */
export function checkTouched({ files, removals }: Touched, start: string, protection: ProtectedFiles): void {
  for (const file of files) {
    const path = absolute(start, file)
    protection.checkChanged(path)
    for (const removal of removals) {
      for (const removed of removedBy(removal, file, path)) {
        protection.checkRemoved(removed, removal.name)
      }
    }
  }
}

/** What a removal means for a file, or the directory that it lies in, that the command was found to write. */
function removedBy({ path: written, isPattern, isBelowPlace }: Removal, file: string, path: string): string[] {
  const [own, known] = [tidy(afterVariables(written)), tidy(file)]
  if (own === "") return []
  if (isPattern) {
    const names = own.split("/")
    const first = names.findIndex((name) => /[*?[{]/.test(name))
    return globSync(names.slice(first).join("/"), { cwd: path }).map((each) => join(path, each))
  }
  if (isBelowPlace) return [resolve(path, own)]
  return known === own || known.endsWith(`/${own}`) || own.endsWith(`/${known}`) ? [path] : []
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
