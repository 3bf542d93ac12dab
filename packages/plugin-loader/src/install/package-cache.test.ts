import { spawn } from "node:child_process"
import { cp, readdir, readFile, readlink, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createGuardian } from "@pawl/process-guard"
import { describe, expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import { testRegistry } from "../../test/registry.ts"
import { createPackageCache } from "./package-cache.ts"

const acme = (version: string, more: Record<string, unknown> = {}) => ({
  manifest: { name: "acme", version, main: "index.js", ...more },
  files: { "index.js": `module.exports = "${version}"` },
})

const guardian = createGuardian()

type Env = Readonly<Record<string, string | undefined>>

async function cacheIn(env: Env, directory?: string, command: [string, ...string[]] = ["npm"]) {
  const home = directory ?? (await testFiles()).root
  return {
    home,
    cache: createPackageCache({ directory: home, npm: { command, env, guardian }, provided: ["@opencode-ai/plugin"] }),
  }
}

describe("a package", () => {
  it("is installed once, without its scripts, and stays what it was resolved to, without a network, until it is updated", async () => {
    const files = await testFiles()
    const script = { scripts: { postinstall: `node -e "require('fs').writeFileSync('${files.path("ran")}', '')"` } }
    const registry = await testRegistry(acme("1.0.0", script))
    const { home, cache } = await cacheIn(registry.env)

    const before = await cache.find("acme")
    const first = await cache.get("acme")
    await registry.publish(acme("1.1.0"))
    const asked = registry.requests.length
    const again = await (await cacheIn(registry.env, home)).cache.get("acme")

    expect(first.record).toMatchObject({ spec: "acme", name: "acme", version: "1.0.0" })
    expect(first.record.integrity).toMatch(/^sha512-/)
    expect(await readFile(join(first.directory, "index.js"), "utf8")).toContain("1.0.0")
    expect(await readdir(files.root)).toEqual([])
    expect(before).toBeUndefined()
    expect(again).toEqual(first)
    expect(await cache.find("acme")).toEqual(first)
    expect(registry.requests).toHaveLength(asked)

    const updated = await cache.update("acme")
    await registry.close()
    expect(updated.record.version).toBe("1.1.0")
    expect(await (await cacheIn(registry.env, home)).cache.get("acme")).toEqual(updated)
    // Who runs with the version before goes on.
    expect(await readFile(join(first.directory, "index.js"), "utf8")).toContain("1.0.0")
    await cache.remove("acme")
    expect(await readdir(home)).toEqual([])
  })

  it("may have a scope, a range, or another name than its own", async () => {
    const registry = await testRegistry(acme("1.0.0"), acme("1.2.0"), acme("2.0.0"), {
      manifest: { name: "@scope/tool", version: "0.3.0" },
      files: {},
    })
    const { cache, home } = await cacheIn(registry.env)

    const found = await Promise.all(["acme@^1", "@scope/tool", "other@npm:acme@1.0.0"].map((spec) => cache.get(spec)))

    expect(found.map(({ record: { name, version } }) => [name, version])).toEqual([
      ["acme", "1.2.0"],
      ["@scope/tool", "0.3.0"],
      ["other", "1.0.0"],
    ])
    expect((await readdir(home)).toSorted()).toEqual(["@scope+tool", "acme@^1", "other@npm%3Aacme@1.0.0"])
  })

  it("comes without peers that are provided, and with those that are not", async () => {
    const peers = (names: string[]) => ({ peerDependencies: Object.fromEntries(names.map((name) => [name, "*"])) })
    const large = { manifest: { name: "@opencode-ai/plugin", version: "1.0.0" }, files: {} }
    const registry = await testRegistry(large, acme("1.0.0", peers(["@opencode-ai/plugin"])), {
      manifest: { name: "needy", version: "1.0.0", ...peers(["acme", "@opencode-ai/plugin"]) },
      files: {},
    })
    const { cache } = await cacheIn(registry.env)
    const modules = async (spec: string) =>
      (await readdir(join((await cache.get(spec)).root, "node_modules"))).filter((name) => !name.startsWith("."))

    expect(await modules("acme")).toEqual(["acme"])
    expect(await modules("needy")).toContain("acme")
  })
})

describe("an installation", () => {
  it("may be made by several at once, and each has a whole one", async () => {
    const registry = await testRegistry(acme("1.0.0"))
    const { home, cache } = await cacheIn(registry.env)

    const both = await Promise.all([cache.get("acme"), (await cacheIn(registry.env, home)).cache.get("acme")])

    for (const { directory } of both) expect(await readFile(join(directory, "index.js"), "utf8")).toContain("1.0.0")
    expect(both.map(({ record }) => record.folder)).toContain((await cache.get("acme")).record.folder)
  })

  it("that was killed in the middle ends npm and is no installation, and what it left goes away", async () => {
    const registry = await testRegistry(acme("1.0.0"))
    const { home, cache } = await cacheIn(registry.env)
    registry.stall()
    const script = `
      import { createGuardian } from ${JSON.stringify(import.meta.resolve("@pawl/process-guard"))}
      import { createPackageCache } from ${JSON.stringify(new URL("./package-cache.ts", import.meta.url).href)}
      const npm = { command: ["npm"], env: ${JSON.stringify(registry.env)}, guardian: createGuardian({ grace: 200 }) }
      await createPackageCache({ directory: ${JSON.stringify(home)}, npm, provided: [] }).get("acme")`
    const args = ["--conditions=@pawl/source", "--input-type=module", "-e", script]
    const child = spawn(process.execPath, args, { stdio: "ignore" })
    const ended = new Promise((end) => void child.on("close", end))
    while (!registry.requests.some((path) => path.endsWith(".tgz"))) await sleep(20)
    const before = await workingIn(home)
    child.kill("SIGKILL")
    await ended
    while ((await workingIn(home)).length > 0) await sleep(20)

    if (process.platform === "linux") expect(before).not.toEqual([])
    const [left = ""] = await readdir(join(home, "acme"))
    expect(left).toMatch(/^\.begun-/)
    const old = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(home, "acme", left), old, old)
    const fresh = await testRegistry(acme("1.0.0"))
    const { record } = await (await cacheIn(fresh.env, home)).cache.get("acme")
    expect(record.version).toBe("1.0.0")
    expect((await readdir(join(home, "acme"))).toSorted()).toEqual([record.folder, "current.json"].toSorted())
    await cache.remove("acme")
  })

  it("that is given up ends npm and leaves nothing", async () => {
    const registry = await testRegistry(acme("1.0.0"))
    const { home, cache } = await cacheIn(registry.env)
    registry.stall()
    const abort = new AbortController()
    const given = cache.get("acme", abort.signal).catch((error: unknown) => error)
    while (!registry.requests.some((path) => path.endsWith(".tgz"))) await sleep(20)
    abort.abort(new Error("stop"))

    expect(await given).toEqual(new Error("stop"))
    expect(await readdir(join(home, "acme"))).toEqual([])
  })

  it("that was copied holds, and one that lost or changed a file does not", async () => {
    const registry = await testRegistry(acme("1.0.0"))
    const { home, cache } = await cacheIn(registry.env)
    const { directory } = await cache.get("acme")
    const copy = (await testFiles()).path("copy")
    onTestFinished(() => rm(copy, { recursive: true, force: true }))
    await cp(home, copy, { recursive: true })

    expect(await cache.verify("acme")).toBe(true)
    expect(await cache.verify("other")).toBe(false)
    const copied = (await cacheIn(registry.env, copy)).cache
    expect((await copied.get("acme")).record.version).toBe("1.0.0")
    await writeFile(join(directory, "index.js"), "module.exports = 'other'")
    expect(await cache.verify("acme")).toBe(false)
    await expect(cache.get("acme")).rejects.toThrow(/acme is not as it was installed: .* Update the plugin/)
    await rm(join((await copied.get("acme")).root, "node_modules"), { recursive: true })
    await expect(copied.get("acme")).rejects.toThrow("has lost files")
    expect((await copied.update("acme")).record.version).toBe("1.0.0")
  })
})

describe("what cannot be installed", () => {
  it("says why, and what to do", async () => {
    const registry = await testRegistry(acme("1.0.0"))
    const { cache } = await cacheIn(registry.env)
    const without = (await cacheIn({ ...registry.env, PATH: "/nowhere" })).cache
    const offline = (await cacheIn({ ...registry.env, npm_config_registry: "http://127.0.0.1:1" })).cache

    const reasons = [cache.get("no-such-thing"), cache.get("acme@^9"), without.get("acme"), offline.get("acme")]

    const told = (await Promise.allSettled(reasons)).map((each) =>
      each.status === "rejected" ? String(each.reason) : "",
    )
    expect(told[0]).toContain("The registry has no no-such-thing. Check the name")
    expect(told[1]).toContain("There is no version of it that acme@^9 allows. Check the version.")
    expect(told[2]).toContain("There is no npm on PATH to install it with. Install npm, which comes with Node.")
    expect(told[3]).toMatch(/The registry cannot be reached \(\w+\), and acme is not installed yet/)
  })
})

/** Processes whose working directory is there; empty where the system does not tell. */
async function workingIn(directory: string): Promise<readonly string[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => "")))
  return ids.filter((_, index) => places[index]?.startsWith(directory))
}
