import type { CommandForm } from "../arguments/command.ts"
import { done, format, modelOptions, storageOptions, trustOptions } from "../command-options.ts"

const place = { dir: { value: "<directory>", summary: "as it is there instead of here" } } as const
const project = { project: { summary: "in the project's pawl.jsonc instead of your own" } } as const
const yes = { yes: { short: "y", summary: "do not ask" } } as const
const WHICH = "Which server? pawl mcp list shows them."

export const mcpListOptions = {
  offline: { summary: "connect to none: what is known without that" },
  timeout: { value: "<time>", summary: "for connecting, such as 5s or 1m; 10s unless told" },
  ...place,
  ...format,
} as const

export const mcpListForm = {
  usage: ["mcp list [options]", "mcp list [options] <name>"],
  notes: [
    "Connects to every server that is switched on and allowed, and says how it stands. With a name: its tools, prompts and " +
      "resources as well, as they are written in a prompt.",
  ],
  words: { min: 0, max: 1 },
  options: mcpListOptions,
  exitCodes: { 0: "it was listed, whatever works", 1: "it failed; the reason is on stderr" },
  examples: [
    ["pawl mcp list", "all servers, and whether they work"],
    ["pawl mcp list github", "what one of them offers"],
    ["pawl mcp list --offline --format json", "for a script, without starting anything"],
  ],
} as const satisfies CommandForm

export const mcpAddOptions = {
  url: { value: "<url>", summary: "where a remote server is" },
  header: { value: "<name: value>", multiple: true, summary: "sent to a remote server with each request" },
  env: {
    value: "<NAME=value>",
    multiple: true,
    summary: "a variable for a local server; with a name alone, the one of your environment each time it starts",
  },
  cwd: { value: "<directory>", summary: "where a local server works" },
  sse: { summary: "the remote server speaks the older protocol of server-sent events alone" },
  ...project,
} as const

export const mcpAddForm = {
  usage: ["mcp add <name> [options] -- <command> [arguments]", "mcp add <name> --url <url> [options]"],
  notes: [
    "Writes the server into your pawl.jsonc, comments kept. {env:NAME} in a header or a variable stands for a variable of your " +
      "environment, which keeps secrets out of the file.",
  ],
  words: {
    min: 1,
    max: Infinity,
    missing: "What is it to be called? pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
  },
  options: mcpAddOptions,
  exitCodes: done,
  examples: [
    ["pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "a program of this machine"],
    ["pawl mcp add tracker --env TRACKER_TOKEN -- tracker-mcp --read-only", "with a variable of your environment"],
    ["pawl mcp add docs --url https://example.com/mcp", "a server on the web"],
    [
      "pawl mcp add api --url https://example.com/mcp --header 'Authorization: Bearer {env:API_TOKEN}'",
      "with a header",
    ],
  ],
} as const satisfies CommandForm

export const mcpRemoveOptions = { ...place } as const

export const mcpRemoveForm = {
  usage: ["mcp remove <name>"],
  notes: ["Takes it out of the file that it is written in, comments kept, with what was allowed of it and its tokens."],
  words: { min: 1, max: 1, missing: WHICH },
  options: mcpRemoveOptions,
  exitCodes: done,
  examples: [["pawl mcp remove files", "no longer"]],
} as const satisfies CommandForm

export const mcpAllowOptions = { ...yes, ...place } as const

export const mcpAllowForm = {
  usage: ["mcp allow [options] <name>"],
  notes: [
    "Shows what a server of this project starts or reaches, starts it for its tools, shows those, and asks. Allowed is what was " +
      "shown: another command, and tools that are new or changed, are asked again. The project has to be trusted first.",
    "Your own servers need nobody's word; of them this allows tools that have changed.",
  ],
  words: { min: 1, max: 1, missing: WHICH },
  options: mcpAllowOptions,
  exitCodes: { 0: "it is allowed", 1: "it failed, or you said no" },
  examples: [
    ["pawl mcp allow tracker", "look, and decide"],
    ["pawl mcp allow --yes tracker", "in a script"],
  ],
} as const satisfies CommandForm

export const mcpDebugOptions = { ...place, ...format } as const

export const mcpDebugForm = {
  usage: ["mcp debug [options] <name>"],
  notes: [
    "Goes through what it takes to use a server, step by step with times, up to the first that fails, and shows its log.",
  ],
  words: { min: 1, max: 1, missing: WHICH },
  options: mcpDebugOptions,
  exitCodes: { 0: "every step worked", 1: "one did not" },
  examples: [["pawl mcp debug files", "why does it not work?"]],
} as const satisfies CommandForm

export const mcpCallOptions = {
  save: { value: "<directory>", summary: "write images and other files of the answer there" },
  ...place,
  ...format,
} as const

export const mcpCallForm = {
  usage: ["mcp call [options] <name> <tool> [key=value …]", "mcp call [options] <name> <tool> '<json>'"],
  notes: [
    "Calls a tool, as the model would, and prints the answer. It is you who calls: permissions are not asked. What the server " +
      "asks meanwhile is asked here.",
  ],
  words: { min: 2, max: Infinity, missing: "Which tool of which server? pawl mcp list <name> shows them." },
  options: mcpCallOptions,
  exitCodes: { 0: "the tool answered", 1: "the tool failed, or could not be called" },
  examples: [
    ["pawl mcp call files list_directory path=src", "texts and numbers as they are, lists as JSON"],
    ['pawl mcp call db query \'{"sql": "select 1"}\' --format json', "the whole answer, for a script"],
  ],
} as const satisfies CommandForm

export const mcpAuthOptions = { ...place } as const

export const mcpAuthForm = {
  usage: ["mcp auth <name>"],
  notes: [
    "Opens the page on which you sign in to a remote server, and prints its address for another browser of this machine.",
  ],
  words: { min: 1, max: 1, missing: WHICH },
  options: mcpAuthOptions,
  exitCodes: { 0: "you are signed in", 1: "it failed; the reason is on stderr" },
  examples: [["pawl mcp auth tracker", "sign in, or sign in anew with more rights"]],
} as const satisfies CommandForm

export const mcpLogoutForm = {
  usage: ["mcp logout <name>"],
  notes: ["Removes the tokens of a remote server here, and tells the server's side that they count no more."],
  words: { min: 1, max: 1, missing: WHICH },
  options: mcpAuthOptions,
  exitCodes: done,
  examples: [["pawl mcp logout tracker", "sign out"]],
} as const satisfies CommandForm

export const mcpImportOptions = { ...project } as const

export const mcpImportForm = {
  usage: ["mcp import [options] <file> [name …]"],
  notes: [
    'Takes servers over from a file with "mcpServers": a .mcp.json, or the configuration of another program. Without names all ' +
      "of them; those that you have already are left as they are.",
  ],
  words: { min: 1, max: Infinity, missing: "From which file? pawl mcp import .mcp.json" },
  options: mcpImportOptions,
  exitCodes: done,
  examples: [["pawl mcp import ~/claude_desktop_config.json", "all of its servers into your own configuration"]],
} as const satisfies CommandForm

export const mcpServeOptions = {
  ...modelOptions,
  ...storageOptions,
  agent: { value: "<name>", summary: "the agent that works unless a prompt names another" },
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    summary: "where a client cannot ask its user: refuse what has to be asked, or keep it for question_answer",
  },
  dir: { value: "<directory>", summary: "for the sessions of that directory" },
  http: { summary: "at an address of this machine, for several clients, in place of stdin and stdout" },
  port: { value: "<number>", summary: "of the address; 0, which is the default, takes a free one" },
  ...trustOptions,
} as const

export const mcpServeForm = {
  usage: ["mcp serve [options]"],
  notes: [
    "Makes pawl's sessions the tools of another program, over stdin and stdout. It ends when its stdin does. Questions go to the " +
      "client's user where the client can ask; else --ask decides.",
    "With --http it serves until Ctrl-C, to clients that send its token. The token is made with the first start, shown then, " +
      "and kept in the data directory.",
  ],
  words: { min: 0, max: 0 },
  options: mcpServeOptions,
  exitCodes: { 0: "the client has gone", 1: "it failed; the reason is on stderr" },
  isForPrograms: true,
  examples: [
    ["pawl mcp serve", "as the command of a server in another program's configuration"],
    ["pawl mcp serve --http --port 4319", "for all clients of this machine"],
    ["pawl mcp serve --dir ~/src/site -m ollama/qwen3-coder --ask wait", "for one project, with one model"],
  ],
} as const satisfies CommandForm
