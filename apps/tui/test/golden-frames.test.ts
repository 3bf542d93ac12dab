import { describe, expect, it } from "vitest"
import type { ModelChoice } from "../src/source/source.ts"
import { ENTER, ESCAPE } from "./playing-app.ts"
import { playScene, type Scene, SIZES, type Stage } from "./scene-stage.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const call = (tool: string, input: object) => ({ tool, input })
/** Works until it is interrupted. */
const STALL = { stall: true }

const DOWN = `${ESCAPE}[B`
const ALT_ENTER = `${ESCAPE}\r`
const ALT_UP = `${ESCAPE}[1;3A`
const PAGE_UP = `${ESCAPE}[5~`
const pasted = (content: string) => `${ESCAPE}[200~${content}${ESCAPE}[201~`
const CTRL_F = "\u0006"
const CTRL_O = "\u000F"
const CTRL_P = "\u0010"
const CTRL_R = "\u0012"
const CTRL_S = "\u0013"
const CTRL_T = "\u0014"
const CTRL_U = "\u0015"
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

const HI = [answer(text("Hi."))]
const ASKS_PUSH = { permission: { bash: { "*": "allow", "git push *": "ask" } } }
const push = call("bash", { command: "git push origin main", description: "Publish the branch" })
const longPush = call("bash", {
  command: `git push origin ${Array.from({ length: 8 }, (_, at) => `feature/part-${at}-of-the-work`).join(" ")}`,
})
const hook = call("write", { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\nset -eu\necho done\n" })
const TODOS = [
  ["Read the parser", "completed"],
  ["Find out why the lexer loses the last token of a file that has no line break at its end", "in_progress"],
  ["Write a test", "pending"],
  ["Mend it", "pending"],
  ["Update the documentation", "pending"],
  ["Run all tests", "pending"],
  ["Write the message of the commit", "pending"],
  ["Tell the user", "pending"],
].map(([content, status]) => ({ content, status }))

async function asked(stage: Stage, shown: string): Promise<void> {
  stage.send("Do it")
  await stage.shows(shown)
  stage.read()
}

async function turn(stage: Stage, prompt: string, shown: string): Promise<void> {
  stage.send(prompt)
  await stage.shows(shown)
  await stage.idle()
}

async function command(stage: Stage, line: string, shown: string): Promise<void> {
  stage.type(line)
  stage.press(ENTER)
  await stage.shows(shown)
}

const question = (more: object) => ({
  ...{ question: "Which database should the service use?", header: "Database" },
  options: [
    { label: "SQLite", description: "One file beside the program, nothing to install or to start" },
    { label: "PostgreSQL", description: "A server that several machines share" },
  ],
  ...more,
})
const asks = (...questions: object[]) => [answer(call("question", { questions })), answer(text("Good."))]

const choice = (modelID: string, ...variants: string[]): ModelChoice => ({
  ...{ ref: { providerID: "acme", modelID }, name: `The ${modelID} one`, context: 200_000, variants },
})

const completion: readonly Scene[] = [
  {
    name: "complete-command",
    script: HI,
    async play(stage) {
      stage.type("/se")
      await stage.shows("/sessions")
    },
  },
  {
    name: "complete-mention",
    script: HI,
    files: { "explorer.ts": "", "excerpt.md": "", "other.txt": "" },
    async play(stage) {
      stage.type("Ask @ex")
      await stage.shows("excerpt.md")
    },
  },
]

const prompts: readonly Scene[] = [
  {
    name: "shell-command",
    script: HI,
    async play(stage) {
      await turn(stage, "!printf 'one\\ntwo\\n'; exit 3", "exit 3")
    },
  },
  {
    name: "note-picker",
    script: HI,
    files: { "AGENTS.md": "# Rules\n" },
    async play(stage) {
      await command(stage, "# Use tabs here, and no spaces at the end of a line", "Send it as a prompt")
    },
  },
  {
    name: "queue",
    script: [answer(text("One."), STALL)],
    async play(stage) {
      stage.send("Go")
      await stage.shows("One. ⠋ working")
      stage.send("Use the other file")
      await stage.shows("next step: Use the other file")
      stage.first.type("Then run all of the tests, and write what they say into report.txt")
      stage.first.press(ALT_ENTER)
      await stage.shows("after the turn: Then run")
      stage.first.type("not this")
      stage.first.press(ALT_ENTER)
      await stage.shows("after the turn: not this")
      stage.first.press(ALT_UP)
      await expect.poll(() => stage.first.app.ui.editor.text()).toBe("not this")
    },
  },
  {
    name: "interrupted",
    script: [answer(text("Begun.\n\nMore of"), STALL)],
    async play(stage) {
      stage.send("Go")
      await stage.shows("More of")
      stage.first.press(ESCAPE)
      await stage.shows("Interrupted.")
      await stage.idle()
    },
  },
  {
    name: "stash",
    script: HI,
    async play(stage) {
      stage.type("Explain why the parser reads the whole file before it returns")
      stage.press(CTRL_S)
      await stage.shows("put aside")
      stage.type("First this")
    },
  },
  {
    name: "image",
    script: [answer(text("A dot."))],
    files: { "my dot.png": PNG },
    async play(stage) {
      stage.first.app.handleKey({ name: "paste", text: "'my dot.png'", data: "" })
      await stage.first.shows("> [Image 1: my dot.png]")
      stage.first.type("What is it?")
      stage.first.press(ENTER)
      await stage.shows("A dot.")
      await stage.idle()
    },
  },
  {
    name: "paste",
    script: HI,
    async play(stage) {
      stage.type("Look at ")
      stage.press(pasted("a line\n".repeat(70).trim()))
      await stage.shows("[paste #1 +70 lines]")
      stage.type(" and say what it is")
    },
  },
  {
    name: "search-prompts",
    script: HI,
    async play(stage) {
      for (const prompt of ["fix the parser", "write a test", "fix the lexer,\nand the tests below it"]) {
        for (const ui of stage.uis) await ui.app.ui.history.add(prompt)
      }
      stage.press(CTRL_R)
      await stage.shows("▸ fix the lexer")
      stage.type("fix")
    },
  },
  ...(["NORMAL", "INSERT"] as const).map((mode): Scene => ({
    name: `vim-${mode.toLowerCase()}`,
    script: HI,
    options: { editorKeys: "vim" },
    async play(stage) {
      await stage.shows("INSERT")
      stage.type("change the words of the first line")
      if (mode === "NORMAL") stage.press(ESCAPE)
      if (mode === "NORMAL") stage.type("2bd")
      await stage.shows(mode === "NORMAL" ? "NORMAL d" : "INSERT")
    },
  })),
  {
    name: "palette",
    script: HI,
    async play(stage) {
      stage.press(CTRL_P)
      await stage.shows("enter picks")
      stage.type("re")
    },
  },
  {
    name: "long-prompt",
    script: HI,
    async play(stage) {
      stage.type(
        Array.from({ length: 30 }, (_, at) => `sentence ${at} of a prompt that needs more than a few lines.`).join(" "),
      )
      await stage.shows("sentence 29")
    },
  },
]

const twoTurns = [
  answer(call("write", { filePath: "a.txt", content: "1\n" })),
  answer(text("One.")),
  answer(call("write", { filePath: "a.txt", content: "2\n" })),
  answer(call("write", { filePath: "b.txt", content: "b\n" })),
  answer(text("Two.")),
]
async function playTwoTurns(stage: Stage): Promise<void> {
  await turn(stage, "First prompt", "One.")
  await turn(stage, "Second prompt, which has more words than a narrow terminal has columns", "Two.")
}

const goingBack: readonly Scene[] = [
  {
    name: "rewind",
    script: twoTurns,
    async play(stage) {
      await playTwoTurns(stage)
      await command(stage, "/rewind", "enter picks")
    },
  },
  {
    name: "rewind-sides",
    script: twoTurns,
    async play(stage) {
      await playTwoTurns(stage)
      await command(stage, "/rewind", "enter picks")
      stage.press(ENTER)
      await stage.shows("▸ messages and files")
    },
  },
  {
    name: "undo",
    script: twoTurns,
    isApart: true,
    async play(stage) {
      await playTwoTurns(stage)
      await command(stage, "/undo", "removed b.txt")
      await stage.idle()
    },
  },
  {
    name: "redo",
    script: twoTurns,
    isApart: true,
    async play(stage) {
      await playTwoTurns(stage)
      await command(stage, "/undo", "removed b.txt")
      await stage.idle()
      await command(stage, "/redo", "the last undo is taken back")
      await stage.idle()
    },
  },
]

const questions: readonly Scene[] = [
  {
    name: "permission-command",
    script: [answer(push), answer(text("Pushed."))],
    settings: ASKS_PUSH,
    play: (stage) => asked(stage, "say what to do"),
  },
  {
    name: "permission-long-command",
    script: [answer(longPush), answer(text("Pushed."))],
    settings: ASKS_PUSH,
    play: (stage) => asked(stage, "Reject"),
  },
  {
    name: "permission-change",
    script: [
      answer(call("read", { filePath: "pawl.json" })),
      answer(call("edit", { filePath: "pawl.json", oldString: "false", newString: "true" })),
      answer(text("Done.")),
    ],
    files: { "pawl.json": '{\n  "share": false\n}\n' },
    play: (stage) => asked(stage, "Reject"),
  },
  {
    name: "permission-side-by-side",
    script: [answer(hook), answer(text("Done."))],
    sizes: [[160, 30]],
    play: (stage) => asked(stage, "Reject"),
  },
  {
    name: "permission-pattern",
    script: [answer(push), answer(text("Pushed."))],
    settings: ASKS_PUSH,
    async play(stage) {
      await asked(stage, "asked by bash")
      stage.press("3")
      await stage.shows("Always: ")
      stage.press(CTRL_U)
      stage.type("git push origin *")
    },
  },
  {
    name: "permission-advice",
    script: [answer(push), answer(text("Then not."))],
    settings: ASKS_PUSH,
    async play(stage) {
      await asked(stage, "asked by bash")
      stage.press("5")
      await stage.shows("Instead:")
      stage.type("push to a branch of your own, and open a pull request")
    },
  },
  {
    name: "permission-rejected",
    script: [answer(push), answer(text("Then not."))],
    settings: ASKS_PUSH,
    async play(stage) {
      // In a low window the whole question is printed above, once its reason is known.
      await asked(stage, "asked by bash")
      stage.first.press("5")
      stage.first.type("push to a branch of your own, and open a pull request")
      stage.first.press(ENTER)
      await stage.shows("Then not.")
      await stage.idle()
    },
  },
  {
    name: "permission-subagent",
    script: [
      answer(call("task", { description: "Publish it", prompt: "Push", subagent_type: "general" })),
      answer(push),
      answer(text("Done.")),
    ],
    settings: ASKS_PUSH,
    play: (stage) => asked(stage, "a subagent"),
  },
  { name: "choice", script: asks(question({})), play: (stage) => asked(stage, "Something else") },
  {
    name: "choice-multiple",
    script: asks(question({ multiple: true }), question({ header: "Second" })),
    async play(stage) {
      await asked(stage, "Something else")
      stage.press("2")
      stage.press(DOWN)
      await stage.shows("[x] PostgreSQL")
    },
  },
  {
    name: "choice-own",
    script: asks(question({})),
    async play(stage) {
      await asked(stage, "Something else")
      stage.press("3")
      await stage.shows("Answer:")
      stage.type("none: keep everything in memory until the end")
    },
  },
  {
    name: "choice-answered",
    script: asks(question({}), question({ header: "Second" })),
    async play(stage) {
      await asked(stage, "Something else")
      stage.first.press("1")
      await stage.first.shows("2 of 2")
      stage.first.press("2")
      await stage.shows("Good.")
      await stage.idle()
    },
  },
]

const SUMMARY = [
  ...["## Objective\nCount to 18,000.", "## Important details\nThe numbers are whole."],
  "## Work state\n- Completed: two commands\n- Active: nothing\n- Blocked: nothing",
  ...["## Next move\nWait for the user.", "## Relevant files\n- none"],
].join("\n\n")

const parts: readonly Scene[] = [
  {
    name: "todos",
    script: [answer(call("todowrite", { todos: TODOS })), answer(STALL)],
    async play(stage) {
      stage.send("Plan it")
      await stage.shows("▸ Find out why")
      await stage.shows("waiting for the mod")
    },
  },
  {
    name: "todos-hidden",
    script: [answer(call("todowrite", { todos: TODOS })), answer(STALL)],
    async play(stage) {
      stage.send("Plan it")
      await stage.shows("▸ Find out why")
      stage.press(CTRL_T)
    },
  },
  {
    name: "folded",
    script: [answer(call("bash", { command: "seq 12" })), answer(text("Counted."))],
    play: (stage) => turn(stage, "Count", "Counted."),
  },
  {
    name: "unfolded",
    script: [answer(call("bash", { command: "seq 12" })), answer(text("Counted."))],
    async play(stage) {
      stage.press(CTRL_O)
      await stage.shows("Outputs are shown in full")
      await turn(stage, "Count", "Counted.")
    },
  },
  {
    name: "reasoning",
    script: [
      answer(
        { reasoning: Array.from({ length: 9 }, (_, at) => `Thought ${at} is about the parser.`).join("\n") },
        text("So."),
      ),
    ],
    play: (stage) => turn(stage, "Think", "So."),
  },
  {
    name: "changes",
    script: [
      answer(call("read", { filePath: "a.js" })),
      answer(call("edit", { filePath: "a.js", oldString: "const a = 1", newString: "const a = 2\nconst b = 3" })),
      answer(text("Changed.")),
    ],
    files: { "a.js": "// The first line\nconst a = 1\n\nexport default a\n" },
    play: (stage) => turn(stage, "Change it", "Changed."),
  },
  {
    name: "subagents",
    script: [
      answer(call("task", { description: "Look around", prompt: "Look", subagent_type: "explore" })),
      answer(STALL),
    ],
    async play(stage) {
      stage.send("Go")
      await stage.shows("↳ explore")
      await command(stage, "/agents", "ctrl+x sto")
    },
  },
  {
    name: "shells",
    script: [answer(call("bash", { command: "echo größer; sleep 300", background: true })), answer(text("Started."))],
    async play(stage) {
      await turn(stage, "Start it", "Started.")
      await command(stage, "/shells", "▸ ● echo größer")
    },
  },
  {
    name: "error",
    script: [{ reply: [{ error: { kind: "auth", message: "The key was not accepted.", statusCode: 401 } }] }],
    async play(stage) {
      stage.send("Go")
      await stage.shows("The key was not accepted.")
      await stage.idle()
      await command(stage, "/frobnicate", "/help lists all commands.")
    },
  },
  {
    name: "retry",
    script: [
      { reply: [{ error: { kind: "rate-limited", message: "Slow down, please.", retryAfter: 55_000 } }] },
      answer(text("Never.")),
    ],
    async play(stage) {
      for (const ui of stage.uis) ui.setClock(Date.now())
      stage.send("Go")
      await stage.shows("next try in")
    },
  },
  {
    name: "compaction",
    script: [
      { model: { limit: { context: 100_000, output: 1000 } }, position: "sequence" },
      answer(call("bash", { command: "seq 9000" }), call("bash", { command: "seq 9000 18000" })),
      answer(text("Counted.")),
      answer(text("Once more.")),
      answer(text(SUMMARY)),
      answer(text(SUMMARY)),
    ],
    async play(stage) {
      await turn(stage, "Count", "Counted.")
      await turn(stage, "Again", "Once more.")
      stage.send("/compact the numbers")
      await stage.shows("compacted to")
      await stage.idle()
    },
  },
]

const lists: readonly Scene[] = [
  {
    name: "context",
    script: HI,
    hasOwnFigures: true,
    async play(stage) {
      await turn(stage, "Hello", "Hi.")
      for (const { app } of stage.uis) Object.assign(app.ui.source, { context: async () => CONTEXT })
      await command(stage, "/context", "next request")
      await stage.idle()
    },
  },
  {
    name: "cost",
    script: [answer(text("One.")), answer(text("Two."))],
    async play(stage) {
      await turn(stage, "First", "One.")
      await turn(stage, "Second prompt, which has more words than a narrow terminal has columns", "Two.")
      await command(stage, "/cost", "all turns")
      await stage.idle()
    },
  },
  {
    name: "sessions",
    script: [answer(text("Nothing new.")), answer(text("The zebra crossed. ".repeat(9)))],
    isApart: true,
    async play(stage) {
      await turn(stage, "First question", "Nothing new.")
      await turn(stage, "And?", "The zebra crossed.")
      await command(stage, "/new", "new session")
      await turn(stage, "Second question, about the parser and all that it reads", "the parser")
      await command(stage, "/sessions", "enter picks")
      stage.press(DOWN)
      await stage.shows("▸ First question")
    },
  },
  {
    name: "tree",
    script: HI,
    isApart: true,
    async play(stage) {
      await turn(stage, "A question, about the parser and all that it reads", "Hi.")
      await stage.first.app.ui.source.fork(stage.first.app.ui.view().session?.id ?? "")
      await command(stage, "/tree", "└ A question")
    },
  },
  {
    name: "models",
    script: HI,
    async play(stage) {
      const known = [choice("large", "low", "high"), choice("medium"), choice("small")]
      for (const { app } of stage.uis) Object.assign(app.ui.source, { models: async () => known })
      await command(stage, "/model", "ctrl+f")
      stage.type("small")
      stage.press(CTRL_F)
      await stage.shows("▸ acme/small  favourite")
    },
  },
  { name: "agents", script: HI, play: (stage) => command(stage, "/agent", "enter picks") },
  {
    name: "find",
    script: [answer(text("A walrus sleeps.")), answer(text("Fine."))],
    async play(stage) {
      await turn(stage, "Tell me", "A walrus sleeps.")
      await turn(stage, "Thanks", "Fine.")
      await command(stage, "/find walrus", '1 with "walrus"')
    },
  },
  {
    name: "found",
    script: [answer(text("A walrus sleeps.")), answer(text("Fine."))],
    async play(stage) {
      await turn(stage, "Tell me", "A walrus sleeps.")
      await turn(stage, "Thanks", "Fine.")
      await command(stage, "/find walrus", '1 with "walrus"')
      stage.press(ENTER)
      await stage.shows("end of what was found")
      await stage.idle()
    },
  },
  {
    name: "own-status",
    script: HI,
    options: { statusCommand: "cat > /dev/null; echo 'main · 3 files changed · a line of status of your own command'" },
    lastRow: /^main · 3 files/,
    async play(stage) {
      await turn(stage, "Hello", "Hi.")
      await stage.shows("3 files changed")
    },
  },
  {
    name: "diff-list",
    script: twoTurns,
    async play(stage) {
      await playTwoTurns(stage)
      await command(stage, "/diff", "All files")
    },
  },
]

const CONTEXT = {
  ...{ sessionID: "ses_0", agent: "build", model: { providerID: "replay", modelID: "script" } },
  ...{ tokens: 46_500, margin: 900, media: 0, auto: true, prune: true, tools: 17, instructions: [], pins: [] },
  shares: { system: 2100, tools: 8400, instructions: 0, summary: 0, tail: 32_000, new: 4000 },
  limits: { window: 200_000, usable: 168_000, soft: 134_000, hard: 160_000 },
  calibration: { bytesPerToken: 3.9, error: 0.02, samples: 3 },
  ...{ compactions: [], cache: { requests: 4, busts: [] }, prunable: { outputs: 2, tokens: 5100 } },
}

const WORDS = {
  "long-words": `A word: ${"Donaudampfschifffahrt".repeat(9)}.\n\nAn address: https://example.org/${"a/long/path/".repeat(14)}end`,
  cjk: "日本語の文章は、空白なしで続きます。".repeat(8),
  emoji: `A family 👨‍👩‍👧‍👦, a flag 🇩🇪, a hand 👋🏽 and a heart ❤️. ${"👩‍🚀".repeat(50)}`,
  "right-to-left": `Hebrew שלום עולם and Arabic مرحبا بالعالم. ${"שלום עולם ".repeat(12)}`,
  "combining-marks": `Cafe\u0301, n\u0303, and a\u0308. ${"e\u0301".repeat(130)}`,
}

const characters: readonly Scene[] = [
  ...Object.entries(WORDS).map(([name, words]): Scene => ({
    name,
    hasOddWidths: name === "emoji",
    script: [answer(text(`${words}\n\nThe end.`))],
    async play(stage) {
      await turn(stage, words.slice(0, 400).replaceAll("\n", " "), "The end.")
      stage.type(Array.from(words).slice(0, 24).join(""))
    },
  })),
  {
    name: "tabs",
    script: [
      answer(call("bash", { command: "printf 'a\\tb\\tc\\n'" })),
      answer(text("A\ttab:\n\n```\nif:\n\tdone\n```")),
    ],
    play: (stage) => turn(stage, "Use tabs", "done"),
  },
  {
    name: "control-characters",
    files: {
      "raw.bin": Buffer.from(
        "\u001B[2J\u001B[31mred\u001B[0m\rover\u0007 \u001B]0;title\u0007end\n\u009B2Jc1\n\u00FF raw\n",
        "latin1",
      ),
    },
    script: [
      answer(call("bash", { command: "cat raw.bin" })),
      answer(text("The \u001B[2Janswer\u0007 has some, too.\r\n\u202Eback\u202C and \u200Bnothing.")),
    ],
    play: (stage) => turn(stage, "Print", "has some, too."),
  },
]

const numbered = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} has 日本語 and 👍, and words up to its end.`)

/** Gives the terminal the other sizes and its own again, in any order of draws. */
async function resizedToOthers({ uis }: Stage): Promise<void> {
  for (const { terminal, app, drawn } of uis) {
    const { columns, rows } = terminal.size()
    const others = SIZES.filter(([width]) => width !== columns)
    for (const [width, height] of [...others, [columns, rows] as const]) {
      await drawn()
      terminal.resize(width, height)
      app.resized()
    }
    await drawn()
  }
}

/** Returns the numbers of the paragraphs in the order in which the terminal has them. */
function numbersIn(lines: readonly string[]): number[] {
  return [...lines.join(" ").matchAll(/Paragraph (\d+)/g)].map(([, number]) => Number(number))
}

const resizes: readonly Scene[] = [
  {
    name: "resized-stream",
    script: [answer(text(numbered.join("\n\n")), text("\n\nAnd then"), STALL)],
    isResized: true,
    async play(stage) {
      stage.send("Go")
      await stage.shows("And then")
      await resizedToOthers(stage)
      for (const { terminal } of stage.uis)
        expect(numbersIn(terminal.scrollback())).toEqual(numbered.map((_, at) => at))
    },
  },
  {
    name: "resized-question",
    script: [answer(text(numbered.slice(0, 12).join("\n\n")), push)],
    settings: ASKS_PUSH,
    isResized: true,
    async play(stage) {
      await asked(stage, "Reject")
      await resizedToOthers(stage)
      await stage.shows("Reject")
      for (const { terminal } of stage.uis)
        expect(numbersIn(terminal.scrollback())).toEqual(numbered.slice(0, 12).map((_, at) => at))
    },
  },
]

const whole: readonly Scene[] = [
  {
    name: "full",
    script: [answer(text(numbered.join("\n\n")))],
    options: { isFull: true },
    play: (stage) => turn(stage, "Go", "Paragraph 29"),
  },
  {
    name: "full-scrolled",
    script: [answer(text(numbered.join("\n\n")))],
    options: { isFull: true },
    async play(stage) {
      await turn(stage, "Go", "Paragraph 29")
      stage.press(PAGE_UP)
      await stage.shows("lines below")
    },
  },
]

const groups: Readonly<Record<string, readonly Scene[]>> = {
  ...{ completion, prompts, "going back": goingBack, questions, parts, lists, characters, resizes },
  "the whole window": whole,
}

describe.each(Object.entries(groups))("frames of %s", (_, scenes) => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))("%s", async (_name, scene) => {
    expect(await playScene(scene)).toBe(scene.sizes?.length ?? SIZES.length)
  })
})
