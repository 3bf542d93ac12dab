import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { readTask } from "./task.ts"

function typed(...chunks: (string | Buffer)[]) {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as NodeJS.ReadStream
  return { stdin, stderr: capturedOutput() }
}

describe("the task", () => {
  it.each<[words: string[], stdin: string, text: string, typed: string]>([
    [["fix", "the sum"], "piped", "fix the sum", "fix the sum"],
    [["-"], "from stdin\n\n", "from stdin", ""],
    [["explain", "-"], "a diff\n", "explain\n\na diff", "explain"],
    [["explain", "-"], "", "explain", "explain"],
    [["-", "explain"], "piped", "- explain", "- explain"],
    [["-"], "  indented\n", "  indented", ""],
  ])("of %j and stdin %j is %j, of which %j was typed", async (words, stdin, text, typedText) => {
    expect(await readTask(words, typed(stdin))).toEqual({ text, typed: typedText })
  })

  it("is none without words", async () => {
    expect(await readTask([], typed("piped"))).toBeUndefined()
  })

  it("keeps characters whole that arrive in halves", async () => {
    const bytes = Buffer.from("ä日👩")

    const chunks = [bytes.subarray(0, 1), bytes.subarray(1, 3), bytes.subarray(3, 7), bytes.subarray(7)]
    expect(await readTask(["-"], typed(...chunks))).toMatchObject({ text: "ä日👩" })
  })

  it("replaces what is no UTF-8", async () => {
    expect(await readTask(["-"], typed(Buffer.from([0x61, 0xff, 0xc3, 0x62])))).toMatchObject({ text: "a��b" })
  })

  it("drops the byte order mark of a file", async () => {
    expect(await readTask(["-"], typed("\uFEFFtask"))).toMatchObject({ text: "task" })
  })

  it("of a command may be empty: its template, or a plugin, fills the prompt", async () => {
    const task = await readTask([""], typed(""), { mayBeEmpty: true })
    const piped = await readTask(["-"], typed(" \n"), { mayBeEmpty: true })

    expect([task, piped]).toEqual([
      { text: "", typed: "" },
      { text: "", typed: "" },
    ])
  })

  it.each([[["", " "]], [["-"]], [["\n", "-"]]])("is refused when there is nothing in it: %j", async (words) => {
    await expect(readTask(words, typed(" \n\t"))).rejects.toThrow("The task is empty")
  })
})
