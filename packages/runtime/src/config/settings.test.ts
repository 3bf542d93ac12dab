import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import type { TrustAnswer, TrustRequest } from "@pawl/trust/decide-trust"
import { readDataLocations, readSettings } from "./settings.ts"

/** Creates a work tree with a directory in it, and the user's own directories. */
async function places() {
  const root = await temporaryDirectory()
  const [project, directory, own] = [join(root, "project"), join(root, "project/deep"), join(root, "own")]
  await Promise.all([mkdir(join(project, ".git"), { recursive: true }), mkdir(own)])
  await mkdir(directory)
  const environment: Record<string, string> = { PAWL_CONFIG_DIR: own, PAWL_DATA_DIR: join(root, "data") }
  return { root, project, directory, own, environment, host: { environment, home: root } }
}

const write = (directory: string, config: object) => writeFile(join(directory, "pawl.jsonc"), JSON.stringify(config))

describe("settings", () => {
  it("come from the user, the named file, the project from its root down, and the environment, in this order", async () => {
    const { root, project, directory, own, environment, host } = await places()
    await Promise.all([
      write(own, { model: "a/own" }),
      write(project, { model: "a/root" }),
      write(directory, { model: "a/deep" }),
    ])
    await writeFile(join(root, "named.jsonc"), "{ /* nothing */ }")
    Object.assign(environment, { PAWL_CONFIG: "~/named.jsonc", PAWL_CONFIG_CONTENT: "{}" })

    const { config, layers, worktree } = await readSettings(host, directory)

    expect(config.model).toBe("a/deep")
    expect(worktree).toBe(project)
    expect(layers.map(({ source, isProject }) => [source, isProject])).toEqual([
      [join(own, "pawl.jsonc"), false],
      [join(root, "named.jsonc"), false],
      [join(project, "pawl.jsonc"), true],
      [join(directory, "pawl.jsonc"), true],
      ["PAWL_CONFIG_CONTENT", false],
    ])
  })

  it("are nothing where nothing is written", async () => {
    const { directory, own, root, host } = await places()

    expect(await readSettings(host, directory)).toMatchObject({
      ...{ config: {}, layers: [], configDirectory: own, dataDirectory: join(root, "data") },
    })
  })

  it("let the user choose where sessions are stored, relative to where that is written", async () => {
    const { root, directory, own, environment, host } = await places()
    delete environment["PAWL_DATA_DIR"]
    await write(own, { data: "sessions" })

    expect((await readSettings(host, directory)).dataDirectory).toBe(join(own, "sessions"))
    await write(own, { data: "~/elsewhere" })
    expect((await readSettings(host, directory)).dataDirectory).toBe(join(root, "elsewhere"))
    environment["PAWL_DATA_DIR"] = "/data"
    expect((await readSettings(host, directory)).dataDirectory).toBe("/data")
  })

  it("tell where sessions are stored though a project's file is broken", async () => {
    const { project, directory, own, environment, host } = await places()
    delete environment["PAWL_DATA_DIR"]
    environment["PLACE"] = "sessions"
    await write(own, { data: "{env:PLACE}" })
    await writeFile(join(project, "pawl.jsonc"), "{")

    expect((await readDataLocations({ ...host, directory })).dataDirectory).toBe(join(own, "sessions"))
    await expect(readSettings(host, directory)).rejects.toThrow("pawl.jsonc")
  })

  it("do not let a project choose where sessions are stored", async () => {
    const { root, project, directory, environment, host } = await places()
    delete environment["PAWL_DATA_DIR"]
    await write(project, { data: "." })

    expect((await readSettings(host, directory)).dataDirectory).toBe(join(root, ".local/share/pawl"))
  })

  it("give a project that is not trusted nothing of the environment, and take no address from it", async () => {
    const { project, own, directory, environment, host } = await places()
    environment["SECRET"] = "hidden"
    await write(own, { provider: { mine: { options: { apiKey: "{env:SECRET}" } } } })
    const theirs = { theirs: { options: { baseURL: "http://127.0.0.1/{env:SECRET}" } } }
    await write(project, { provider: theirs, agent: { plan: { prompt: "{env:SECRET}" } } })

    const { config, layers, trust } = await readSettings(host, directory)

    expect(config.provider).toEqual({ mine: { options: { apiKey: "hidden" } } })
    expect(config.agent?.["plan"]?.prompt).toBe("{env:SECRET}")
    expect(layers.at(-1)?.withheld).toEqual({ provider: theirs })
    expect(trust).toMatchObject({ state: "untrusted", isTrusted: false })
    expect(trust.notices).toEqual([expect.stringContaining("left out: provider, a reference of pawl.jsonc")])
  })

  it("give a project that is trusted what it refers to", async () => {
    const { project, directory, environment, host } = await places()
    environment["SECRET"] = "hidden"
    await write(project, { provider: { theirs: { options: { baseURL: "http://127.0.0.1/{env:SECRET}" } } } })

    const { config, trust } = await readSettings(host, directory, { flag: true })

    expect(config.provider).toEqual({ theirs: { options: { baseURL: "http://127.0.0.1/hidden" } } })
    expect(trust).toMatchObject({ state: "trusted", isTrusted: true, notices: [] })
  })

  it("ask whoever can answer, and remember what is trusted for always", async () => {
    const { project, directory, host } = await places()
    await write(project, { plugin: ["./theirs.js"] })
    const answers: TrustAnswer[] = ["no", "once", "always"]
    const ask = async ({ effects }: TrustRequest) => {
      expect(effects.map(({ does }) => does)).toEqual([["loads the plugin ./theirs.js"]])
      return answers.shift() ?? "no"
    }
    const read = async (options = {}) => (await readSettings(host, directory, options)).config.plugin

    expect(await read({ ask })).toBeUndefined()
    expect(await read({ ask })).toEqual(["./theirs.js"])
    expect(await read()).toBeUndefined()
    expect(await read({ ask })).toEqual(["./theirs.js"])
    expect(await read()).toEqual(["./theirs.js"])
    expect(answers).toEqual([])
  })

  it("do not read what was put in the place of what was shown", async () => {
    const { project, directory, host } = await places()
    await write(project, { plugin: ["./shown.js"] })
    const ask = async () => {
      await write(project, { plugin: ["./hidden.js"] })
      return "always" as const
    }

    await expect(readSettings(host, directory, { ask })).rejects.toThrow("changed while it was read")
    expect((await readSettings(host, directory)).config.plugin).toBeUndefined()
  })

  it("ask nobody about a project that neither runs nor redirects anything", async () => {
    const { project, directory, host } = await places()
    await write(project, { model: "a/b", permission: { bash: "deny" } })
    const ask = () => Promise.reject(new Error("asked"))

    const { config, trust } = await readSettings(host, directory, { ask })

    expect(config.model).toBe("a/b")
    expect(trust.notices).toEqual([])
  })
})
