import { createReadStream, createWriteStream, statSync, type Stats } from "node:fs"
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, extname, resolve } from "node:path"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { type FileSink, fileSink } from "./file-sink.ts"
import { UnavailableError } from "./unavailable.ts"

const TYPES: Readonly<Record<string, string>> = {
  ...{ ".css": "text/css;charset=utf-8", ".html": "text/html;charset=utf-8", ".txt": "text/plain;charset=utf-8" },
  ...{ ".js": "text/javascript;charset=utf-8", ".ts": "text/javascript;charset=utf-8" },
  ...{ ".json": "application/json;charset=utf-8", ".md": "text/markdown;charset=utf-8", ".pdf": "application/pdf" },
  ...{ ".gif": "image/gif", ".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".png": "image/png" },
  ...{
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".wasm": "application/wasm",
  },
}

/** A file of Bun. Its content is read only on request. */
export class BunFile {
  /** Marks it for the shell. */
  readonly isBunFile = true
  /** Absolute path. */
  readonly name: string
  readonly type: string

  constructor(path: string | URL, { type }: { readonly type?: string } = {}) {
    if (typeof path === "number") throw new UnavailableError("Bun.file of a descriptor")
    this.name = typeof path === "string" && !path.startsWith("file:") ? resolve(path) : fileURLToPath(path)
    this.type = type ?? TYPES[extname(this.name).toLowerCase()] ?? "application/octet-stream"
  }

  /** In bytes; 0 if the file does not exist. */
  get size(): number {
    return this.#stats()?.size ?? 0
  }

  /** In milliseconds since the epoch. */
  get lastModified(): number {
    return this.#stats()?.mtimeMs ?? Date.now()
  }

  #stats(): Stats | undefined {
    return statSync(this.name, { throwIfNoEntry: false })
  }

  async exists(): Promise<boolean> {
    return this.#stats()?.isFile() ?? false
  }

  text(): Promise<string> {
    return readFile(this.name, "utf8")
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.name))
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await readFile(this.name)).buffer
  }

  stream(): ReadableStream {
    return Readable.toWeb(createReadStream(this.name)) as ReadableStream
  }

  /** Returns a writer that replaces the content of the file piece by piece. */
  writer(): FileSink {
    return fileSink(this.name)
  }

  writable(): WritableStream {
    return Writable.toWeb(createWriteStream(this.name)) as WritableStream
  }

  stat(): Promise<Stats> {
    return stat(this.name)
  }

  write(content: Content): Promise<number> {
    return write(this, content)
  }

  delete(): Promise<void> {
    return rm(this.name)
  }

  unlink(): Promise<void> {
    return this.delete()
  }
}

export type Content = string | NodeJS.ArrayBufferView | ArrayBuffer | Blob | Response | BunFile | readonly unknown[]

/** Replaces the content of the file, and creates missing directories. Resolves with the number of bytes written. */
export async function write(target: string | URL | BunFile, content: Content): Promise<number> {
  const { name } = target instanceof BunFile ? target : new BunFile(target)
  const bytes = await bytesOf(content)
  await mkdir(dirname(name), { recursive: true })
  await writeFile(name, bytes)
  return bytes.byteLength
}

async function bytesOf(content: Content): Promise<Uint8Array> {
  if (typeof content === "string") return Buffer.from(content)
  if (content instanceof BunFile) return content.bytes()
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  if (content instanceof Blob || content instanceof Response) return new Uint8Array(await content.arrayBuffer())
  return new Uint8Array(await new Blob(content as ConstructorParameters<typeof Blob>[0]).arrayBuffer())
}
