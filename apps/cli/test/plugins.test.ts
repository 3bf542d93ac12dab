import { access, mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const TICKET = `import { definePlugin, tool, z } from "@pawl/plugin"
enum Colour { Blue = "blue" }
export default definePlugin(({ options }) => ({
  tool: {
    ticket: tool({
      description: "Reads a ticket",
      args: { number: z.number().int() },
      effect: "pure",
      execute: ({ number }) => \`Ticket \${number}: \${options.colour ?? Colour.Blue}.\`,
    }),
  },
  "tool.execute.before": ({ tool }, { args }) => {
    if (tool === "bash" && JSON.stringify(args).includes("--force")) throw new Error("Not with --force.")
  },
  "tool.execute.after": (_input, output) => { output.output += " Seen." },
  "chat.system.transform": (_input, output) => { output.system.push("Tickets are blue.") },
}))
`

/** As OpenCode has them: several exports, no kit of pawl's. */
const SHOUT = `import { tool } from "@opencode-ai/plugin"
import { text } from "./words"
export const Shout = async ({ $, client, directory }) => {
  const echoed = (await $\`echo \${text}\`.text()).trim()
  return {
    tool: {
      shout: tool({
        description: "Shouts",
        args: { text: tool.schema.string() },
        async execute(args, context) {
          const { data } = await client.session.get({ path: { id: context.sessionID } })
          return args.text.toUpperCase() + echoed + (data.directory === directory) + typeof Bun.file
        },
      }),
    },
  }
}
`

const write = async (root: string, files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

type Step = ReturnType<typeof text>

/** A module that tells that it was run. */
const telling = (path: string) =>
  `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(path)}, "run")\n`

async function place(files: Readonly<Record<string, string>>, ...replies: readonly Step[][]) {
  const there = await workplace()
  await write(there.project, files)
  const server = await modelServer({ replies: replies.map((parts) => reply(...parts)) })
  const run = (...args: readonly string[]) =>
    there.pawl(["run", "-m", "custom/test", "--base-url", server.url, ...args])
  const sent = (index: number) => JSON.stringify(chatRequest(server.requests.at(index)))
  return { ...there, server, run, sent, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

it("is no success where a plugin ends the process", async () => {
  const ending = 'export default async () => ({ "chat.params": async () => process.exit(0) })\n'
  await using here = await place({ ".opencode/plugin/ending.ts": ending }, [text("Done.")])

  const run = await here.run("--trust", "go")

  expect(run.code).toBe(1)
  expect(run.stderr).toMatch(
    /the plugin \S+\/ending\.ts \(\S+\/ending\.ts:1\) ended this process by process\.exit before its work was done/,
  )
})

const ENDINGS: readonly (readonly [string, string])[] = [
  ["process.exit(7)", "process.exit"],
  ["exit(0)", "process.exit"],
  ["process.reallyExit(0)", "process.reallyExit"],
  ["process.abort()", "process.abort"],
  ["process.kill(process.pid)", "process.kill"],
  ['process.kill(process.pid, "SIGKILL")', "process.kill"],
]

describe.each(ENDINGS)("a plugin that calls %s", (code, name) => {
  const named = (text: string) =>
    new RegExp(String.raw`the plugin \S+/ending\.ts \(\S+/ending\.ts:2\) ended this process by ${text}`)
  const json = (stdout: string) => jsonLines(stdout).at(-1) as { readonly sessionID?: string }

  it("is named with --json, and does not choose the exit code: in a hook", async () => {
    const ending = `import { exit } from "node:process"
      export default async () => ({ "tool.execute.before": async () => void (${code}, exit) })`
    await using here = await place({ ".opencode/plugin/ending.ts": ending }, [call("list", {})])

    const run = await here.run("--trust", "--format", "json", "go")
    const shown = await here.pawl(["session", "show", String(json(run.stdout).sessionID)])

    const message = expect.stringMatching(named(name))
    expect(json(run.stdout)).toMatchObject({ type: "error", error: { name: "ProcessEndedError", data: { message } } })
    expect(run.code).toBe(1)
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("go") })
  })

  it("is named with --json, and does not choose the exit code: when it is loaded", async () => {
    const ending = `import { exit } from "node:process"
      ${code}
      export default async () => ({ event: exit })`
    await using here = await place({ ".opencode/plugin/ending.ts": ending })

    const run = await here.run("--trust", "--format", "json", "go")

    const message = expect.stringMatching(named(name))
    expect(jsonLines(run.stdout)).toMatchObject([
      { type: "error", error: { name: "ProcessEndedError", data: { message } } },
    ])
    expect(run.code).toBe(1)
    expect(here.server.requests).toHaveLength(0)
  })
})

it("shows the user, as the model, which plugin has spoiled the arguments of a call", async () => {
  const spoiling =
    'export default async () => ({ "tool.execute.before": async (_, output) => { output.args = { path: 7 } } })\n'
  await using here = await place({ ".opencode/plugin/spoiling.ts": spoiling }, [call("list", {})], [text("Done.")])

  const run = await here.run("--trust", "go")

  const blamed =
    /Plugin \S+spoiling\.ts\S* failed in hook [^]*into what list does not take[^]*The model's own arguments were valid/
  expect(here.sent(1).replaceAll("\\n", " ").replaceAll('\\\\"', "")).toMatch(
    /spoiling\.ts[^]*own arguments were valid/,
  )
  expect(run.code).toBe(0)
  expect(run.stderr.replaceAll(/\s+/g, " ")).toMatch(blamed)
})

it("names a plugin that ends the process when it is loaded in every command, and says how to work without it", async () => {
  const { configuration, pawl } = await workplace()
  await write(configuration, { "plugin/ending.ts": "process.exit(0)\n" })

  const run = await pawl(["run", "-m", "custom/test", "--base-url", "http://127.0.0.1:9", "go"])
  const doctor = await pawl(["plugin", "doctor"])

  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ending\.ts:1\) ended this process.*run --pure/s),
  })
  expect(doctor).toMatchObject({ code: 1, stderr: expect.stringMatching(/the plugin \S+\/ending\.ts .*process\.exit/) })
})

it("says which session a plugin has ended, and continues it without plugins", async () => {
  const ending = 'export default async () => ({ "tool.execute.before": async () => process.exit(0) })\n'
  await using here = await place(
    { ".opencode/plugin/ending.ts": ending },
    [call("list", {})],
    [call("list", {})],
    [text("Done.")],
  )

  const shown = await here.run("--trust", "go")
  const lines = await here.run("--trust", "--format", "json", "go")
  const id = String(jsonLines(lines.stdout)[0]?.["sessionID"])
  const next = await here.pawl(["run", "-c", "--base-url", here.server.url, "--pure"])

  expect(shown.stderr).toMatch(/Session ses_\w+ is stored\. Continue without plugins: .* run -c --base-url \S+ --pure/)
  expect(jsonLines(lines.stdout).at(-1)).toMatchObject({
    type: "error",
    sessionID: id,
    error: { name: "ProcessEndedError", data: { message: expect.stringContaining("ending.ts") } },
  })
  expect(next).toMatchObject({ code: 0, stdout: "Done.\n" })
})

describe("plugins of a project", () => {
  const files = {
    "pawl.jsonc": '{ "plugin": [["./tools/ticket.ts", { "colour": "green" }]] }',
    "tools/ticket.ts": TICKET,
    ".opencode/plugin/shout.ts": SHOUT,
    ".opencode/plugin/words/index.ts": 'export const text = "!"\n',
  }

  it("give tools, guard and transform, those of OpenCode as well, once the project is trusted", async () => {
    await using here = await place(
      files,
      [call("ticket", { number: 7 }), call("shout", { text: "hi" }), call("bash", { command: "git push --force" })],
      [text("Done.")],
    )

    const run = await here.run("--trust", "go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(here.sent(0)).toContain("Tickets are blue.")
    expect(here.sent(1)).toContain("Ticket 7: green. Seen.")
    expect(here.sent(1)).toContain("HI!truefunction Seen.")
    expect(here.sent(1)).toContain("Not with --force.")
  })

  it("end no run by what fails outside of their hooks", async () => {
    const stray = `import { spawn } from "node:child_process"
      import { definePlugin } from "@pawl/plugin"
      export default definePlugin(() => ({
        "chat.params": () => { spawn("pawl-no-such-program"); void Promise.reject(new Error("Nobody looked.")) },
      }))`
    await using here = await place({ ".pawl/plugin/stray.ts": stray }, [text("Done.")])

    const run = await here.run("--trust", "go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(run.stderr).toMatch(/a plugin failed outside of its hooks: .*pawl-no-such-program/)
    expect(run.stderr).toMatch(/the plugin \S*\/\.pawl\/plugin\/stray\.ts failed outside of its hooks: Nobody looked/)
  })

  it("have what fails outside of their hooks told once, and counted", async () => {
    const stray = `import { definePlugin } from "@pawl/plugin"
      export default definePlugin(() => ({ event: () => void Promise.reject(new Error("Nobody looked.")) }))`
    await using here = await place({ ".pawl/plugin/stray.ts": stray }, [text("Done.")])

    const run = await here.run("--trust", "go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(run.stderr.match(/Nobody looked/g)).toHaveLength(1)
    expect(run.stderr).toMatch(/stray\.ts failed outside of its hooks \d+ more times\./)
  })

  it("are bound by the user's rules in the files that a client reads", async () => {
    const reading = `export const Reading = async ({ client }) => ({
      "experimental.chat.system.transform": async (_input, output) => {
        for (const path of ["open.txt", "secret.txt"]) {
          const { data, error } = await client.file.read({ query: { path } })
          output.system.push(path + " " + (data?.content ?? "refused"))
        }
      },
    })`
    const files = { ".opencode/plugin/reading.js": reading, "open.txt": "plain words", "secret.txt": "hidden words" }
    await using here = await place(
      { ...files, "pawl.jsonc": '{ "permission": { "read": { "*": "allow", "secret.txt": "deny" } } }' },
      [text("Done.")],
    )

    await here.run("--trust", "go")

    expect(here.sent(-1)).toContain("open.txt plain words")
    expect(here.sent(-1)).toContain("secret.txt refused")
    expect(here.sent(-1)).not.toContain("hidden words")
  })

  it("are never imported before, with a line that says what is left out", async () => {
    await using here = await place({}, [text("Done.")])
    const mark = join(here.data, "..", "mark")
    await write(here.project, {
      "pawl.jsonc": '{ "plugin": ["./tools/ticket.ts", "acme-of-nobody"] }',
      "tools/ticket.ts": telling(mark),
      ".pawl/plugin/a.ts": telling(mark),
      ".opencode/plugins/b.js": telling(mark),
    })

    const run = await here.run("go")
    const list = await here.pawl(["plugin", "list", "--format", "json"])
    const doctor = await here.pawl(["plugin", "doctor"])
    await here.pawl(["agent", "list"])

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(run.stderr).toMatch(
      /not trusted; left out: plugin of \.opencode\/plugins\/b\.js; plugin of \.pawl\/plugin\/a\.ts; plugin of pawl\.jsonc\. To see .* pawl trust/,
    )
    expect(
      jsonLines(list.stdout).map(({ plugin, trust }) => [String(plugin).replace(here.project, ""), trust]),
    ).toEqual([
      ["./tools/ticket.ts", "untrusted"],
      ["acme-of-nobody", "untrusted"],
      ["/.opencode/plugins/b.js", "untrusted"],
      ["/.pawl/plugin/a.ts", "untrusted"],
    ])
    expect(doctor.stdout).toBe("")
    expect(await isThere(mark)).toBe(false)
  })

  it("are left out again when a file that one of them is made of changes, wherever it lies", async () => {
    await using here = await place(
      { ...files, "tools/ticket.ts": 'import "./colours.js"\n' + TICKET, "tools/colours.ts": "export {}\n" },
      [text("One.")],
      [text("Two.")],
    )
    await here.pawl(["trust", "--yes"])
    const before = await here.run("go")
    await write(here.project, { "tools/colours.ts": "export {} // changed\n" })
    const after = await here.run("go")

    expect(before.stderr).not.toContain("trust")
    expect(after.stderr).toContain("changed since it was trusted (tools/colours.ts)")
    expect(here.sent(1)).not.toContain("Tickets are blue.")
  })

  it("of a directory count with the files that its package.json names", async () => {
    await using here = await place({
      "pawl.jsonc": '{ "plugin": ["./plug"] }',
      "plug/package.json": '{ "name": "plug", "version": "1.2.3", "main": "lib/main.ts" }',
      "plug/lib/main.ts": TICKET,
    })
    await here.pawl(["trust", "--yes"])
    const before = await here.pawl(["plugin", "doctor", "--format", "json"])
    await write(here.project, { "plug/lib/main.ts": `${TICKET}\n` })
    const after = await here.pawl(["plugin", "list", "--format", "json"])

    expect(jsonLines(before.stdout)[0]).toMatchObject({ plugin: "./plug", version: "1.2.3", ok: true })
    expect(jsonLines(after.stdout)[0]).toMatchObject({ trust: "untrusted" })
  })

  it("are not looked for outside of it", async () => {
    const outside = ["../mine.ts", "mine@file:/mine", "other@~/mine", "a/../../mine"]
    await using here = await place({ "pawl.jsonc": JSON.stringify({ plugin: outside }) }, [text("Done.")])
    const mark = join(here.data, "..", "mark")
    await write(dirname(here.project), { "mine.ts": telling(mark) })

    const run = await here.run("--trust", "go")

    for (const written of outside) {
      expect(run.stderr).toContain(`the plugin ${written} lies outside of the project, which cannot speak for it`)
    }
    expect(await isThere(mark)).toBe(false)
  })

  it("are left out where what a link in it leads to imports something else", async () => {
    await using here = await place({ "lib/a.ts": 'import "../words.ts"', "words.ts": "" }, [text("Done.")])
    const mark = join(here.data, "..", "mark")
    await mkdir(join(here.project, ".pawl"))
    await symlink("../lib", join(here.project, ".pawl/plugin"))
    await here.pawl(["trust", "--yes"])
    await write(here.project, { "words.ts": telling(mark) })

    const run = await here.run("go")

    expect(run.stderr).toContain("changed since it was trusted (words.ts)")
    expect(await isThere(mark)).toBe(false)
  })
})

describe("a plugin that fails", () => {
  it("is told of with file and line and what to do, and the run goes on with the others", async () => {
    await using here = await place({}, [text("Done.")])
    await write(here.configuration, {
      "pawl.jsonc": '{ "plugin": ["./missing.ts", "compaction-promt-of-nobody@@", ["guard", { "protect": "x" }]] }',
      "plugin/broken.ts": 'const a: number = 1\nthrow new Error("boom")\n',
      "plugin/nonsense.ts": "export default 5\n",
      "plugin/z.ts": TICKET,
    })

    const run = await here.run("go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(run.stderr).toMatch(
      /Plugin \.\/missing\.ts of \S+pawl\.jsonc is left out: There is no \S+missing\.ts\. Correct the path/,
    )
    expect(run.stderr).toMatch(/Plugin \S+broken\.ts is left out: It cannot be loaded: boom\. \(\S+broken\.ts:2\)/)
    expect(run.stderr).toMatch(/Plugin \S+nonsense\.ts is left out: .*definePlugin/)
    expect(run.stderr).toMatch(/Plugin guard did not start, and is left out: /)
    expect(here.sent(0)).toContain("Tickets are blue.")
  })

  it("in a guard is told with its line, which doctor counts, beside names that are no hook", async () => {
    await using here = await place({}, [call("bash", { command: "echo 1" })], [text("Done.")])
    await write(here.configuration, {
      "plugin/guard.ts": `import { definePlugin } from "@pawl/plugin"
enum Kind {
  Bash = "bash",
}
export default definePlugin(() => ({
  "tool.execute.before": (_input, output) => {
    const { filePath } = output.args as { filePath: string }
    if (filePath.endsWith(Kind.Bash)) throw new Error("no")
  },
  "chat.mesage": () => undefined,
}))`,
    })

    const run = await here.run("go")
    const doctor = await here.pawl(["plugin", "doctor"])

    const words = /Plugin "\S+guard\.ts" failed in hook "tool\.execute\.before": Cannot read .* \(\S+guard\.ts:8\)/
    expect(run.stderr).toMatch(words)
    expect(here.sent(1)).toMatch(/guard\.ts:8/)
    expect(doctor.stdout).toContain("tool.execute.before 1 call, 1 failed")
    expect(run.stderr).toContain('"chat.mesage" is not a hook; did you mean "chat.message"?')
    expect(doctor.stdout).toContain('did you mean "chat.message"?')
  })

  it("in a hook is named, and at the third time in a row is out of the session", async () => {
    await using here = await place({}, ...[1, 2, 3].map((n) => [call("bash", { command: `echo ${n}` })]), [
      text("Done."),
    ])
    await write(here.configuration, {
      "plugin/late.ts": `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({ "tool.execute.after": () => { throw new Error("no") } }))`,
    })

    const run = await here.run("go")

    expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(run.stderr).toMatch(/Plugin "\S+late\.ts" failed in hook "tool\.execute\.after": no/)
    expect(run.stderr).toMatch(/failed three times in a row and is disabled for this session/)
  })

  it("by ending the process leaves what is stored whole, and the session goes on", async () => {
    await using here = await place({}, [call("list", {})], [text("Done.")])
    await write(here.configuration, {
      "plugin/exit.ts": `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({ "tool.execute.after": () => process.exit(7) }))`,
    })

    const ended = await here.run("go")
    await rm(join(here.configuration, "plugin/exit.ts"))
    const verified = await here.pawl(["storage", "verify"])
    const resumed = await here.pawl(["run", "-c", "--base-url", here.server.url])

    expect(ended.code).toBe(7)
    expect(ended.stderr).toMatch(/the plugin \S+\/exit\.ts \(\S+:2\) ended this process by process\.exit/)
    expect(verified.code).toBe(0)
    expect(resumed.code === 0 ? resumed.stdout : resumed.stderr).toBe("Done.\n")
  })
})

describe("plugins of the user", () => {
  it("bring agents, commands and rules by their config hook, and what of it is wrong is told", async () => {
    await using here = await place({}, [text("Helped.")], [call("bash", { command: "echo hi" })], [text("Asked.")])
    await write(here.configuration, {
      "plugin/more.ts": `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({
  config: (_input, config) => {
    config.agent = { ...config.agent, helper: { mode: "primary", description: "Helps", prompt: "You help." }, bad: { steps: "x" } }
    config.command = { ...config.command, hi: { template: "Say hi to $ARGUMENTS", description: "Greets" } }
    config.permission = { ...config.permission, bash: "deny" }
    config.colour = "red"
  },
  command: () => [{ name: "ask", description: "Asks", agent: "helper", expand: async (args) => [{ type: "text", text: "ASKED " + args }] }],
  "command.execute.before": ({ command, arguments: given }, { parts }) => { parts.push({ type: "text", text: command + "<" + given + ">" }) },
}))`,
    })

    const agents = await here.pawl(["agent", "list", "--format", "json"])
    const commands = await here.pawl(["command", "list", "--format", "json"])
    const helped = await here.run("--agent", "helper", "/hi Ada")
    const asked = await here.run("/ask what now?")

    expect(jsonLines(agents.stdout)).toContainEqual(
      expect.objectContaining({ name: "helper", mode: "primary", sources: ["plugins"] }),
    )
    expect(agents.stderr).toMatch(
      /What plugin .*more\.ts made of the configuration is left out: plugins: agent\.bad\.steps must be/,
    )
    expect(agents.stderr).toContain('Unknown key "colour"')
    expect(jsonLines(commands.stdout).map(({ name }) => name)).toEqual(["ask", "compact", "hi", "init", "review"])
    expect(helped).toMatchObject({ code: 0, stdout: "Helped.\n" })
    expect(here.sent(0)).toContain("You help.")
    expect(here.sent(0)).toMatch(/Say hi to Ada.*hi<Ada>/)
    expect(asked).toMatchObject({ stdout: "Asked.\n" })
    expect(here.sent(1)).toMatch(/You help.*ASKED what now\?.*ask<what now\?>/)
    expect(here.sent(2)).toMatch(/bash.*(denied|not allowed|permission)/i)
  })

  it("fill a command whose file has no text", async () => {
    await using here = await place({}, [text("Done.")])
    await write(here.configuration, {
      "command/blank.md": "---\ndescription: Blank.\n---\n",
      "plugin/fill.ts": `export default async () => ({
  "command.execute.before": async ({ command, arguments: given }, { parts }) => {
    if (given !== "") parts.push({ type: "text", text: command + " is filled: " + given })
  },
})`,
    })

    const filled = await here.run("/blank now")
    const empty = await here.run("/blank")

    expect(filled).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(here.sent(0)).toContain("blank is filled: now")
    expect(empty.code).toBe(1)
    expect(empty.stderr).toMatch(/empty|no text|nothing/i)
  })

  it("are left out with --pure, and where PAWL_PURE says so", async () => {
    await using here = await place({}, [text("One.")], [text("Two.")])
    const mark = join(here.data, "..", "mark")
    await write(here.configuration, {
      "pawl.jsonc": '{ "plugin": ["./a.ts"] }',
      "a.ts": telling(mark),
      "plugin/b.ts": telling(mark),
    })

    const flag = await here.run("--pure", "go")
    const variable = await here.pawl(["run", "-m", "custom/test", "--base-url", here.server.url, "go"], {
      environment: { PAWL_PURE: "1" },
    })

    expect([flag.stdout, variable.stdout]).toEqual(["One.\n", "Two.\n"])
    expect(await isThere(mark)).toBe(false)
  })

  it("count what they do in runs, which doctor shows", async () => {
    await using here = await place({}, [call("ticket", { number: 7 })], [text("One.")], [text("Two.")])
    await write(here.configuration, {
      "plugin/a.ts": TICKET,
      "pawl.json": '{ "mcp": { "far": { "type": "remote", "url": "http://127.0.0.1:9/mcp", "enabled": false } } }',
    })
    await here.run("go")
    await here.run("again")

    const [plugin, servers] = jsonLines((await here.pawl(["plugin", "doctor", "--format", "json"])).stdout)
    const { stdout } = await here.pawl(["plugin", "doctor"])

    expect(plugin).toMatchObject({
      plugins: [{ in_runs: { "tool.execute.before": { count: 1, failures: 0, p95: expect.any(Number) } } }],
    })
    expect(servers).toMatchObject({ plugin: "mcp", servers: ["far"] })
    expect(stdout).toMatch(/in runs: .*chat\.system\.transform 3 calls, p95 \d+(\.\d)? ms/)
    expect(stdout).toContain("1 MCP server\n  far\n")
  })

  it("are part of what session context and permissions why tell", async () => {
    await using here = await place({}, [text("One.")])
    const rules = `export default async () => ({ config: (config) => { config.permission = { other: "deny" } } })`
    await write(here.configuration, { "plugin/a.ts": TICKET, "plugin/b.js": rules })
    await here.run("--pure", "go")
    const context = async (environment: Readonly<Record<string, string>> = {}) => {
      const args = ["session", "context", "--format", "json", "--base-url", here.server.url]
      return JSON.parse((await here.pawl(args, { environment })).stdout) as { readonly tools: number }
    }

    const [all, pure] = [await context(), await context({ PAWL_PURE: "1" })]
    const why = await here.pawl(["permissions", "why", "other", "{}"])

    expect(all.tools).toBe(pure.tools + 1)
    expect(why.stdout).toMatch(/^deny: other/)
  })

  it("may be pawl's own, by their short names", async () => {
    await using here = await place({}, [call("write", { filePath: "keep.txt", content: "x" })], [text("Done.")])
    await write(here.configuration, {
      "pawl.jsonc":
        '{ "plugin": [["guard", { "protect": [{ "files": ["keep.txt"], "message": "Leave it." }] }], "compaction-prompt"] }',
    })

    const run = await here.run("go")

    expect(run.code).toBe(0)
    expect(here.sent(1)).toContain("Leave it.")
    expect(await isThere(join(here.project, "keep.txt"))).toBe(false)
  })

  it("and tool files take tool() of either kit", async () => {
    const kit = (name: string) => `import { tool, z } from "@pawl/plugin"
export default tool({ description: "${name}", args: { n: z.number() }, execute: ({ n }, { callID }) => "${name} " + 2 * n + " " + typeof callID })`
    const foreign = (name: string) => `import { tool } from "@opencode-ai/plugin"
export default tool({ description: "${name}", args: { n: tool.schema.number() }, async execute({ n }) { return "${name} " + 2 * n } })`
    await using here = await place(
      {},
      [call("ours", { n: 2 }), call("theirs", { n: 3 }), call("ours", { n: "x" })],
      [text("Done.")],
    )
    await write(here.configuration, { "tool/ours.ts": kit("ours"), "tool/theirs.ts": foreign("theirs") })

    await here.run("go")

    expect(here.sent(1)).toContain("ours 4 string")
    expect(here.sent(1)).toContain("theirs 6")
    expect(here.sent(1)).toMatch(/arguments are not valid.*Correct them and call again/)
  })
})

it.skipIf(process.platform === "win32")("gives opencode-pty, as it is published, real terminals", async () => {
  const plugin = dirname(createRequire(import.meta.url).resolve("opencode-pty/package.json"))
  const script = "test -t 0 && tty > told.part && mv told.part told"
  const input = { command: "sh", args: ["-c", script], description: "Tells its terminal" }
  await using here = await place(
    {},
    [call("pty_spawn", input)],
    [call("bash", { command: "while ! cat told 2> /dev/null; do sleep 0.05; done" })],
    [text("Done.")],
  )
  const config = { plugin: [plugin], permission: { bash: "allow" } }
  await write(here.configuration, { "pawl.jsonc": JSON.stringify(config) })
  const run = await here.run("go")

  expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(here.sent(1)).toMatch(/PID: [1-9]/)
  expect(here.sent(2)).toMatch(/\/dev\/(?:pts\/|tty)/)
})
