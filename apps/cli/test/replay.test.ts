import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { type Desk, desk } from "./in-process.ts"
import { canMount, jsonLines, workplace } from "./workplace.ts"

const TOOLS = [
  '{"reply":[{"text":"I look."},{"tool":"read","input":{"filePath":"note.txt"}}],"usage":{"input":100,"output":10}}',
  '{"reply":[{"tool":"bash","input":{"command":"echo done > made.txt && cat made.txt"}}],"usage":{"input":120,"output":12}}',
  '{"text":"The note says schön 🎉.","usage":{"input":130,"output":9}}',
].join("\n")

const TASKS = [
  '{"position":"sequence"}',
  '{"reply":[{"tool":"task","input":{"description":"one","prompt":"Look at one","subagent_type":"explore"}},{"tool":"task","input":{"description":"two","prompt":"Look at two","subagent_type":"explore"}}]}',
  '{"tool":"list","input":{}}',
  '{"tool":"glob","input":{"pattern":"*.txt"}}',
  '{"text":"First is done."}',
  '{"text":"Second is done."}',
  '{"text":"Both looked."}',
].join("\n")

/** A run with a tool that reads and one that writes, recorded. */
async function recorded(here: Desk, script = TOOLS, ...options: readonly string[]): Promise<string> {
  const file = join(here.project, "..", "run.jsonl")
  await writeFile(join(here.project, "note.txt"), "schön 🎉\n")
  await writeFile(join(here.project, "..", "script.jsonl"), script)
  const run = await here.pawl(
    "run",
    "--script",
    "../script.jsonl",
    "--record",
    file,
    ...options,
    "Read the note, and do it.",
  )
  expect(run).toMatchObject({ code: 0 })
  return file
}

async function changed(file: string, change: (text: string) => string): Promise<string> {
  const copy = `${file}.changed`
  const text = await readFile(file, "utf8")
  expect(change(text)).not.toBe(text)
  await writeFile(copy, change(text))
  return copy
}

describe("a recorded run", () => {
  it("replays without its files and without doing anything, in another place, and is the same", async () => {
    const here = await desk()
    const file = await recorded(here)
    await rm(join(here.project, "note.txt"))
    await rm(join(here.project, "made.txt"))
    const before = await here.sessions()

    const { code, stdout, stderr } = await here.pawl("replay", file)

    expect({ code, stderr: stderr.includes("note.txt") }).toEqual({ code: 0, stderr: true })
    expect(stdout).toContain("The note says schön 🎉.")
    expect(stdout).toContain(`same     ${file}: 3 steps, 2 tool calls\n`)
    await expect(stat(join(here.project, "made.txt"))).rejects.toThrow("ENOENT")
    expect(await here.sessions()).toEqual(before)
  })

  it("is a file that its owner alone may read, and is not replaced unasked", async () => {
    const here = await desk()
    const file = await recorded(here)
    const before = await readFile(file, "utf8")

    const again = await here.pawl("run", "-m", "replay/hello", "--record", file, "hi")
    const after = await readFile(file, "utf8")
    const replaced = await here.pawl("run", "-m", "replay/hello", "--record", file, "--overwrite", "hi")

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(again).toMatchObject({ code: 2 })
    expect(again.stderr).toContain("is there already.\nName another file, or replace it with --overwrite.")
    expect(after).toBe(before)
    expect(replaced.code).toBe(0)
    expect(await readFile(file, "utf8")).not.toContain("note.txt")
    expect(await here.pawl("replay", file)).toMatchObject({ code: 0 })
  })

  it("leaves no file where the run does not begin", async () => {
    const here = await desk()

    const { code } = await here.pawl("run", "-m", "replay/missing", "--record", "run.jsonl", "hi")

    expect(code).not.toBe(0)
    await expect(stat(join(here.project, "run.jsonl"))).rejects.toThrow("ENOENT")
  })

  it("has no secret that is known", async () => {
    const here = await desk()
    const secret = "a-secret-value-4711"
    const config = { provider: { acme: { options: { baseURL: "http://127.0.0.1:9/v1", apiKey: secret } } } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify(config))
    const named = TOOLS.replace('"filePath":"note.txt"', `"filePath":"note.txt","of ${secret}":1`)
    const file = await recorded(here, named.replace("echo done", `echo ${secret}`))

    expect(await readFile(file, "utf8")).toContain("[removed:provider.acme.options.apiKey]")
    expect(await readFile(file, "utf8")).not.toContain(secret)
    expect(await here.pawl("replay", file)).toMatchObject({ code: 0 })
  })

  it("is a script as well", async () => {
    const here = await desk()
    const file = await recorded(here)

    const again = ["--record", "renewed.jsonl", "Read the note, and do it."]
    const { code, stdout } = await here.pawl("run", "--script", file, ...again)

    expect({ code, stdout: stdout.includes("The note says schön 🎉.") }).toEqual({ code: 0, stdout: true })
    expect(await here.pawl("replay", "renewed.jsonl")).toMatchObject({ code: 0 })
  })

  it("gives each of several subagents its own replies, whichever asks first", async () => {
    const here = await desk()
    const file = await recorded(here, TASKS)
    // What the second one was told stands first.
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n")
    expect(lines.filter((line) => line.includes('"parent":"s1"'))).toHaveLength(2)

    for (let round = 0; round < 3; round++) {
      expect(await here.pawl("replay", file)).toMatchObject({ code: 0 })
    }
  })

  it("begins where the session stood when it is gone on with", async () => {
    const here = await desk()
    await recorded(here)
    const file = join(here.project, "..", "second.jsonl")
    await here.pawl("run", "-c", "-m", "replay/hello", "--record", file, "And now?")

    const { code, stdout } = await here.pawl("replay", file)

    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("same") as string })
    expect(await readFile(file, "utf8")).toContain('"history"')
  })
})

describe("a replay that goes another way", () => {
  it("names step, message and part, with what was expected and what came", async () => {
    const here = await desk()
    const file = await changed(await recorded(here), (text) => {
      return text.replace(/(\{"result":\{[^\n]*"tool":"read"[^\n]*)schön/, "$1schon")
    })

    const { code, stdout } = await here.pawl("replay", file)

    expect(code).toBe(1)
    expect(stdout).toMatch(
      /differs {2}.*\n {2}step 2, the request is another: message 3 \(tool\), part 1 \(recorded in line \d+\)/,
    )
    expect(stdout).toMatch(/^ {2}- 1: schön 🎉$/m)
    expect(stdout).toMatch(/^ {2}\+ 1: schon 🎉$/m)
  })

  it.each([
    ["another answer", (text: string) => text.replace('"answer":"The note', '"answer":"A note'), "another answer"],
    [
      "a reply too many",
      (text: string) => text.replace(/\n(\{"end")/, '\n{"session":"s1","text":"More."}\n$1'),
      "there is a reply",
    ],
    ["another system prompt", (text: string) => text.replace("You are pawl", "You were pawl"), "system block 1"],
  ])("tells %s", async (_name, change, words) => {
    const here = await desk()
    const file = await changed(await recorded(here), change)

    const { code, stdout } = await here.pawl("replay", file)

    expect(code).toBe(1)
    expect(stdout).toContain(words)
  })

  it("is the same where what differs is to be ignored", async () => {
    const here = await desk()
    const file = await changed(await recorded(here), (text) => text.replace("You are pawl", "You were pawl"))

    expect(await here.pawl("replay", "--ignore", "system", file)).toMatchObject({ code: 0 })
  })

  it("is told of several files with one line each, and as JSON", async () => {
    const here = await desk()
    const file = await recorded(here)
    const other = await changed(file, (text) => text.replace('"answer":"The note', '"answer":"A note'))

    const { code, stdout } = await here.pawl("replay", file, other)
    const json = await here.pawl("replay", "--format", "json", file, other, "missing.jsonl")

    expect(code).toBe(1)
    expect(stdout).toContain("2 recordings: 1 same, 1 differ")
    expect(stdout).not.toContain("I look.")
    expect(json.code).toBe(2)
    expect(jsonLines(json.stdout).map(({ file: name, same }) => [name, same])).toEqual([
      [file, true],
      [other, false],
      ["missing.jsonl", undefined],
    ])
  })
})

describe("what is no whole recording", () => {
  it.each([
    ["empty", "", ":1: There is nothing in it"],
    ["of another version", '{"recording":9,"pawl":"3.0"}\n', ":1: This is a recording of version 9"],
    ["other JSON", '{"recording":1}\n{"some":"thing"}\n', ":2: A reply has an unknown key"],
    ["no JSON", '{"recording":1}\nhello\n{"end":{"type":"answered"}}\n', ":2: This is not JSON"],
    ["an exported session", '{"format":"pawl-session","version":1,"sessions":[\n', "session export --recording"],
    ["a script", '{"text":"hi"}\n', "says nothing of what was asked"],
  ])("is refused when it is %s, by file and line", async (_name, content, words) => {
    const here = await desk()
    await writeFile(join(here.project, "bad.jsonl"), content)

    const { code, stderr } = await here.pawl("replay", "bad.jsonl")

    expect(code).toBe(2)
    expect(stderr).toContain("bad.jsonl")
    expect(stderr).toContain(words)
  })

  it("is compared up to the line that a killed process was writing", async () => {
    const here = await desk()
    const file = await changed(await recorded(here), (text) =>
      text.slice(0, text.lastIndexOf('{"session":"s1","by"') + 60),
    )

    const { code, stdout } = await here.pawl("replay", file)

    expect(code).toBe(0)
    expect(stdout).toContain("The recording ends before the work did")
  })

  it("is what is there when the process is killed, up to its last reply", async () => {
    const { start, pawl, project } = await workplace()
    await writeFile(
      join(project, "script.jsonl"),
      '{"tool":"bash","input":{"command":"echo one"}}\n{"reply":[{"text":"Two"},{"stall":true}]}\n',
    )
    const running = start(["run", "--script", "script.jsonl", "--record", "run.jsonl", "go"])
    await running.said("echo one")
    running.child.kill("SIGKILL")
    await running.finished

    const { code, stdout } = await pawl(["replay", "run.jsonl"])

    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 step, 1 tool call") as string,
    })
  })

  it("ends with Ctrl-C like a run", async () => {
    const { start, project } = await workplace()
    const lines = [
      '{"prompt":"go"}',
      '{"tool":"read","id":"call_1","input":{"filePath":"a.txt"}}',
      '{"result":{"call":"call_1","tool":"read","input":{},"output":"1: a","title":"a.txt"}}',
      '{"reply":[{"text":"Wait"},{"wait":60000}]}',
    ]
    await writeFile(join(project, "slow.jsonl"), lines.join("\n"))
    const running = start(["replay", "--pace", "1", "slow.jsonl"])
    await running.said("read a.txt")
    running.child.kill("SIGINT")

    expect(await running.finished).toMatchObject({ code: 130 })
  })
})

it("says that the recording ends where its disk is full, and goes on with the session", async ({ skip }) => {
  skip(!canMount, "This user may not mount.")
  const { pawl, project } = await workplace()
  const disk = join(project, "..", "disk")
  await mkdir(disk)
  await writeFile(join(project, "script.jsonl"), TOOLS)
  await writeFile(join(project, "note.txt"), "word\n".repeat(9000))
  const copy = join(project, "copy.jsonl")

  const mounted = ["unshare", "--mount", "sh", "-c"]
  const keeping = `mount -t tmpfs -o size=48k tmpfs '${disk}' && "$@"; code=$?; cp '${disk}/run.jsonl' '${copy}'; exit $code`

  const args = ["run", "--script", "script.jsonl", "--record", join(disk, "run.jsonl"), "go"]
  const { code, stdout, stderr } = await pawl(args, { prefix: [...mounted, keeping, "sh"] })

  expect(code).toBe(1)
  expect(stdout).toContain("The note says schön 🎉.")
  expect(stderr).toContain("the recording ends here: ENOSPC")
  expect(stderr).toContain("is incomplete: ENOSPC")
  expect(await pawl(["replay", copy])).toMatchObject({ code: 0 })
})

describe("a stored session", () => {
  it("becomes a recording afterwards, which replays to the same", async () => {
    const here = await desk()
    await recorded(here, TASKS)
    const [session] = await here.sessions()

    const { code } = await here.pawl("session", "export", "--recording", String(session?.["id"]), "-o", "later.jsonl")
    const replay = await here.pawl("replay", "later.jsonl")

    expect([code, replay.code]).toEqual([0, 0])
    expect(replay.stdout).toContain("Requests are not in the recording")
  })
})

describe("--sanitize", () => {
  const PRIVATE = TOOLS.replace("echo done", "echo mail ada.lovelace@analytical.engine from /home/lovelace")

  it("takes addresses, names and home directories out, says so, and keeps the verdict", async () => {
    const here = await desk()
    const file = await recorded(here, PRIVATE)

    const { code, stderr } = await here.pawl("replay", "--sanitize", "clean.jsonl", file)
    const clean = await readFile(join(here.project, "clean.jsonl"), "utf8")

    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(clean).not.toMatch(/lovelace/i)
    expect(clean).toContain("person1@example.invalid from /home/user")
    expect(stderr).toMatch(/replaced: .*\d+ × email.*\d+ × path\.home/)
    expect(stderr).toContain("left, as it was said, read and written:\n  1 prompt, 3 replies, 2 tool results")
    expect(stderr).toContain("The copy replays to the same verdict as the recording.")
    expect(await here.pawl("replay", "clean.jsonl")).toMatchObject({ code: 0 })
  })

  it("keeps the shape alone without content, and the verdict", async () => {
    const here = await desk()
    await writeFile(join(here.project, "AGENTS.md"), "Speak of the crown jewels.\n")
    const file = await recorded(here, PRIVATE)

    const { code, stderr } = await here.pawl("replay", "--sanitize", "clean.jsonl", "--without-content", file)
    const clean = await readFile(join(here.project, "clean.jsonl"), "utf8")

    expect({ code, stderr }).toMatchObject({ code: 0 })
    for (const word of ["note", "schön", "echo", "crown", "lovelace", "You are"]) expect(clean).not.toContain(word)
    expect(stderr).toContain("The copy replays to the same verdict as the recording.")
  })

  it("keeps a difference where it was", async () => {
    const here = await desk()
    const file = await changed(await recorded(here, PRIVATE), (text) =>
      text.replace('"answer":"The note', '"answer":"A note'),
    )

    await here.pawl("replay", "--sanitize", "clean.jsonl", "--without-content", file)
    const { code, stdout } = await here.pawl("replay", "clean.jsonl")

    expect(code).toBe(1)
    expect(stdout).toContain("another answer")
  })
})

describe("--against", () => {
  it("gives another model the recorded results, and compares what came of it", async () => {
    const here = await desk()
    const file = await recorded(here)
    await rm(join(here.project, "note.txt"))
    await rm(join(here.project, "made.txt"))
    const replies = [
      reply(call("read", { filePath: "note.txt" }), call("read", { filePath: "other.txt" })),
      reply(text("It is about schön.")),
    ]
    await using server = await modelServer({ replies })

    const { code, stdout } = await here.pawl("replay", file, "--against", "custom/other", "--base-url", server.url)

    expect(code).toBe(0)
    const second = String(server.requests[1]?.raw)
    expect(second).toContain("1: schön 🎉")
    expect(second).toContain("This call of read is not in the recording")
    expect(stdout).toMatch(/^requests +3 +2$/m)
    expect(stdout).toMatch(/^calls +2 +2: 1 as recorded, 1 others$/m)
    expect(stdout).toContain("calls that the recording has not\n  read other.txt")
    expect(stdout).toContain("It is about schön.")
  })

  it("runs tools where that is asked for, in the directory that is named", async () => {
    const here = await desk()
    const file = await recorded(here)
    await rm(join(here.project, "made.txt"))
    await using server = await modelServer({
      replies: [reply(call("read", { filePath: "other.txt" })), reply(text("Seen."))],
    })
    await writeFile(join(here.project, "other.txt"), "here it is")
    const live = ["--live-tools", "--dir", here.project]

    const { code } = await here.pawl("replay", file, "--against", "custom/other", "--base-url", server.url, ...live)

    expect(code).toBe(0)
    expect(String(server.requests[1]?.raw)).toContain("here it is")
  })
})

it("runs no tool without a directory for it", async () => {
  const here = await desk()

  const { code, stderr } = await here.pawl("replay", "--live-tools", "x.jsonl")

  expect(code).toBe(2)
  expect(stderr).toContain("name a directory for it with --dir")
})
