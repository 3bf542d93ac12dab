import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { call, finish, type PluginTest, testPlugin, text } from "@pawl/plugin/testing"
import { builtinTools } from "@pawl/tools"
import { describe, expect, it } from "vitest"
import guard from "./index.ts"

type Step = ReturnType<typeof call>

async function working(options: Record<string, unknown>, calls: readonly Step[], files: Record<string, string> = {}) {
  const replies = [...calls.map((step) => [step]), [text("Done."), finish("stop")]]
  const test = await testPlugin(guard, { options, files, replies, engine: { tools: builtinTools() } })
  await test.ask("Go")
  return test
}

async function outcomes(test: PluginTest): Promise<string[]> {
  return (await test.parts("tool")).map(({ state }) => (state.status === "error" ? state.error : state.status))
}

const protect = [{ files: ["db/migrations/**", "*.lock"] }]

describe("protected files", () => {
  const patch = "*** Begin Patch\n*** Add File: db/migrations/2.sql\n+drop table users;\n*** End Patch"
  it.each([
    call("write", { filePath: "db/migrations/1.sql", content: "" }),
    call("edit", { filePath: "./x/../yarn.lock", oldString: "a", newString: "b" }),
    call("bash", { command: "cd db && echo x > migrations/1.sql", description: "Writes" }),
    call("bash", { command: "echo x > 1.sql", description: "Writes", workdir: "db/migrations" }),
    call("bash", { command: "rm -f 'yarn.lock'", description: "Removes" }),
    call("apply_patch", { patchText: patch }),
  ])("stay as they are, whatever wants to change them: %j", async (step) => {
    await using test = await working({ protect }, [step], { "db/migrations/1.sql": "one", "yarn.lock": "a", "x/y": "" })

    expect(await outcomes(test)).toEqual([expect.stringContaining("is protected")])
    expect(readFileSync(join(test.directory, "db/migrations/1.sql"), "utf8")).toBe("one")
    expect(readFileSync(join(test.directory, "yarn.lock"), "utf8")).toBe("a")
    expect(existsSync(join(test.directory, "db/migrations/2.sql"))).toBe(false)
  })

  it("do not keep others from being changed, nor themselves from being read", async () => {
    const calls = [call("write", { filePath: "db/a.sql", content: "x" }), call("read", { filePath: "yarn.lock" })]
    await using test = await working({ protect }, calls, { "yarn.lock": "a" })
    expect(await outcomes(test)).toEqual(["completed", "completed"])
  })

  it("are explained in the rule's words", async () => {
    const rules = [{ files: ["*.lock"], message: "Let the package manager write it." }]
    await using test = await working({ protect: rules }, [call("write", { filePath: "a.lock", content: "" })])
    expect(await outcomes(test)).toEqual([expect.stringContaining("Let the package manager write it.")])
  })
})

describe("where the shell is", () => {
  const bash = (command: string, more: object = {}) => call("bash", { command, description: "Runs", ...more })
  const files = { "db/migrations/1.sql": "one", "build/1.sql": "x" }

  it.each([
    ["an earlier call has left it in", [bash("cd db"), bash("echo x > migrations/1.sql")]],
    ["several calls have left it in", [bash("cd db"), bash("cd migrations"), bash("rm 1.sql")]],
    ["another call of the same answer goes to", [[bash("cd db"), bash("sleep 0.1; rm -rf migrations")]]],
  ])("is what names are relative to, where %s", async (_, calls) => {
    const replies = [...calls.map((each) => (Array.isArray(each) ? each : [each])), [text("Done."), finish("stop")]]
    const options = { protect }
    await using test = await testPlugin(guard, { options, files, replies, engine: { tools: builtinTools() } })
    await test.ask("Go")
    expect((await outcomes(test)).at(-1)).toContain("is protected")
    expect(readFileSync(join(test.directory, "db/migrations/1.sql"), "utf8")).toBe("one")
  })

  it("may be where nothing is protected", async () => {
    const calls = [bash("cd build"), bash("rm 1.sql"), bash("rm -rf *"), bash("cd .. && echo x > y")]
    await using test = await working({ protect }, calls, files)
    expect(await outcomes(test)).toEqual(["completed", "completed", "completed", "completed"])
  })

  it("is told by the session where this process has not seen it", async () => {
    const replies = [
      [bash("cd db")],
      [text("Done."), finish("stop")],
      [bash("rm -rf migrations")],
      [text("Done."), finish("stop")],
    ]
    const engine = { tools: builtinTools() }
    await using test = await testPlugin(guard, { options: { protect }, files, replies, engine })
    await test.ask("Go")
    await test.engine.plugins.set([{ id: "anew", plugin: guard, options: { protect } }])
    await test.ask("Go on")
    expect((await outcomes(test)).at(-1)).toContain("is protected")
  })

  it("does not count where a call says where it runs", async () => {
    const calls = [bash("cd db"), bash("rm -rf migrations", { workdir: "build" })]
    await using test = await working({ protect }, calls, files)
    expect(await outcomes(test)).toEqual(["completed", "completed"])
  })
})

describe("what has to pass before a command", () => {
  const require = [{ before: "git commit", passed: "./test" }]
  const files = { test: "#!/bin/sh\ntest -e fixed\n", "a.txt": "a" }
  const bash = (command: string) => call("bash", { command, description: "Runs" })
  const ready = bash("git init -q . && chmod +x test")
  const commit = bash("git -C . commit --allow-empty -m done")
  const run = bash("./test")
  const fix = call("write", { filePath: "fixed", content: "" })
  const change = call("write", { filePath: "b.txt", content: "" })
  const refused = expect.stringContaining('Run "./test" by itself first')

  it.each([
    ["never ran", [ready, fix, commit], refused],
    ["failed", [ready, run, commit], refused],
    ["passed", [ready, fix, run, commit], "completed"],
    ["passed before the last change", [ready, fix, run, change, commit], refused],
    ["ran where another command tells how it ended", [ready, bash("./test; true"), commit], refused],
    ["ran the other way round", [ready, bash("! ./test"), commit], refused],
    ["ran in the background", [ready, bash("./test &"), commit], refused],
    ["ran before a change of directory", [ready, bash("./test; cd ."), commit], refused],
    ["ran before a condition", [ready, bash("./test || [[ a ]]"), commit], refused],
    ["ran before an assignment", [ready, bash("./test || x=1"), commit], refused],
    ["passed behind a change of directory", [ready, fix, bash("cd . && ./test 2>&1 > out.txt"), commit], "completed"],
    ["passed after it had failed", [ready, run, fix, run, commit], "completed"],
  ])("where it %s", async (_, calls, last) => {
    await using test = await working({ require }, calls, files)
    expect((await outcomes(test)).at(-1)).toEqual(last)
  })
})

it("with options that are wrong does not start, and names them", async () => {
  await expect(testPlugin(guard, { options: { protekt: [] } })).rejects.toThrow(/protekt/)
  await expect(testPlugin(guard, { options: { protect: [{ files: [] }] } })).rejects.toThrow(/files/)
})
