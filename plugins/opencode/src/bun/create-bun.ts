import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { inspect, isDeepStrictEqual, stripVTControlCharacters } from "node:util"
import { gunzipSync, gzipSync } from "node:zlib"
import type { Guardian } from "@pawl/process-guard"
import { BunFile, type Content, write } from "./bun-file.ts"
import { Glob } from "./glob.ts"
import { CryptoHasher, hash } from "./hash.ts"
import { serve } from "./serve/serve.ts"
import { createSpawn } from "./spawn.ts"
import { unavailable } from "./unavailable.ts"
import { findProgram, type WhichOptions } from "./which.ts"

/** Parts of Bun without a replacement: using one throws an error with its name. */
export const missingParts = [
  "Cookie",
  "CookieMap",
  "FFI",
  "FileSystemRouter",
  "HTMLRewriter",
  "JSONL",
  "RedisClient",
  "S3Client",
  "SQL",
  "TOML",
  "Transpiler",
  "YAML",
  "build",
  "connect",
  "dns",
  "listen",
  "markdown",
  "password",
  "peek",
  "plugin",
  "postgres",
  "randomUUIDv7",
  "redis",
  "s3",
  "secrets",
  "semver",
  "sql",
  "stderr",
  "stdin",
  "stdout",
  "stringWidth",
  "udpSocket",
] as const

const missing = Object.fromEntries(missingParts.map((name) => [name, unavailable(`Bun.${name}`)])) as Readonly<
  Record<(typeof missingParts)[number], ReturnType<typeof unavailable>>
>

/** The shell that becomes `Bun.$`. */
interface BunShell {
  readonly ShellError: unknown
}

/**
 * Implements the parts of Bun's global object that plugins use, with Node. The guardian ends processes if this process
 * dies.
 */
export function createBun<Shell extends BunShell>($: Shell, guardian: Guardian) {
  const { spawn, spawnSync } = createSpawn(guardian)
  return {
    ...missing,
    $,
    // Plugins read it to find out which functions exist.
    version: "1.3.0",
    revision: "",
    get env() {
      return process.env
    },
    get argv() {
      return process.argv
    },
    get main() {
      return process.argv[1] ?? ""
    },
    get cwd() {
      return () => process.cwd()
    },
    file: (path: string | URL, options?: { readonly type?: string }) => new BunFile(path, options),
    write: (target: string | URL | BunFile, content: Content) => write(target, content),
    ...{ serve, spawn, spawnSync, hash, CryptoHasher, Glob, ShellError: $.ShellError },
    which: (name: string, options?: WhichOptions) => findProgram(name, options) ?? null,
    sleep: (until: number | Date) =>
      pause(Math.max(0, typeof until === "number" ? until : until.getTime() - Date.now())),
    sleepSync: (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
    nanoseconds: () => Number(process.hrtime.bigint()),
    ...{ fileURLToPath, inspect, stripANSI: stripVTControlCharacters },
    pathToFileURL: (path: string) => pathToFileURL(path),
    resolveSync: (specifier: string, parent: string) => import.meta.resolve(specifier, pathToFileURL(parent).href),
    deepEquals: (a: unknown, b: unknown) => isDeepStrictEqual(a, b),
    escapeHTML,
    gc: () => undefined,
    gzipSync: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
    gunzipSync: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes)),
    readableStreamToText: (stream: ReadableStream) => new Response(stream).text(),
    readableStreamToJSON: (stream: ReadableStream) => new Response(stream).json(),
    readableStreamToBytes: async (stream: ReadableStream) => new Uint8Array(await new Response(stream).arrayBuffer()),
    readableStreamToArrayBuffer: (stream: ReadableStream) => new Response(stream).arrayBuffer(),
    readableStreamToBlob: (stream: ReadableStream) => new Response(stream).blob(),
  }
}

export type BunShim = ReturnType<typeof createBun>

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
}

function escapeHTML(text: unknown): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
