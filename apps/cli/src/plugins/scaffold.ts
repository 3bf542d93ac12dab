/** Version of the kit in new plugins. */
const KIT = "^0.1.0"
/** File of a new plugin from which its tests get the kit. */
export const KIT_FILE = "pawl-plugin.tgz"

/** Returns the texts of a new plugin by path, without the kit. `name` is the name of its package. */
export function scaffold(name: string): Readonly<Record<string, string>> {
  const tool = name.replaceAll(/[^a-z0-9]+/g, "_").replace(/^(?=\d)/, "_")
  return {
    "package.json": `${JSON.stringify(manifest(name), undefined, 2)}\n`,
    "README.md": readme(name, tool),
    "src/index.ts": source(tool),
    "src/index.test.ts": test(tool),
    ".gitignore": "node_modules\n",
  }
}

function manifest(name: string) {
  return {
    name,
    version: "0.1.0",
    description: "A plugin for pawl.",
    type: "module",
    exports: "./src/index.ts",
    files: ["src", "!src/**/*.test.ts"],
    scripts: { test: "node --test" },
    keywords: ["pawl-plugin"],
    peerDependencies: { "@pawl/plugin": KIT },
    devDependencies: { "@pawl/plugin": `file:${KIT_FILE}` },
    engines: { node: ">=22.22" },
  }
}

function source(tool: string): string {
  return `import { definePlugin, tool, z } from "@pawl/plugin"

export default definePlugin(({ options }) => {
  const greeting = typeof options.greeting === "string" ? options.greeting : "Hello"
  return {
    // A tool that the model can call.
    tool: {
      ${tool}: tool({
        description: "Greets a person by name.",
        args: { name: z.string().describe("Who is greeted") },
        effect: "pure",
        execute: ({ name }) => \`\${greeting}, \${name}.\`,
      }),
    },
    // A guard: what it throws refuses the call, and the model reads why.
    "tool.execute.before": ({ tool }, { args }) => {
      if (tool === "bash" && JSON.stringify(args).includes("push --force")) {
        throw new Error("Pushing with --force is not allowed here.")
      }
    },
  }
})
`
}

function test(tool: string): string {
  return `import assert from "node:assert/strict"
import { test } from "node:test"
import { call, finish, testPlugin, text } from "@pawl/plugin/testing"
import plugin from "./index.ts"

test("greets by name, as its options say", async () => {
  await using work = await testPlugin(plugin, {
    options: { greeting: "Good day" },
    replies: [[call("${tool}", { name: "Ada" })], [text("Done."), finish("stop")]],
  })
  await work.ask("Greet Ada.")

  const [done] = await work.calls("${tool}")
  assert.equal(done?.state.status === "completed" && done.state.output, "Good day, Ada.")
  assert.deepEqual(work.problems, [])
})

test("refuses to push with --force", async () => {
  await using work = await testPlugin(plugin, {
    replies: [[call("bash", { command: "git push --force" })], [text("I will not."), finish("stop")]],
  })
  await work.ask("Push it.")

  const [refused] = await work.calls("bash")
  assert.match(refused?.state.status === "error" ? refused.state.error : "", /Pushing with --force is not allowed/)
})
`
}

function readme(name: string, tool: string): string {
  return `# ${name}

A plugin for pawl: a tool \`${tool}\`, and a guard that refuses \`git push --force\`.

\`\`\`sh
npm install
npm test
\`\`\`

The tests use \`@pawl/plugin\` from \`${KIT_FILE}\`, a copy of the kit of the pawl that made this directory: commit it. When pawl runs the plugin, it provides its own.

In a project, from its directory: \`pawl plugin add <path to this directory>\`, which writes it into \`pawl.jsonc\`. Options stand beside it:

\`\`\`jsonc
{ "plugin": [["<path to this directory>", { "greeting": "Good day" }]] }
\`\`\`
`
}
