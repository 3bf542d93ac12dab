import { createRequire } from "node:module"
import { expect, it } from "vitest"
import { bypasses, everyday } from "@pawl/shell-corpus"
import { createShellReader } from "../src/index.ts"
import { randomNumbers, wrappedCommand } from "./random-command.ts"

interface Node {
  readonly Args?: readonly Node[]
  Pos(): { Offset(): number }
  End(): { Offset(): number }
}

interface Mvdan {
  readonly syntax: {
    NewParser(): { Parse(text: string, name: string): Node }
    Walk(node: Node, visit: (node: Node | null) => boolean): void
    NodeType(node: Node): string
  }
}

const require = createRequire(import.meta.url)
const { syntax } = require("mvdan-sh") as Mvdan
const parser = syntax.NewParser()

/** The simple commands that another grammar sees; none where it cannot parse. */
function commandsElsewhere(command: string): string[] {
  const bytes = Buffer.from(command)
  const found: string[] = []
  try {
    syntax.Walk(parser.Parse(command, "command"), (node) => {
      if (node && syntax.NodeType(node) === "CallExpr" && node.Args && node.Args.length > 0)
        found.push(
          node.Args.map((word) => bytes.subarray(word.Pos().Offset(), word.End().Offset()).toString()).join(" "),
        )
      return true
    })
  } catch {
    return []
  }
  return found
}

const bare = (text: string) => text.replaceAll(/\\\n|["'\\]/g, "")

it("sees each literal command that another grammar sees", async () => {
  const { read } = await createShellReader()
  const random = randomNumbers(3)
  const commands = [...bypasses, ...everyday].map(({ command }) => command).filter(({ length }) => length < 1000)
  commands.push(...Array.from({ length: 100 }, () => wrappedCommand(random)))
  let compared = 0
  const unseen = commands.flatMap((command) => {
    const reading = read(command)
    // It reads a continued line within escaped backticks otherwise than bash does.
    if (reading.unclear.length > 0 || command.includes("\\`")) return []
    const texts = new Set(reading.commands.map(({ text }) => bare(text)))
    const literal = commandsElsewhere(command).filter((text) => !/[$`<>]|\\[^\n]/.test(text))
    compared += literal.length
    return literal.filter((text) => !texts.has(bare(text))).map((text) => ({ command, text }))
  })
  expect(unseen).toEqual([])
  expect(compared).toBeGreaterThan(400)
})
