import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { syncParent } from "@pawl/storage-kit"
import { statusOf } from "./status-of.ts"

/** Characters that are collected for one write. */
const BATCH = 256 * 1024

export type TextSink = (text: string) => Promise<void>

/**
 * Writes a file in pieces of text: as a whole or not at all, readable only by its owner, and durable when this resolves.
 * Replaces an existing file, also through a symbolic link, which stays. A pipe or a terminal gets the text directly.
 */
export async function writeDurably<T>(path: string, write: (sink: TextSink) => Promise<T>): Promise<T> {
  const there = await statusOf(path)
  if (there && !there.isFile()) return writeThrough(path, write)
  const target = there ? await realpath(path) : path
  const unfinished = `${target}.${randomUUID()}.tmp`
  const file = await open(unfinished, "wx", 0o600).catch(naming(target))
  try {
    const result = await writeBatches(file, target, write)
    await file.sync().catch(naming(target))
    await file.close()
    await rename(unfinished, target)
    syncParent(target)
    return result
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Replaces a private file with a text, as `writeDurably` does. Makes missing directories, which only their owner may enter. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably(path, (write) => write(text))
}

async function writeThrough<T>(path: string, write: (sink: TextSink) => Promise<T>): Promise<T> {
  const file = await open(path, "w")
  try {
    return await writeBatches(file, path, write)
  } finally {
    await file.close()
  }
}

async function writeBatches<T>(file: FileHandle, path: string, write: (sink: TextSink) => Promise<T>): Promise<T> {
  let collected = ""
  const flush = async () => {
    const text = collected
    collected = ""
    await file.writeFile(text).catch(naming(path))
  }
  const result = await write(async (text) => {
    collected += text
    if (collected.length >= BATCH) await flush()
  })
  await flush()
  return result
}

/** The system names the unfinished file, or none: this names the one that was asked for. */
function naming(path: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as Error, { path })
  }
}

/** Adds a line to a file, for its owner alone to read. Durable when it resolves. */
export async function appendDurably(path: string, line: string): Promise<void> {
  const file = await open(path, "a", 0o600)
  try {
    await file.writeFile(`${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  syncParent(path)
}

/** A directory that only its owner may look into; those above it are made too. */
export async function privateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  syncParent(path)
}
