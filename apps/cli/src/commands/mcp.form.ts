import type { CommandForm } from "../arguments/command.ts"
import { done, format, modelOptions, storageOptions, trustOptions } from "../command-options.ts"

const place = { dir: { value: "<directory>", summary: "directory to use (default: this one)" } } as const
const project = { project: { summary: "use the project's pawl.jsonc instead of your own" } } as const
const yes = { yes: { short: "y", summary: "do not ask" } } as const
const MISSING_SERVER = "missing server; list them: pawl mcp list"

export const mcpListOptions = {
  offline: { summary: "do not connect; list what is configured" },
  timeout: { value: "<time>", summary: "time limit for connecting, such as 5s or 1m (default: 10s)" },
  ...place,
  ...format,
} as const

export const mcpListForm = {
  usage: ["mcp list [options]", "mcp list [options] <name>"],
  notes: [
    "Connects to every server that is enabled and allowed, and reports its status. With a name, also lists the server's tools, " +
      "prompts and resources, as you write them in a prompt.",
  ],
  words: { min: 0, max: 1 },
  options: mcpListOptions,
  exitCodes: { 0: "listed, even if a server does not work", 1: "failed; the reason is on stderr" },
  examples: [
    ["pawl mcp list", "list all servers and their status"],
    ["pawl mcp list github", "list what one server provides"],
    ["pawl mcp list --offline --format json", "print JSON without starting a server"],
  ],
} as const satisfies CommandForm

export const mcpAddOptions = {
  url: { value: "<url>", summary: "URL of a remote server" },
  header: { value: "<name: value>", multiple: true, summary: "header of each request to a remote server" },
  env: {
    value: "<NAME=value>",
    multiple: true,
    summary: "variable for a local server; a name alone passes on your own variable at each start",
  },
  cwd: { value: "<directory>", summary: "working directory of a local server" },
  sse: { summary: "use the older protocol of server-sent events" },
  ...project,
} as const

export const mcpAddForm = {
  usage: ["mcp add <name> [options] -- <command> [arguments]", "mcp add <name> --url <url> [options]"],
  notes: [
    "Writes the server to your pawl.jsonc and keeps its comments. To keep secrets out of the file, write {env:NAME} in a header or " +
      "a variable; it is replaced by the environment variable.",
  ],
  words: {
    min: 1,
    max: Infinity,
    missing: "missing name: pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
  },
  options: mcpAddOptions,
  exitCodes: done,
  examples: [
    ["pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "add a local program"],
    ["pawl mcp add tracker --env TRACKER_TOKEN -- tracker-mcp --read-only", "pass on an environment variable"],
    ["pawl mcp add docs --url https://example.com/mcp", "add a remote server"],
    [
      "pawl mcp add api --url https://example.com/mcp --header 'Authorization: Bearer {env:API_TOKEN}'",
      "add a remote server with a header",
    ],
  ],
} as const satisfies CommandForm

export const mcpRemoveOptions = { ...place } as const

export const mcpRemoveForm = {
  usage: ["mcp remove <name>"],
  notes: ["Removes the server from its file and keeps the comments. Also removes its approvals and its tokens."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpRemoveOptions,
  exitCodes: done,
  examples: [["pawl mcp remove files", "remove the server files"]],
} as const satisfies CommandForm

export const mcpAllowOptions = { ...yes, ...place } as const

export const mcpAllowForm = {
  usage: ["mcp allow [options] <name>"],
  notes: [
    "Shows the command or URL of a server of this project, starts the server, shows its tools, and asks. Only what was shown is " +
      "allowed: pawl asks again about a changed command and about new or changed tools. Trust the project first.",
    "Your own servers are allowed. For them, this command allows tools that have changed.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpAllowOptions,
  exitCodes: { 0: "allowed", 1: "failed, or you declined" },
  examples: [
    ["pawl mcp allow tracker", "review the server, then decide"],
    ["pawl mcp allow --yes tracker", "allow it without asking, in a script"],
  ],
} as const satisfies CommandForm

export const mcpDebugOptions = { ...place, ...format } as const

export const mcpDebugForm = {
  usage: ["mcp debug [options] <name>"],
  notes: [
    "Connects to a server step by step, shows the time of each step, stops at the first failure, and shows the server's log.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpDebugOptions,
  exitCodes: { 0: "every step succeeded", 1: "a step failed" },
  examples: [["pawl mcp debug files", "find the step that fails"]],
} as const satisfies CommandForm

export const mcpCallOptions = {
  save: { value: "<directory>", summary: "directory for images and other files of the answer" },
  ...place,
  ...format,
} as const

export const mcpCallForm = {
  usage: ["mcp call [options] <name> <tool> [key=value …]", "mcp call [options] <name> <tool> '<json>'"],
  notes: [
    "Calls a tool as the model would, and prints the answer. Permissions are not checked, because you make the call. Questions " +
      "of the server are asked here.",
  ],
  words: { min: 2, max: Infinity, missing: "missing server or tool; list tools: pawl mcp list <name>" },
  options: mcpCallOptions,
  exitCodes: { 0: "the tool answered", 1: "the tool failed or could not be called" },
  examples: [
    ["pawl mcp call files list_directory path=src", "write text and numbers plainly, lists as JSON"],
    ['pawl mcp call db query \'{"sql": "select 1"}\' --format json', "print the whole answer as JSON"],
  ],
} as const satisfies CommandForm

export const mcpAuthOptions = { ...place } as const

export const mcpAuthForm = {
  usage: ["mcp auth <name>"],
  notes: ["Opens the sign-in page of a remote server, and prints its URL for another browser on this machine."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpAuthOptions,
  exitCodes: { 0: "signed in", 1: "failed; the reason is on stderr" },
  examples: [["pawl mcp auth tracker", "sign in, or sign in again with more rights"]],
} as const satisfies CommandForm

export const mcpLogoutForm = {
  usage: ["mcp logout <name>"],
  notes: ["Removes the tokens of a remote server from this machine, and revokes them on the server's side."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpAuthOptions,
  exitCodes: done,
  examples: [["pawl mcp logout tracker", "sign out of the server tracker"]],
} as const satisfies CommandForm

export const mcpImportOptions = { ...project } as const

export const mcpImportForm = {
  usage: ["mcp import [options] <file> [name …]"],
  notes: [
    'The file has the key "mcpServers": a .mcp.json, or the configuration of another program. Without names, all servers are ' +
      "imported. A server that you already have is not changed.",
  ],
  words: { min: 1, max: Infinity, missing: "missing file: pawl mcp import .mcp.json" },
  options: mcpImportOptions,
  exitCodes: done,
  examples: [["pawl mcp import ~/claude_desktop_config.json", "import all servers into your configuration"]],
} as const satisfies CommandForm

export const mcpServeOptions = {
  ...modelOptions,
  ...storageOptions,
  agent: { value: "<name>", summary: "agent, unless a prompt names another one" },
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    default: "as configured, else deny",
    summary: "if a client cannot ask its user: deny the call, or wait for question_answer",
  },
  dir: { value: "<directory>", summary: "serve the sessions of this directory (default: this one)" },
  http: { summary: "serve several clients over HTTP on this machine instead of stdio" },
  port: { value: "<number>", summary: "port for --http; 0 = a free one (default: 0)" },
  ...trustOptions,
} as const

export const mcpServeForm = {
  usage: ["mcp serve [options]"],
  notes: [
    "Offers sessions as tools to another program over stdin and stdout, until stdin closes. Questions go to the client's user if " +
      "the client can ask; otherwise --ask decides.",
    "With --http, pawl serves until Ctrl-C, to clients that send its token. The first start creates the token, shows it, and " +
      "saves it in the data directory.",
  ],
  words: { min: 0, max: 0 },
  options: mcpServeOptions,
  exitCodes: { 0: "the client disconnected", 1: "failed; the reason is on stderr" },
  isForPrograms: true,
  examples: [
    ["pawl mcp serve", "use this as the server's command in another program"],
    ["pawl mcp serve --http --port 4319", "serve all clients on this machine"],
    ["pawl mcp serve --dir ~/src/site -m ollama/qwen3-coder --ask wait", "serve one project with one model"],
  ],
} as const satisfies CommandForm
