import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { testFiles } from "./files.ts"

export interface TestPackage {
  readonly manifest: { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, string>>
}

export interface TestRegistry {
  /** What npm needs to ask this registry and none else. */
  readonly env: Readonly<Record<string, string | undefined>>
  publish(one: TestPackage): Promise<void>
  /** Paths that were asked for. */
  readonly requests: readonly string[]
  /** Lets archives wait for ever. */
  stall(): void
  close(): Promise<void>
}

/** An npm registry on loopback, with packages that are made as real ones are. */
export async function testRegistry(...packages: readonly TestPackage[]): Promise<TestRegistry> {
  const files = await testFiles()
  const published = new Map<string, { manifest: TestPackage["manifest"]; archive: Buffer }[]>()
  const requests: string[] = []
  let isStalled = false
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1)
    requests.push(path)
    const [name = "", archive] = path.split("/-/")
    const versions = published.get(name)
    if (!versions)
      return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}')
    if (archive === undefined) return void response.end(JSON.stringify(packument(name, versions, origin())))
    if (!isStalled) response.end(versions.find(({ manifest }) => archive === `${manifest.version}.tgz`)?.archive)
  })
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((closed) => void server.close(closed))
  }
  onTestFinished(close)

  async function publish({ manifest, files: texts }: TestPackage): Promise<void> {
    const home = join(`${manifest.name.replace("/", "+")}-${manifest.version}`, "package")
    await files.write({ [join(home, "package.json")]: JSON.stringify(manifest) })
    for (const [path, text] of Object.entries(texts)) await files.write({ [join(home, path)]: text })
    const target = files.path(`${home}.tgz`)
    await promisify(execFile)("tar", ["-czf", target, "-C", dirname(files.path(home)), "package"])
    published.set(manifest.name, [
      ...(published.get(manifest.name) ?? []),
      { manifest, archive: await readFile(target) },
    ])
  }
  for (const each of packages) await publish(each)
  await mkdir(files.path("home"))
  await writeFile(files.path("home/.npmrc"), "")
  return {
    env: {
      ...{ PATH: process.env["PATH"], HOME: files.path("home"), npm_config_cache: files.path("npm") },
      npm_config_registry: origin(),
    },
    ...{ publish, requests, close },
    stall: () => void (isStalled = true),
  }
}

function packument(
  name: string,
  versions: readonly { manifest: TestPackage["manifest"]; archive: Buffer }[],
  origin: string,
) {
  const withDist = versions.map(({ manifest, archive }) => [
    manifest.version,
    {
      ...manifest,
      dist: {
        tarball: `${origin}/${name}/-/${manifest.version}.tgz`,
        integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      },
    },
  ])
  return { name, "dist-tags": { latest: versions.at(-1)?.manifest.version }, versions: Object.fromEntries(withDist) }
}
