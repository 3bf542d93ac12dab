import { execFileSync } from "node:child_process"
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const write = async (root: string, path: string, content: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

/** A desk with a server that says yes. */
async function place(replies = 1) {
  const server = await modelServer({ replies: Array.from({ length: replies }, () => reply(text("Yes."))) })
  const here = await desk()
  return {
    ...here,
    server,
    run: (...args: string[]) => here.pawl("run", "-m", "custom/test", "--base-url", server.url, ...args),
    /** What the user said in the newest request, part by part. */
    said: () => {
      const content = chatRequest(server.requests.at(-1)).messages.findLast(({ role }) => role === "user")?.content
      return typeof content === "string" ? [content] : (content ?? []).map((part) => ("text" in part ? part.text : ""))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe("a slash command", () => {
  it("is its template with arguments, the output of its commands, and the files it names", async () => {
    await using here = await place()
    await write(here.configuration, "command/check.md", "Check $1 for $2. Branch: !`echo main-$1`. See @notes.md.")
    await write(here.project, "notes.md", "A note.\n")

    const { code, stdout } = await here.run("/check parser bugs and more")

    expect([code, stdout]).toEqual([0, "Yes.\n"])
    const [prompt, note] = here.said()
    expect(prompt).toBe("Check parser for bugs and more. Branch: main-parser. See @notes.md.")
    expect(note).toContain("notes.md:\n<content>\nA note.\n</content>")
  })

  it("may be named by an option, and takes what comes from elsewhere as arguments", async () => {
    await using here = await place()
    await write(here.configuration, "command/explain.md", "Explain: $ARGUMENTS")

    await here.run("--command", "explain", "the", "parser")
    expect(here.said()).toEqual(["Explain: the parser"])
  })

  it("that nobody has is an error, and a path in front of a prompt is none", async () => {
    await using here = await place()

    const unknown = await here.run("/reviw it")
    const path = await here.run("/etc/hosts is a file")

    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean /review?") })
    expect(path.code).toBe(0)
    expect(here.said()).toEqual(["/etc/hosts is a file"])
    expect(here.server.requests).toHaveLength(1)
  })

  it("does not run what a rule denies, nor unasked what would have to be asked", async () => {
    await using here = await place()
    await write(here.configuration, "command/go.md", "!`touch ran; git push`")
    await write(
      here.configuration,
      "pawl.jsonc",
      '{\n  "permission": { "bash": { "*": "allow", "git push*": "deny" } }\n}',
    )
    const denied = await here.run("/go")
    await write(here.configuration, "pawl.jsonc", '{ "permission": { "bash": { "*": "allow", "git push*": "ask" } } }')
    const asked = await here.run("/go")

    expect(denied).toMatchObject({ code: 2, stderr: expect.stringContaining('bash "git push" is denied by the rule') })
    expect(denied.stderr).toContain("pawl.jsonc:2")
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("no user can be asked") })
    expect(await here.sessions()).toEqual([])
  })

  it("of a project runs nothing until that is trusted, and attaches nothing that is not the project's", async () => {
    await using here = await place(2)
    await write(here.project, ".git/HEAD", "ref: refs/heads/main\n")
    await write(here.project, ".pawl/command/shell.md", "Say !`echo ran`")
    await write(here.project, ".pawl/command/steal.md", `Read @../secret.txt and @.env and @sub/.NPMRC and @open.txt`)
    await write(here.project, "../secret.txt", "secret-1")
    await write(here.project, ".env", "secret-2")
    await write(here.project, "sub/.NPMRC", "secret-3")
    await write(here.project, "open.txt", "open-3")

    const refused = await here.run("/shell")
    const plain = await here.run("/steal")
    const sent = JSON.stringify(here.server.requests)
    const trusted = await here.run("--trust", "/shell")

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("the project is not trusted") })
    expect(plain.code).toBe(0)
    expect(sent).toContain("open-3")
    expect(sent).not.toMatch(/secret-[123]/)
    expect(trusted.code).toBe(0)
    expect(here.said()).toEqual(["Say ran"])
  })

  it("may choose the agent, and hand its task to a subagent", async () => {
    const server = await modelServer({
      replies: [reply(text("Planned.")), reply(text("Found a bug.")), reply(text("One bug was found."))],
    })
    const here = await desk()
    await write(here.configuration, "command/think.md", "---\nagent: plan\n---\nThink about $1")
    const run = (...args: string[]) => here.pawl("run", "-m", "custom/test", "--base-url", server.url, ...args)

    const planned = await run("/think it")
    const reviewed = await run("--format", "json", "/review HEAD~1")

    expect(planned).toMatchObject({ code: 0, stdout: "Planned.\n" })
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Think about it")
    expect(reviewed.code).toBe(0)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('What to review: \\"HEAD~1\\"')
    expect(reviewed.stdout).toContain("One bug was found.")
    await server[Symbol.asyncDispose]()
  })
})

describe("a prompt", () => {
  it("says which files it names are not attached and why, and which one lies outside of the project", async () => {
    await using here = await place()
    await write(here.project, "in.txt", "one\n")
    await symlink("gone.txt", join(here.project, "dead"))
    execFileSync("mkfifo", [join(here.project, "pipe")])
    await write(here.project, "../outside.txt", "two\n")

    const run = await here.run(
      "See @typo.txt, @dead and @pipe. Lines @in.txt#L5-9; @../outside.txt. Install @scope/pkg for @alice.",
    )

    const lines = run.stderr.split("\n").filter((line) => line.includes("attached"))
    const path = (name: string) => join(here.project, name)
    expect(lines).toEqual([
      `not attached: there is no file ${path("typo.txt")}.`,
      `not attached: ${path("dead")} is a link to a file that does not exist.`,
      `not attached: ${path("pipe")} is not a regular file or directory.`,
      `not attached: ${path("in.txt")} ends at line 1, before line 5.`,
      `attached from outside of the project: ${path("../outside.txt")}`,
    ])
  })

  it.each(["#L2-3", "#L2-L3", ":2-3"])(
    "attaches lines of a file behind %s; addresses and packages are text",
    async (range) => {
      await using here = await place()
      await write(here.project, "src/a.ts", "one\ntwo\nthree\nfour\n")

      await here.run(`Explain @src/a.ts${range}, then tell ann@example.com about @scope/pkg and @nobody.`)

      const [prompt, lines, ...more] = here.said()
      expect(prompt).toContain("@scope/pkg and @nobody.")
      expect(lines).toContain("the lines 2 to 3 of the file")
      expect(lines).toContain("<content>\ntwo\nthree\n</content>")
      expect(more).toEqual([])
    },
  )

  it("asks for the subagents that it names", async () => {
    await using here = await place()
    await here.run("Let @explore find the parser.")
    expect(here.said().join("\n")).toMatch(/explore/)
    expect(here.said().length).toBeGreaterThan(1)
  })
})

describe("agents of files", () => {
  it("work with their prompt, and within their rules", async () => {
    const server = await modelServer({
      replies: [reply(call("bash", { command: "echo hi" })), reply(text("I may not."))],
    })
    const here = await desk()
    await write(
      here.configuration,
      "agent/reader.md",
      "---\ndescription: Reads\nmode: primary\npermission:\n  bash: deny\n---\nYou only read.",
    )

    const run = await here.pawl("run", "-m", "custom/test", "--base-url", server.url, "--agent", "reader", "go")

    expect(run.code).toBe(0)
    expect(JSON.stringify(server.requests[0]?.body)).toContain("You only read.")
    expect(JSON.stringify(chatRequest(server.requests[1]).messages.at(-1))).toMatch(/agent\/reader\.md:5/)
    await server[Symbol.asyncDispose]()
  })

  it("that are subagents are refused for --agent, with the choices", async () => {
    await using here = await place()
    const run = await here.run("--agent", "explore", "go")
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("To choose from: build, plan.") })
  })
})

describe("an attachment that is refused", () => {
  it.each<readonly [string, string, RegExp]>([
    ["a missing file", "missing.txt", /There is no file .*missing\.txt to attach/],
    ["a link to nothing", "dangling", /There is no file .*dangling to attach/],
    ["a link to itself", "loop", /loop: ELOOP/],
    ["a link out of the project", "out.txt", /is a link to .*external_directory .*needs approval/],
    ["a binary file", "program", /is a binary file/],
    ["a large image", "large.png", /is too large to attach/],
    ["a large text", "large.txt", /is too large to attach/],
    ["a pipe", "pipe", /is not a regular file or directory/],
    // The system reports an error for each read of it, also to root.
    ...(process.platform === "linux"
      ? [["a file that cannot be read", "/proc/self/mem", /\/proc\/self\/mem cannot be attached: /] as const]
      : []),
  ])("ends the run with the code of a wrong command line, and stores nothing: %s", async (_what, file, message) => {
    await using here = await place(1)
    const there = (name: string) => join(here.project, name)
    await symlink("nowhere", there("dangling"))
    await symlink("loop", there("loop"))
    await symlink("/etc/hostname", there("out.txt"))
    await writeFile(there("program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))
    await writeFile(there("large.png"), Buffer.from("89504e470d0a1a0a00", "hex"))
    await truncate(there("large.png"), 11 * 1024 * 1024)
    await writeFile(there("large.txt"), "x".repeat(10_000))
    await truncate(there("large.txt"), 65 * 1024 * 1024)
    execFileSync("mkfifo", [there("pipe")])

    const run = await here.run("--format", "json", "Explain", "-f", file)

    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
    expect(jsonLines(run.stdout)).toMatchObject([
      { type: "error", error: { name: "UsageError", data: { message: expect.stringMatching(message) } } },
    ])
    expect(here.server.requests).toHaveLength(0)
    expect(await here.sessions()).toEqual([])
  })
})

describe("a link that leads out of the project", () => {
  async function linked(rule: string) {
    const here = await place(2)
    const outside = await desk()
    await write(outside.project, "secret.txt", "TOKEN")
    await symlink(join(outside.project, "secret.txt"), join(here.project, "notes.txt"))
    await symlink("own.txt", join(here.project, "link.txt"))
    await write(here.project, "own.txt", "OWN")
    await write(here.configuration, "command/look.md", "Look at @notes.txt")
    await write(here.configuration, "pawl.json", JSON.stringify({ permission: { external_directory: rule } }))
    return { ...here, outside }
  }

  it.each(["ask", "deny"])("is not attached where the rules %s", async (rule) => {
    await using here = await linked(rule)
    const commands = [["Explain @notes.txt"], ["Explain", "-f", "notes.txt"], ["/look"]]
    for (const args of commands) {
      const { code, stderr } = await here.run(...args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`is a link to ${here.outside.project}/secret.txt`)])
      expect(stderr).toContain("external_directory")
    }
    expect(here.server.requests).toHaveLength(0)
  })

  it("is attached where they allow it, as are a link within the project and a path that says where it leads", async () => {
    await using here = await linked("allow")
    await here.run("Explain @notes.txt")
    expect(here.said().join()).toContain("TOKEN")
    await using asking = await linked("ask")
    await asking.run("Explain", "-f", join(asking.outside.project, "secret.txt"), "-f", "link.txt")
    expect(asking.said().join()).toMatch(/TOKEN[^]*OWN/)
  })
})
