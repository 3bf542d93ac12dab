import { createReadStream, createWriteStream, statSync, type Stats } from "node:fs"
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

/** A file as Bun hands it out: nothing is read before it is asked for. */
export class BunFile {
  /** Tells it from other objects, for the shell. */
  readonly isBunFile = true
  /** Absolute. */
  readonly name: string
  readonly type: string

  constructor(path: string | URL, { type = "application/octet-stream" }: { readonly type?: string } = {}) {
    this.name = typeof path === "string" && !path.startsWith("file:") ? resolve(path) : fileURLToPath(path)
    this.type = type
  }

  /** Bytes; 0 where there is no file. */
  get size(): number {
    return this.#stats()?.size ?? 0
  }

  /** Epoch milliseconds. */
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

/** Puts the content in place of the file's, making directories on the way; resolves with the bytes written. */
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
