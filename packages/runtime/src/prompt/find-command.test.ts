import { describe, expect, it } from "vitest"
import { allCommands, findCommand } from "./find-command.ts"

const own = { name: "team/release", template: "Release $1", source: "/c.md", isProject: false }
const commands = allCommands({ commands: [own] })
const find = (typed: string, name?: string) => findCommand({ typed, name }, commands, "/nowhere")

describe("a command", () => {
  it("is named by the first word, and the rest are its arguments as they are", () => {
    expect(find("/team/release 1.2  'a b'\nmore")).toEqual({ command: own, arguments: "1.2  'a b'\nmore" })
    expect(find("/review")?.command.name).toBe("review")
  })

  it("may be named by itself", () => {
    expect(find("1.2", "team/release")).toEqual({ command: own, arguments: "1.2" })
    expect(find("", "/review")?.command.name).toBe("review")
  })

  it("of your own takes the place of a built-in one", () => {
    const review = { name: "review", template: "Mine", isProject: false, source: "/r.md" }
    expect(allCommands({ commands: [review] }).filter(({ name }) => name === "review")).toEqual([review])
  })

  it("that nobody has is refused with the nearest one, or all of them", () => {
    expect(() => find("/reviev it")).toThrow("There is no command /reviev. Did you mean /review?")
    expect(() => find("/zzz")).toThrow(
      expect.objectContaining({
        message: "There is no command /zzz.",
        hint: "Known are /compact, /init, /review, /team/release. What they do: pawl command list",
      }),
    )
    expect(() => find("x", "zzz")).toThrow("There is no command /zzz.")
  })
})

it.each(["/etc/hosts is wrong", "/tmp", "/Users/ann/x", "fix /review", "/ what", "/a.b c", "//x"])(
  "%s is a prompt of its own",
  (typed) => {
    expect(find(typed)).toBeUndefined()
  },
)
