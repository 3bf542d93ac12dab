import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"

/** What a version wrote: its files by path, in base64, and all that it read of them. */
interface PackedFixture {
  readonly files: Readonly<Record<string, string>>
  readonly description: unknown
}

/** Packs the files below a directory, but for what belongs to running processes. */
export function packFixture(directory: string, description: unknown): Buffer {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !/^\.pawl\/(?:owner|lock|tmp)\//.test(path))
  const files = paths.sort().map((path) => [path, readFileSync(join(directory, path)).toString("base64")])
  return gzipSync(JSON.stringify({ files: Object.fromEntries(files), description } satisfies PackedFixture))
}

/** Writes the fixture of that name below a directory, with its description beside it, and returns where. */
export function unpackFixture(name: string, below: string): string {
  const packed = readFileSync(new URL(`fixtures/${name}.json.gz`, import.meta.url))
  const { files, description } = JSON.parse(gunzipSync(packed).toString()) as PackedFixture
  const path = join(below, name)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), Buffer.from(content, "base64"))
  }
  writeFileSync(`${path}.json`, JSON.stringify(description))
  return path
}
