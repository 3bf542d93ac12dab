import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { paper } from "../../test/host.ts"
import { readTask } from "./task.ts"

function typed(...chunks: (string | Buffer)[]) {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as NodeJS.ReadStream
  return { stdin, stderr: paper() }
}

describe("the task", () => {
  it.each<[words: string[], stdin: string, task: string | undefined]>([
    [[], "piped", undefined],
    [["fix", "the sum"], "piped", "fix the sum"],
    [["-"], "from stdin\n\n", "from stdin"],
    [["explain", "-"], "a diff\n", "explain\n\na diff"],
    [["explain", "-"], "", "explain"],
    [["-", "explain"], "piped", "- explain"],
    [["-"], "  indented\n", "  indented"],
  ])("of %j and stdin %j is %j", async (words, stdin, task) => {
    expect(await readTask(words, typed(stdin))).toBe(task)
  })

  it("keeps characters whole that arrive in halves", async () => {
    const bytes = Buffer.from("ä日👩")

    expect(
      await readTask(["-"], typed(bytes.subarray(0, 1), bytes.subarray(1, 3), bytes.subarray(3, 7), bytes.subarray(7))),
    ).toBe("ä日👩")
  })

  it("replaces what is no UTF-8", async () => {
    expect(await readTask(["-"], typed(Buffer.from([0x61, 0xff, 0xc3, 0x62])))).toBe("a��b")
  })

  it("drops the byte order mark of a file", async () => {
    expect(await readTask(["-"], typed("\uFEFFtask"))).toBe("task")
  })

  it.each([[["", " "]], [["-"]], [["\n", "-"]]])("is refused when there is nothing in it: %j", async (words) => {
    await expect(readTask(words, typed(" \n\t"))).rejects.toThrow("The task is empty")
  })
})
