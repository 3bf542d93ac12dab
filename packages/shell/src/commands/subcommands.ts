import type { Call, Rule } from "../call.ts"
import { literal } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"
import { type OptionSpec, readOptions } from "./options.ts"
import { afterAssignments } from "./wrappers.ts"

interface Program extends OptionSpec {
  /** Subcommands that are followed by a command. Two words are separated by a space. */
  readonly runs?: readonly string[]
  /** Subcommands that have subcommands. */
  readonly nested?: readonly string[]
  /** Options that make the program run something in any position. */
  readonly forbidden?: RegExp
}

const NPM: Program = {
  flags: "gsdqfyhlvw",
  valued: "C",
  long: "global silent quiet verbose yes force version help workspaces no-audit no-fund json offline prefer-offline ignore-scripts legacy-peer-deps if-present include-workspace-root",
  longValued: "prefix workspace loglevel registry cache userconfig tag filter dir",
  runs: ["exec", "x"],
  nested: ["run", "run-script", "config", "cache", "access", "dist-tag", "owner", "token", "profile"],
  forbidden:
    /^--(?:script-shell|node-options|shell|git|viewer|editor|globalconfig|userconfig|init-module|onload-script|shell-emulator|use-node-version)\b/,
}

/** Programs with subcommands. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  npm: NPM,
  pnpm: {
    ...NPM,
    flags: "gsrwhv",
    valued: "CF",
    long: `${NPM.long} recursive workspace-root parallel stream`,
    runs: ["exec", "dlx"],
    nested: ["run", "config", "store", "env"],
  },
  yarn: {
    flags: "sv",
    long: "silent verbose json offline frozen-lockfile version help",
    longValued: "cwd",
    runs: ["exec", "dlx"],
    nested: ["run", "workspace", "config", "global", "npm", "plugin", "set"],
  },
  bun: {
    long: "silent verbose bun version help watch hot",
    longValued: "cwd env-file filter",
    runs: ["x"],
    nested: ["run", "pm"],
    forbidden: /^-(?:e|p|r)$|^--(?:eval|print|preload|require)/,
  },
  deno: { flags: "qhV", long: "quiet version help", longValued: "config log-level", nested: ["task"] },
  poetry: {
    flags: "qvn",
    valued: "C",
    long: "quiet verbose no-interaction",
    longValued: "directory project",
    runs: ["run"],
  },
  pipenv: { flags: "q", long: "quiet verbose", runs: ["run"] },
  uv: {
    flags: "qv",
    long: "quiet verbose offline no-progress",
    longValued: "directory project color",
    nested: ["pip", "tool", "python", "cache"],
  },
  pdm: { runs: ["run"] },
  hatch: { runs: ["run"] },
  rye: { runs: ["run"] },
  conda: { runs: [] },
  bundle: { long: "verbose no-color", runs: ["exec"] },
  rbenv: { runs: ["exec"] },
  pyenv: { runs: ["exec"] },
  nodenv: { runs: ["exec"] },
  gh: {
    valued: "R",
    longValued: "repo",
    nested:
      "repo pr issue api auth gist release run workflow secret variable extension alias cache codespace config".split(
        " ",
      ),
    forbidden: /^--(?:editor|web-browser)/,
  },
  docker: {
    flags: "Dv",
    valued: "cHl",
    long: "debug tls tlsverify version help",
    longValued: "config context host log-level",
    nested: "compose container image volume network system builder buildx context".split(" "),
  },
  podman: {
    valued: "cr",
    long: "remote",
    longValued: "connection log-level url",
    nested: "compose container image volume network system pod".split(" "),
  },
  "docker-compose": { valued: "fp", long: "verbose", longValued: "file project-name profile env-file" },
  kubectl: {
    valued: "nsv",
    long: "insecure-skip-tls-verify help",
    longValued: "namespace context cluster kubeconfig server token user as request-timeout",
    nested: ["config", "rollout", "create", "set", "auth", "plugin"],
  },
  helm: {
    valued: "n",
    long: "debug",
    longValued: "namespace kube-context kubeconfig",
    nested: ["repo", "plugin", "get", "dependency"],
  },
  cargo: {
    flags: "qvV",
    valued: "CZ",
    long: "quiet verbose locked offline frozen version list help",
    longValued: "color manifest-path",
    also: /^\+[\w.-]+$/,
    forbidden: /^--config/,
  },
  rustup: { flags: "qv", nested: ["toolchain", "target", "component", "default", "override"] },
  go: { valued: "C", nested: ["mod", "tool", "work"], forbidden: /^--?(?:exec|toolexec|vettool|overlay|modfile)\b/ },
  pip: {
    flags: "qvV",
    long: "quiet verbose disable-pip-version-check no-input isolated version help",
    longValued: "python proxy log cache-dir",
    nested: ["config", "cache"],
  },
  apt: { flags: "yqs", long: "yes quiet assume-yes", forbidden: /^-(?:o|c)|^--(?:option|config-file)/ },
  "apt-get": { flags: "yqs", long: "yes quiet assume-yes", forbidden: /^-(?:o|c)|^--(?:option|config-file)/ },
  brew: { flags: "qv", long: "quiet verbose debug version" },
  systemctl: {
    flags: "qf",
    valued: "HMt",
    long: "user system quiet no-pager now global force",
    longValued: "host machine type state",
  },
  launchctl: {},
  service: {},
  terraform: { long: "version help", also: /^-chdir=/, nested: ["state", "workspace"] },
  tofu: { long: "version help", also: /^-chdir=/, nested: ["state", "workspace"] },
  pulumi: { valued: "C", nested: ["stack", "config"] },
  aws: {
    long: "debug no-verify-ssl no-paginate no-cli-pager version",
    longValued: "profile region output query endpoint-url",
    nested:
      "s3 s3api ec2 iam lambda sts ecr ecs eks rds sqs sns logs cloudformation ssm secretsmanager dynamodb configure".split(
        " ",
      ),
  },
  gcloud: {
    flags: "q",
    long: "quiet version",
    longValued: "project account configuration format",
    nested: "compute container auth config projects run functions sql storage iam services app builds".split(" "),
  },
  az: { nested: "vm group account storage webapp aks acr keyvault network".split(" ") },
  heroku: {},
  vercel: {},
  netlify: {},
  wrangler: {},
  fly: {},
  firebase: {},
  supabase: {},
  prisma: {},
  hg: { flags: "qvy", valued: "R", long: "quiet verbose noninteractive", longValued: "repository cwd" },
  svn: {},
  jj: { valued: "R", long: "no-pager quiet", longValued: "repository color" },
  mise: { flags: "qvy", valued: "C", long: "quiet verbose yes", longValued: "cd env" },
  asdf: { runs: [] },
  volta: { long: "verbose quiet", runs: ["run"] },
  corepack: { nested: [] },
  ip: { flags: "46jps", long: "json" },
}

const ALIASES: Readonly<Record<string, string>> = { pip3: "pip", "docker.io": "docker", tf: "terraform" }

/** A program with subcommands: determines the subcommand, and records the command without the options before it. */
export const subcommands: Rule = (call) => {
  const spec = PROGRAMS[ALIASES[call.name] ?? call.name]
  if (!spec) return
  const forbidden = call.args.find(({ prefix }) => spec.forbidden?.test(prefix))
  if (forbidden) call.unclear(`The option ${excerpt(forbidden.text)} makes ${call.name} run a program.`)
  const { options, rest, problem } = readOptions(call.name, call.args, spec)
  if (problem !== undefined) return call.unclear(problem)
  const directory = options.findLast(({ name }) => /^(?:C|cwd|prefix|directory|dir)$/.test(name))?.value
  if (directory) call.at(directory)
  const [subcommand, second] = rest
  if (!subcommand) return
  const open = [subcommand, ...(spec.nested?.includes(subcommand.value ?? "") && second ? [second] : [])].find(
    ({ value }) => value === undefined,
  )
  if (open) return call.unclear(`The subcommand ${excerpt(open.text)} of ${call.name} is not literal.`)
  if (options.length > 0) call.run([literal(call.name), ...rest], { via: call.name, isSame: true })
  const special = EXTRA[`${call.name} ${subcommand.value}`]
  if (special) return special({ ...call, args: rest.slice(1) })
  if (spec.runs?.includes(subcommand.value ?? "")) runRest({ ...call, args: rest.slice(1) })
}

const RUN_OPTIONS: OptionSpec = {
  flags: "yqrsw",
  valued: "pC",
  long: "yes no quiet silent parallel recursive workspaces keep-file-descriptors shell-mode no-sync frozen locked isolated offline gem",
  longValued: "package workspace filter with group extra python env-file directory project",
}

/** A command after a subcommand, or a script in `-c`. */
export function runRest(call: Call): void {
  const script = call.args.findIndex(({ prefix }) => /^(?:-c$|--call\b|-[a-z]*c$|--shell-mode\b)/.test(prefix))
  const at = call.args.findIndex(({ prefix }) => !prefix.startsWith("-"))
  if (script >= 0 && (at < 0 || script < at)) {
    const word = call.args[script]?.value ?? ""
    const text = word.includes("=") ? word.slice(word.indexOf("=") + 1) : call.args[script + 1]?.value
    if (text === undefined) return call.unclear(`The script of ${call.name} is not literal.`)
    call.parse(text, { dialect: "sh" })
    return
  }
  const { rest, problem } = readOptions(call.name, call.args, RUN_OPTIONS)
  if (problem !== undefined) return call.unclear(problem)
  const words = rest[0]?.value === "--" ? rest.slice(1) : rest
  if (words.length > 0) call.run(afterAssignments(words, {}, call))
}

/** A command after words of the program itself: `direnv exec dir command`. */
function runAfter(count: number): (call: Call) => void {
  return (call) => {
    const words = call.args.slice(count)
    const rest = words[0]?.value === "--" ? words.slice(1) : words
    if (rest.length > 0) call.run(rest)
  }
}

const opaque = (call: Call): void => call.unclear(`${call.name} runs a command here that is not read.`)

const EXTRA: Readonly<Record<string, (call: Call) => void>> = {
  "uv run": runRest,
  "uv tool": (call) => (call.args[0]?.value === "run" ? runRest({ ...call, args: call.args.slice(1) }) : undefined),
  "conda run": opaque,
  "mise exec": (call) => {
    const at = call.args.findIndex(({ value }) => value === "--")
    return at < 0 ? opaque(call) : call.run(call.args.slice(at + 1))
  },
  "mise x": opaque,
  "asdf exec": runAfter(0),
  "rustup run": runAfter(1),
  "ip netns": (call) => (call.args[0]?.value === "exec" ? runAfter(2)(call) : undefined),
  "ip vrf": (call) => (call.args[0]?.value === "exec" ? runAfter(2)(call) : undefined),
  "gh alias": opaque,
  "gh extension": opaque,
  "yarn workspace": runAfter(0),
  "corepack npm": (call) => call.run([literal("npm"), ...call.args]),
  "corepack pnpm": (call) => call.run([literal("pnpm"), ...call.args]),
  "corepack yarn": (call) => call.run([literal("yarn"), ...call.args]),
  "go env": (call) => {
    if (call.args.some(({ prefix }) => prefix.startsWith("-w"))) opaque(call)
  },
  "npm config": settings,
  "pnpm config": settings,
  "npm set": settings,
  "npm explore": opaque,
  "bun exec": opaque,
}

function settings(call: Call): void {
  if (
    call.args.some(
      ({ value }) =>
        value === undefined || /shell|editor|viewer|node-options|prefix|git|onload|init-module|registry/.test(value),
    )
  )
    call.unclear(`A setting of ${call.name} may change what it runs.`)
}

/** Returns true for `npx` with a script; otherwise it is a wrapper. */
export function hasScript(call: Call): boolean {
  return call.args.some(({ prefix }) =>
    /^(?:-c$|--call\b|-[a-z]*c$|--shell-auto|--node-(?:arg|options)|-n$)/.test(prefix),
  )
}
