import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { array, assert, asyncProperty, constantFrom, oneof, string } from "fast-check"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createShell, type Shell } from "./create-shell.ts"
import { ShellError } from "./shell-output.ts"

let directory = ""
let $: Shell

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-shell-test-"))
  $ = createShell(directory)
  await writeFile(join(directory, "a.txt"), "one\ntwo\n")
  await writeFile(join(directory, "b.txt"), "three\n")
})
afterAll(() => rm(directory, { recursive: true }))

/** What a value in the template comes out as, each word on a line that ends in a NUL. */
async function words(run: (shell: Shell) => PromiseLike<{ stdout: Buffer }>): Promise<string[]> {
  const { stdout } = await run($)
  return stdout.toString().split("\0").slice(0, -1)
}

const nasty = oneof(
  string({ unit: "binary" }),
  string({
    unit: constantFrom(
      "'",
      '"',
      "\\",
      "$",
      "`",
      "(",
      ")",
      "{",
      "}",
      ";",
      "&",
      "|",
      "<",
      ">",
      "\n",
      " ",
      "*",
      "?",
      "~",
      "#",
      "!",
      "=",
      "a",
      "é",
    ),
  }),
  constantFrom(
    "$(touch injected)",
    "`touch injected`",
    "'; touch injected; '",
    '"; touch injected; "',
    "-n",
    "%s",
    "a\nb",
  ),
)
const text = nasty.map((given) => given.replaceAll("\0", "").toWellFormed())
const some = { numRuns: 40 }

describe("a value in a script", () => {
  it("is one word with exactly its text, whatever that is", async () => {
    await assert(
      asyncProperty(text, text, async (one, other) => {
        expect(await words((shell) => shell`printf '%s\0' ${one} x${other}y`)).toEqual([one, `x${other}y`])
      }),
      some,
    )
  })

  it("keeps its text within quotes and substitutions", async () => {
    await assert(
      asyncProperty(text, async (given) => {
        const script = (shell: Shell) =>
          shell`printf '%s\0' "<${given}>" '<${given}>' "$(printf '%s.' ${given})" "$(printf '%s.' "${given}")"`
        expect(await words(script)).toEqual([`<${given}>`, `<${given}>`, `${given}.`, `${given}.`])
      }),
      some,
    )
  })

  it("is as many words as an array has items", async () => {
    await assert(
      asyncProperty(array(text, { maxLength: 5 }), async (list) => {
        expect(await words((shell) => shell`printf '%s\0' first ${list} last`)).toEqual(["first", ...list, "last"])
      }),
      some,
    )
  })

  it("runs nothing, wherever it stands", async () => {
    await assert(
      asyncProperty(text, async (given) => {
        await $`echo ${given} | cat; : > /dev/null; [ ${given} = x ] && true; X=${given} true; echo \`printf %s ${given}\` # ${given}
          case ${given} in ${given}) ;; esac; true`.nothrow()
      }),
      some,
    )
    await expect(readFile(join(directory, "injected"))).rejects.toThrow("ENOENT")
  })

  it("is code where it says so", async () => {
    expect(await $`${{ raw: "printf '%s,' a 'b c'" }} ${"d e"}`.text()).toBe("a,b c,d e,")
  })

  it("may be of any type", async () => {
    expect(await $`echo ${1} ${true} ${{ toString: () => "an object" }} ${new URL("file:///x")}`.text()).toBe(
      "1 true an object file:///x\n",
    )
  })

  it("cannot hold a NUL", async () => {
    await expect($`echo ${"a\0b"}`.text()).rejects.toThrow("NUL")
  })

  it("may be long", async () => {
    const long = "x y".repeat(100_000)
    expect(await $`printf %s ${long}`.text()).toBe(long)
  })
})

describe("a script", () => {
  it("has pipes, lists, redirections, patterns and braces", async () => {
    expect(await $`cat *.txt | grep t | wc -l`.text().then(Number)).toBe(2)
    expect(await $`false || echo no && echo yes; echo {a,b}`.text()).toBe("no\nyes\na b\n")
    await $`echo new > ${"c d.out"}; echo more >> ${"c d.out"}`
    expect(await readFile(join(directory, "c d.out"), "utf8")).toBe("new\nmore\n")
    const { stdout, stderr } = await $`echo to-stderr >&2; cat < a.txt; cat missing 2>&1 || true`
    expect(stderr.toString()).toBe("to-stderr\n")
    expect(stdout.toString()).toMatch(/^one\ntwo\n.*missing/)
  })

  it("reads from buffers, blobs, answers and streams, and writes to buffers", async () => {
    const bytes = Buffer.from("bytes\0more")
    expect((await $`cat < ${bytes}`).stdout).toEqual(bytes)
    expect(await $`cat < ${new Blob(["blob"])} | cat`.text()).toBe("blob")
    expect(await $`cat < ${new Response("answer")}`.text()).toBe("answer")
    const room = Buffer.alloc(8)
    await $`printf %s 0123456789 > ${room}`
    expect(room.toString()).toBe("01234567")
  })

  it("gives its output in many forms", async () => {
    const json = $`printf '%s' ${JSON.stringify({ a: [1] })}`
    expect(await json.json()).toEqual({ a: [1] })
    expect(await json.text("base64")).toBe(Buffer.from('{"a":[1]}').toString("base64"))
    expect(new Uint8Array(await $`printf ab`.arrayBuffer())).toEqual(new Uint8Array([97, 98]))
    expect(await (await $`printf ab`.blob()).text()).toBe("ab")
    const lines: string[] = []
    for await (const line of $`cat a.txt`.lines()) lines.push(line)
    expect(lines).toEqual(["one", "two"])
    const output = await $`printf 7`
    expect([output.exitCode, output.text(), output.json(), output.bytes()]).toEqual([0, "7", 7, new Uint8Array([55])])
  })

  it("rejects with its code and what it said, unless it is told not to", async () => {
    const failed: unknown = await $`echo out; echo err >&2; exit 3`.catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ShellError)
    expect(failed).toMatchObject({ name: "ShellError", exitCode: 3, message: "Failed with exit code 3" })
    expect([(failed as ShellError).stdout.toString(), (failed as ShellError).stderr.toString()]).toEqual([
      "out\n",
      "err\n",
    ])
    expect((await $`exit 4`.nothrow().quiet()).exitCode).toBe(4)
    expect((await $`exit 4`.throws(false)).exitCode).toBe(4)
    expect((await $`${"no-such-program"}`.nothrow()).exitCode).toBe(127)
  })

  it("runs once, and not before somebody asks for it", async () => {
    const script = $`echo x >> once.txt; cat once.txt`
    await new Promise((resolve) => setTimeout(resolve, 30))
    await expect(readFile(join(directory, "once.txt"))).rejects.toThrow("ENOENT")
    expect([await script.text(), (await script).text(), await script.text()]).toEqual(["x\n", "x\n", "x\n"])
    await expect($`exit 1`.finally(() => undefined)).rejects.toBeInstanceOf(ShellError)
  })

  it("works where and with what it is told", async () => {
    expect(await $`pwd`.cwd("/").text()).toBe("/\n")
    expect(await $`echo $GREETING`.env({ ...process.env, GREETING: "hi" }).text()).toBe("hi\n")
    await expect($`pwd`.cwd(join(directory, "nowhere"))).rejects.toThrow("nowhere")
  })

  it("reads what is written to it", async () => {
    const script = $`cat`
    const writer = script.stdin.getWriter()
    await writer.write(Buffer.from("typed"))
    await writer.close()
    expect(await script.text()).toBe("typed")
  })
})

describe("the tag", () => {
  it("has defaults that scripts can change", async () => {
    const own = new $.Shell()
    own
      .cwd("/")
      .env({ ...process.env, A: "b" })
      .nothrow()
    expect(await own`pwd; echo $A; exit 1`.text()).toBe("/\nb\n")
    await expect(own`exit 1`.throws(true)).rejects.toBeInstanceOf(ShellError)
    expect(await own.cwd()`pwd`.text()).toBe(await $`pwd`.text())
    await expect($`exit 1`).rejects.toBeInstanceOf(ShellError)
  })

  it("escapes words so that they may be put into code", async () => {
    await assert(
      asyncProperty(text, async (given) => {
        expect(await words((shell) => shell`${{ raw: `printf '%s\\0' ${shell.escape(given)}` }}`)).toEqual([given])
      }),
      some,
    )
  })

  it("expands braces", () => {
    expect($.braces("index.{js,ts}")).toEqual(["index.js", "index.ts"])
    expect($.braces("{a,b{1,2}}{x,y}")).toEqual(["ax", "ay", "b1x", "b1y", "b2x", "b2y"])
    expect($.braces("none {one} {")).toEqual(["none {one} {"])
  })
})

describe("a script", () => {
  it("that a signal ends has the code that shells give it", async () => {
    expect((await $`kill -KILL $$`.nothrow()).exitCode).toBe(137)
  })

  it("works in directories that are named from its own", async () => {
    await mkdir(join(directory, "below"))
    const own = createShell(directory)
    expect(await own`pwd`.cwd("below").text()).toBe(`${directory}/below\n`)
    expect(await own.cwd("below")`pwd`.text()).toBe(`${directory}/below\n`)
    expect(await own.cwd()`pwd`.text()).toBe(`${directory}\n`)
  })

  it("may hold quotes in its comments", async () => {
    const value = "a  b"
    const script = $`# It's ${value}'s turn
      echo ${value} # that's it
      echo x#'${value}' ${value}#y "# ${value}"`
    expect(await script.text()).toBe("a  b\nx#a  b a  b#y # a  b\n")
  })
})

describe("what Bun's shell does not have", () => {
  const value = "x"
  it.each<[string, (shell: Shell) => PromiseLike<unknown>]>([
    ["here-document", (shell) => shell`cat <<EOF\nhi\nEOF`],
    ["here-document", (shell) => shell`cat <<-'END'\nhi\nEND`],
    ["here-document", (shell) => shell`cat <<${value}\nhi\nx`],
    ["here-document", (shell) => shell`${{ raw: "cat <<EOF\nhi\nEOF" }}`],
    ["command in the background (&)", (shell) => shell`sleep 1 &`],
    ["command in the background (&)", (shell) => shell`sleep 1 & echo ${value}`],
    ["command in the background (&)", (shell) => shell`echo $(sleep ${value} &)`],
  ])("is refused by its name: %s", async (name, run) => {
    await expect(Promise.resolve(run($))).rejects.toThrow(`There is no ${name} in the shell of Bun's $`)
  })

  it("is not seen where it is something else", async () => {
    const script = $`echo "a & b" 'c <<EOF' d\&e ${value} $((1<<2)) $((6 & 3)) 2>&1 # & <<EOF
      echo one &> /dev/null && true | cat 1>&2; cat < ${Buffer.from("in")}`
    expect(await script.text()).toBe("a & b c <<EOF d&e x 4 2\nin")
  })
})

it.runIf(process.platform === "linux")(
  "ends what was started, with all that that has started, when its process is killed",
  async () => {
    const token = crypto.randomUUID()
    const urls = ["create-shell.ts", "../bun/create-bun.ts"].map((name) => new URL(name, import.meta.url).href)
    // Each waits in a session of its own as well, and knows no more than it is given.
    const source = `
    import { existsSync } from "node:fs"
    import { createGuardian } from "@pawl/process-guard"
    const [{ createShell }, { createBun }] = await Promise.all([${urls.map((url) => `import("${url}")`).join()}])
    const guardian = createGuardian()
    const Bun = createBun(createShell("/", guardian), guardian)
    const [{ PATH }, TOKEN, UP] = [process.env, "${token}", ${JSON.stringify(join(directory, "up"))}]
    const script = "setsid sleep 1000 & touch $UP$N; exec sleep 1000"
    void Bun.$.env({ PATH, TOKEN, UP, N: "1", script })\`sh -c "$script"\`.run()
    Bun.spawn(["sh", "-c", script], { env: { PATH, TOKEN, UP, N: "2" } })
    while (![1, 2].every((n) => existsSync(UP + n))) await Bun.sleep(10)
    // It holds this process up.
    Bun.spawnSync(["sh", "-c", script], { env: { PATH, TOKEN, UP, N: "3" } })
  `
    const args = ["--conditions=@pawl/source", "--input-type=module", "-e", source]
    const cwd = fileURLToPath(new URL(".", import.meta.url))
    const owner = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })
    const marked = () => processesOf(token).length
    await vi.waitUntil(() => marked() >= 6, { timeout: 100_000 })
    owner.kill("SIGKILL")
    await vi.waitUntil(() => marked() === 0, { timeout: 100_000 })
    expect(marked()).toBe(0)
  },
)

function processesOf(token: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/environ`, "latin1").includes(`TOKEN=${token}`)
      } catch {
        return false
      }
    })
}
