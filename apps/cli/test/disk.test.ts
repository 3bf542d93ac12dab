import { mkdir, open, readdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { canMount, inMountNamespace, jsonLines, workplace } from "./workplace.ts"

/** Root may write everywhere, so that only a mount makes a disk read-only or full. */
const NEEDS_MOUNT = "This user may not mount."

const hello = ["--script", join(import.meta.dirname, "../demo/hello.jsonl")]

describe("a data directory that cannot be used is named, with what to do", () => {
  it("when it is read-only", async ({ skip }) => {
    skip(!canMount, NEEDS_MOUNT)
    const { pawl, data } = await workplace()
    await mkdir(data)
    const readOnly = { prefix: inMountNamespace(`mount -t tmpfs -o ro tmpfs '${data}'`) }

    const run = await pawl(["run", ...hello, "hi"], readOnly)
    const doctor = await pawl(["doctor", "--format", "json"], readOnly)

    expect(run).toMatchObject({ code: 1, stdout: "" })
    expect(run.stderr).toContain(`${data}/pawl.db cannot be opened for writing`)
    expect(run.stderr).toContain("use another data directory")
    expect(jsonLines(doctor.stdout).find(({ name }) => name === "storage")).toMatchObject({
      state: "bad",
      says: expect.stringContaining("cannot be written (read-only)"),
    })
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })

  it("when its disk is full: the task is not begun, and as JSON it is said on stdout too", async ({ skip }) => {
    skip(!canMount, NEEDS_MOUNT)
    const { pawl, data } = await workplace()
    await mkdir(data)
    await using server = await modelServer({ replies: [] })
    const model = ["--format", "json", "-m", "custom/test", "--base-url", server.url]

    const run = await pawl(["run", ...model, "-"], {
      stdin: "word ".repeat(200_000),
      prefix: inMountNamespace(`mount -t tmpfs -o size=400k tmpfs '${data}'`),
    })

    expect(run.code).toBe(1)
    expect(run.stderr).toContain(`The disk that holds ${data}/pawl.db is full. Free some space`)
    expect(JSON.parse(run.stdout)).toMatchObject({
      type: "error",
      error: { data: { message: expect.stringContaining("is full") } },
    })
    expect(server.requests).toEqual([])
  })

  it("when a file is in its place", async () => {
    const { pawl, project } = await workplace()
    await writeFile(join(project, "file"), "")

    const run = await pawl(["run", ...hello, "hi"], { environment: { PAWL_DATA_DIR: join(project, "file/data") } })

    expect(run.code).toBe(1)
    expect(run.stderr).toContain(join(project, "file/data"))
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })

  it("when its database is no database", async () => {
    const { pawl, data } = await workplace()
    await mkdir(data)
    await writeFile(join(data, "pawl.db"), "no database at all, but long enough to be looked at")

    const run = await pawl(["run", ...hello, "hi"])

    expect(run.code).toBe(1)
    expect(run.stderr).toContain(`${join(data, "pawl.db")} is damaged`)
  })

  it("when pages of its database were overwritten", async () => {
    const { pawl, data } = await workplace()
    await pawl(["run", ...hello, "hi"])
    const file = await open(join(data, "pawl.db"), "r+")
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096)
    await file.close()

    const run = await pawl(["run", "-c", ...hello, "go on"])

    expect(run).toMatchObject({ code: 1, stdout: "" })
    expect(run.stderr).toContain(`${join(data, "pawl.db")} is damaged`)
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })
})

describe("files that are no clean text", () => {
  it("are told to the model by the read tool for what they are", async () => {
    const { pawl, project } = await workplace()
    await writeFile(join(project, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]))
    await writeFile(join(project, "latin1.txt"), Buffer.from("caf\u00E9\n", "latin1"))
    const huge = await open(join(project, "huge.log"), "w")
    await huge.write("first line\n")
    await huge.truncate(2 ** 40)
    await huge.close()
    const files = ["program", "latin1.txt", "huge.log"]
    await using server = await modelServer({
      replies: [reply(...files.map((filePath) => call("read", { filePath }))), reply(text("Read."))],
    })

    const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "read them"])

    expect(run).toMatchObject({ code: 0, stdout: "Read.\n" })
    const { messages } = chatRequest(server.requests[1])
    const contents = messages.filter(({ role }) => role === "tool").map(({ content }) => content as string)
    expect(contents).toEqual([
      expect.stringContaining("binary"),
      expect.stringContaining("caf\uFFFD"),
      expect.any(String),
    ])
    for (const content of contents) expect(content.length).toBeLessThan(100_000)
  })

  it("are refused by -f where they are binary", async () => {
    const { pawl, project } = await workplace()
    await writeFile(join(project, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]))

    const run = await pawl(["run", "-f", "program", ...hello, "look"])

    expect(run).toMatchObject({ code: 2, stdout: "" })
    expect(run.stderr).toContain("program is a binary file.")
  })

  it("are taken with replaced characters where a task or an attachment is no UTF-8", async () => {
    const { pawl, project } = await workplace()
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0xff, 0x0a])
    await writeFile(join(project, "latin1.txt"), bytes)
    await using server = await modelServer({ replies: [reply(text("Read."))] })

    const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "-f", "latin1.txt", "-"], {
      stdin: bytes,
    })

    expect(run.code).toBe(0)
    const sent = JSON.stringify(chatRequest(server.requests[0]).messages.at(-1))
    expect(sent.match(/caf\uFFFD\uFFFD/g)).toHaveLength(2)
  })
})

it("leaves nothing in a directory without git, and works there", async () => {
  const { pawl, project } = await workplace()

  const run = await pawl(["run", ...hello, "hi"])

  expect(run.code).toBe(0)
  expect(await readdir(project)).toEqual([])
})

describe("commands that only read work on a disk that takes no writes", () => {
  const states = [
    ["full", "dd if=/dev/zero of='DISK/ballast' bs=4k status=none 2>/dev/null; true", "is full. Free some space"],
    ["mounted read-only", "mount -o remount,ro 'DISK'", "mounted read-only"],
  ] as const

  it.for(
    states.flatMap(([state, commands, message]) =>
      (["sqlite:DISK/pawl.db", "file:DISK/files"] as const).map((url) => [state, url, commands, message] as const),
    ),
  )("when it is %s, with %s", async ([, url, commands, message], { skip }) => {
    skip(!canMount, NEEDS_MOUNT)
    const { pawl, data, project } = await workplace()
    await mkdir(data)
    const storage = url.replace("DISK", data)
    const program = join(project, "program.sh")
    // The mount ends with its process, so that one process runs all commands in it.
    await writeFile(
      program,
      [
        `"$@" run --script '${join(import.meta.dirname, "../demo/hello.jsonl")}' 'say hi' || exit 1`,
        commands.replaceAll("DISK", data),
        ...["session list", "session search hi", "storage stats"].map((command) => `"$@" ${command} || exit 2`),
        `"$@" run -c --script '${join(import.meta.dirname, "../demo/hello.jsonl")}' 'again'`,
      ].join("\n"),
    )
    const mounted = inMountNamespace(`mount -t tmpfs -o size=4m tmpfs '${data}'`)

    const { code, stdout, stderr } = await pawl([], {
      prefix: [...mounted, "sh", program],
      environment: { PAWL_STORAGE: storage, XDG_CACHE_HOME: join(data, "cache"), HOME: data },
    })

    expect(stdout).toMatch(/^ses_\w+ .*say hi$/m)
    expect(stderr).toContain(message)
    expect(code).toBe(1)
  })
})

describe("commands that only read find nothing in a store that cannot be made, and make nothing", () => {
  const fill = "dd if=/dev/zero of='DISK/ballast' bs=4k status=none 2>/dev/null"
  const states = [
    ["full", `${fill}; true`],
    ["full but for a few files", `${fill}; truncate -s -40k 'DISK/ballast'`],
    ["mounted read-only", "mount -o remount,ro 'DISK'"],
  ] as const
  const stores = [
    ["sqlite:DISK/missing/pawl.db", "true"],
    ["sqlite:DISK/pawl.db", ": >'DISK/pawl.db'"],
    ["file:DISK/missing/files", "true"],
    ["file:DISK/files", "mkdir 'DISK/files'"],
  ] as const
  const commands = [
    ...["session list", "session list --format json", "session show", "session show ses_0", "session export ses_0"],
    ...["search --all hi", "stats", "storage stats", "storage verify", "questions --all", "session children ses_0"],
  ]
  const program = [
    ...["data=$1 prepare=$2 finish=$3", "shift 3", 'eval "$prepare"', 'eval "$finish"'],
    `cd "$data"; find . >"$HOME/before"`,
    ...commands.map((command) => `echo "== ${command}" >&2; "$@" ${command}; echo "${command}: exit $?"`),
    'echo "== made"; find . | diff "$HOME/before" -',
  ].join("\n")

  /** By store: what the commands print if the disk takes writes. */
  const expected = new Map<string, ReturnType<typeof run>>()

  it.for(states.flatMap(([state, finish]) => stores.map(([url, prepare]) => [state, url, prepare, finish] as const)))(
    "when the disk is %s, with %s",
    async ([state, url, prepare, finish], { skip }) => {
      skip(!canMount, NEEDS_MOUNT)
      const isAlmost = state === "full but for a few files"
      const refused = await run(url, prepare, finish)
      const running = expected.get(url) ?? run(url, prepare, "true")
      expected.set(url, running)
      const healthy = await running

      const [answers, made] = partsOf(refused.stdout)
      expect(answers).toBe(partsOf(healthy.stdout)[0])
      expect(refused.stderr).toBe(healthy.stderr)
      // The few files of a new directory fit into what is left.
      if (!(isAlmost && url.startsWith("file:"))) expect(made).toBe("")
    },
  )

  /** Runs all commands in a new place, whose disk `finish` spoils. */
  async function run(url: string, prepare: string, finish: string) {
    const { pawl, data, project } = await workplace()
    await mkdir(data)
    const script = join(project, "program.sh")
    await writeFile(script, program)
    const at = (text: string) => text.replaceAll("DISK", data)
    const { stdout, stderr } = await pawl([], {
      prefix: [
        ...inMountNamespace(`mount -t tmpfs -o size=4m tmpfs '${data}'`),
        ...["sh", script, data, at(prepare), at(finish)],
      ],
      environment: { PAWL_STORAGE: at(url), PAWL_LOG_LEVEL: "off", HOME: project },
    })
    const anywhere = (text: string) => text.replaceAll(dirname(data), "PLACE")
    return { stdout: anywhere(stdout), stderr: anywhere(stderr) }
  }

  /** Splits off the files that were created. The size of a store that is not there is not compared. */
  const partsOf = (stdout: string) =>
    stdout
      .replace(/^in all .*$/m, "")
      .replaceAll(/ +/g, " ")
      .split("== made\n")
})
