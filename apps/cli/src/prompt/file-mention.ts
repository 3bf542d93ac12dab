import { stat } from "node:fs/promises"
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { LineRange } from "../run/attachment.ts"

/** A file that a prompt names. */
export interface FileMention {
  /** Absolute. */
  readonly path: string
  readonly lines?: LineRange
}

/** The file or directory that is written so, with `#L10` or `#L10-20` behind it; undefined where there is none. */
export async function fileMention(written: string, directory: string): Promise<FileMention | undefined> {
  const [, name = "", first, last] = /^(.*?)#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(written) ?? []
  const path = await existing(written, directory)
  if (path !== undefined) return { path }
  if (first === undefined) return undefined
  const ranged = await existing(name, directory)
  if (ranged === undefined) return undefined
  return { path: ranged, lines: { first: Number(first), last: Number(last ?? first) } }
}

async function existing(written: string, directory: string): Promise<string | undefined> {
  if (written === "" || written.includes("\0")) return undefined
  const path = written.startsWith("~/") ? resolve(homedir(), written.slice(2)) : resolve(directory, written)
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() || found?.isDirectory() ? path : undefined
}
