// Compares grammars on the syntax part of the corpus:
//   npm install --ignore-scripts --prefix DIR unbash@6.0.4 web-tree-sitter@0.27.1 tree-sitter-bash@0.25.1 mvdan-sh@0.10.1 \
//     sh-syntax@0.7.0 @aliou/sh@0.2.2 @ericcornelissen/bash-parser@0.5.3
//   node --conditions=@pawl/source packages/shell/test/measure-grammars.mjs DIR
// Each grammar is measured in a process of its own.
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const [directory = ".", only] = process.argv.slice(2)
const root = resolve(directory)
const require = createRequire(join(root, "index.js"))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const esm = (path) => import(pathToFileURL(join(root, "node_modules", path)).href)

/** Nodes of a tree of plain objects. */
function* nodes(value, seen = new Set()) {
  if (typeof value !== "object" || value === null || seen.has(value)) return
  seen.add(value)
  if (!Array.isArray(value)) yield value
  for (const child of Object.values(value)) yield* nodes(child, seen)
}

/** A grammar: its packages, and how it is made into a function from text to the texts of its simple commands. */
const grammars = {
  unbash: {
    packages: ["unbash"],
    create: async () => {
      const { parse, forEachChild } = await esm("unbash/dist/parser.js")
      return (text) => {
        const found = []
        const visit = (node, source) => {
          if (node.errors?.length) throw new Error(node.errors[0].message)
          const own = node.source ?? source
          if (node.type === "Command" && node.name)
            found.push([node.name, ...node.args].map((word) => word.text).join(" "))
          forEachChild(node, (child) => visit(child, own))
        }
        visit(parse(text), text)
        return found
      }
    },
  },
  "tree-sitter-bash": {
    packages: ["web-tree-sitter", "tree-sitter-bash"],
    create: async () => {
      const { Parser, Language } = await load("web-tree-sitter")
      await Parser.init()
      const parser = new Parser()
      parser.setLanguage(await Language.load(join(root, "node_modules/tree-sitter-bash/tree-sitter-bash.wasm")))
      return (text) => {
        const tree = parser.parse(text)
        try {
          if (tree.rootNode.hasError) throw new Error("error node")
          const declared = tree.rootNode
            .descendantsOfType(["declaration_command", "unset_command"])
            .map((node) => node.text)
          return [
            ...declared,
            ...tree.rootNode.descendantsOfType("command").map((node) =>
              node.namedChildren
                .filter((child) => !/redirect|variable_assignment/.test(child.type))
                .map((child) => child.text)
                .join(" "),
            ),
          ]
        } finally {
          tree.delete()
        }
      }
    },
  },
  "mvdan-sh": {
    packages: ["mvdan-sh"],
    create: async () => {
      const { syntax } = require("mvdan-sh")
      const parser = syntax.NewParser()
      return (text) => {
        const found = []
        const bytes = Buffer.from(text)
        const slice = (node) => bytes.subarray(node.Pos().Offset(), node.End().Offset()).toString()
        syntax.Walk(parser.Parse(text, "a"), (node) => {
          if (node && syntax.NodeType(node) === "CallExpr" && node.Args.length > 0)
            found.push(node.Args.map(slice).join(" "))
          return true
        })
        return found
      }
    },
  },
  "sh-syntax": {
    packages: ["sh-syntax"],
    create: async () => {
      const { parse } = await load("sh-syntax")
      return async (text) => {
        const tree = await parse(text)
        const bytes = Buffer.from(text)
        const found = []
        for (const node of nodes(tree))
          if (Array.isArray(node.Args) && node.Args.length > 0)
            found.push(node.Args.map((word) => bytes.subarray(word.Pos.Offset, word.End.Offset).toString()).join(" "))
        return found
      }
    },
  },
  "@aliou/sh": {
    packages: ["@aliou/sh"],
    create: async () => {
      const { parse } = await load("@aliou/sh")
      const word = ({ parts }) =>
        parts.map((part) => part.value ?? part.parts?.map((inner) => inner.value ?? "$").join("") ?? "$").join("")
      return (text) => {
        const found = []
        for (const node of nodes(parse(text)))
          if (node.type === "SimpleCommand" && node.words?.length) found.push(node.words.map(word).join(" "))
        return found
      }
    },
  },
  "bash-parser": {
    packages: ["@ericcornelissen/bash-parser"],
    create: async () => {
      const loaded = await load("@ericcornelissen/bash-parser")
      const parse = loaded.default ?? loaded
      return (text) => {
        const found = []
        for (const node of nodes(parse(text, { mode: "bash" })))
          if (node.type === "Command" && node.name)
            found.push(
              [node.name, ...(node.suffix ?? []).filter(({ type }) => type === "Word")]
                .map((one) => one.text)
                .join(" "),
            )
        return found
      }
    },
  },
}

function bytesBelow(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0)
}

function dependencies(name, all = new Set()) {
  const path = join(root, "node_modules", name)
  if (all.has(path)) return all
  all.add(path)
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
  for (const other of Object.keys(manifest.dependencies ?? {}))
    try {
      dependencies(other, all)
    } catch {
      // Nested deeper, or not for this system.
    }
  return all
}

const plain = (text) => text.replaceAll(/["'\\]|…/g, "").trim()

async function measure(name) {
  const { syntax, names, everyday } = await corpus()
  const before = process.memoryUsage().rss
  const start = performance.now()
  const read = await grammars[name].create()
  await read("true")
  const init = performance.now() - start
  const result = { right: 0, refused: 0, missed: 0, of: 0, missedList: [], alarms: 0, everyday: everyday.length }
  for (const { command, commands } of syntax) {
    if (commands.length === 0) continue
    result.of++
    try {
      const found = (await read(command)).map(plain)
      if (commands.every((wanted) => found.includes(plain(wanted)))) result.right++
      else {
        result.missed++
        result.missedList.push(command)
      }
    } catch {
      result.refused++
    }
  }
  for (const { command } of everyday)
    try {
      await read(command)
    } catch {
      result.alarms++
    }
  let accepted = 0
  for (const { command } of names)
    try {
      await read(command)
      accepted++
    } catch {
      // What bash would not parse either.
    }
  const line = 'for f in src/*.ts; do grep -n "$(basename "$f" .ts)" "$f" | head -3 && echo \'done\'; done\n'
  const text = line.repeat(Math.ceil(10_000 / line.length))
  for (let round = 0; round < 5; round++) await read(text)
  const times = []
  for (let round = 0; round < 15; round++) {
    const from = performance.now()
    await read(text)
    times.push(performance.now() - from)
  }
  const packages = new Set(grammars[name].packages.flatMap((one) => [...dependencies(one)]))
  return {
    ...result,
    malformedAccepted: `${accepted}/${names.length}`,
    initMs: init.toFixed(1),
    parse10kMs: times.toSorted((a, b) => a - b)[7].toFixed(2),
    memoryMB: ((process.memoryUsage().rss - before) / 1e6).toFixed(0),
    installMB: ([...packages].reduce((sum, path) => sum + bytesBelow(path), 0) / 1e6).toFixed(1),
  }
}

async function corpus() {
  const { syntax, everyday, bypasses } = await import("@pawl/shell-corpus")
  const malformed = /without an end|too much|two pipes|two ands|without a body|^nothing$/
  return {
    syntax,
    everyday,
    names: bypasses.filter(({ why }) => malformed.test(why) && why !== "in a case without an end"),
  }
}

if (only) {
  const { missedList, ...result } = await measure(only)
  console.log(JSON.stringify({ name: only, ...result }))
  if (process.env.SHOW) console.log(missedList.map((one) => `  ${JSON.stringify(one)}`).join("\n"))
} else
  for (const name of Object.keys(grammars))
    process.stdout.write(
      execFileSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), root, name], {
        encoding: "utf8",
        env: process.env,
      }),
    )
