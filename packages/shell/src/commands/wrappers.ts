import type { Call, Rule } from "../call.ts"
import { noteValue } from "../names.ts"
import { type Argument, behind, literal } from "../words/argument.ts"
import { mayBeOption } from "../words/doubt.ts"
import { excerpt } from "../words/quote.ts"
import { type OptionSpec, readOptions } from "./options.ts"

interface Wrapper extends OptionSpec {
  /** Number of words between the options and the command. */
  readonly words?: number
  /** Set if assignments may precede the command. */
  readonly assigns?: true
  /** Set if it starts a shell that reads its script from the input when there is no command. */
  readonly isShell?: true
}

const NONE: Wrapper = {}

/** Programs that run the rest of their words as a command. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    flags: "AbEHiKklnPSsVvNB",
    valued: "CDghpRrtTUu",
    long: "askpass background preserve-env set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell validate version help",
    longValued: "close-from chdir group host prompt chroot role type command-timeout other-user user preserve-env",
    assigns: true,
  },
  doas: { flags: "Lns", valued: "Cu", assigns: true },
  timeout: {
    flags: "vfp",
    valued: "ks",
    long: "foreground preserve-status verbose",
    longValued: "kill-after signal",
    words: 1,
  },
  nice: { valued: "n", longValued: "adjustment", also: /^-\d+$/ },
  nohup: NONE,
  setsid: { flags: "cfw", long: "ctty fork wait" },
  stdbuf: { valued: "ioe", longValued: "input output error" },
  ionice: { flags: "t", valued: "cnpPu", long: "ignore", longValued: "class classdata pid pgid uid" },
  choom: { valued: "np", longValued: "adjust pid" },
  uclampset: {
    flags: "asR",
    valued: "mMp",
    long: "all-tasks system reset-on-fork",
    longValued: "util-min util-max pid",
  },
  ccache: NONE,
  sccache: NONE,
  distcc: NONE,
  chrt: { flags: "abdfiomrRv", valued: "TPDp", words: 1 },
  taskset: { flags: "ac", long: "all-tasks cpu-list", words: 1 },
  numactl: {
    flags: "l",
    valued: "miNCpP",
    long: "localalloc all",
    longValued: "interleave membind cpunodebind physcpubind preferred",
  },
  chroot: { long: "skip-chdir", longValued: "groups userspec", words: 1, isShell: true },
  unshare: {
    flags: "imnpuUCTfrc",
    valued: "RwSG",
    long: "ipc mount net pid user uts cgroup time fork map-root-user map-current-user mount-proc keep-caps kill-child propagation setgroups",
    longValued:
      "root wd setuid setgid mount-proc propagation setgroups kill-child map-user map-group map-users map-groups",
    isShell: true,
  },
  nsenter: {
    flags: "amuinpCUTFr",
    valued: "tSG",
    long: "all mount uts ipc net pid cgroup user time no-fork preserve-credentials",
    longValued: "target setuid setgid",
    isShell: true,
  },
  setpriv: {
    long: "no-new-privs clear-groups init-groups keep-groups reset-env",
    longValued: "reuid regid ruid euid rgid egid groups inh-caps ambient-caps bounding-set",
  },
  prlimit: { flags: "v", valued: "po", also: /^--?[a-z]+=/ },
  strace: {
    flags: "fFcCdiknqrtTvVwxyYzZhD",
    valued: "aeEIobOpPsSuUX",
    long: "follow-forks summary summary-only seccomp-bpf decode-fds absolute-timestamps relative-timestamps quiet failed-only successful-only stack-traces",
    longValued: "trace signal fault inject status output string-limit attach user env columns trace-path",
  },
  ltrace: { flags: "bcCfhiLrStTVx", valued: "aeElnopsuwDF" },
  valgrind: { flags: "vq", also: /^--[a-z-]+=[\w,.%/-]+$|^--(?:verbose|quiet)$/ },
  time: { flags: "apqvV", valued: "fo", long: "append portability quiet verbose", longValued: "format output" },
  command: { flags: "pvV" },
  builtin: NONE,
  exec: { flags: "cl", valued: "a" },
  fakeroot: { flags: "u", valued: "lsibf", long: "unknown-is-real" },
  unbuffer: { flags: "p" },
  rlwrap: { flags: "aAcCnNrRimosSvVw", valued: "bfHlpqt" },
  "xvfb-run": {
    flags: "ahl",
    valued: "efnpsw",
    long: "auto-servernum auto-display",
    longValued: "error-file server-num server-args wait",
  },
  "dbus-run-session": { longValued: "config-file dbus-daemon" },
  catchsegv: NONE,
  chronic: { flags: "ev" },
  ifne: { flags: "n" },
  eatmydata: NONE,
  torsocks: NONE,
  proxychains: { flags: "q", valued: "f" },
  proxychains4: { flags: "q", valued: "f" },
  caffeinate: { flags: "disum", valued: "tw" },
  "cross-env": { assigns: true },
  dotenv: { valued: "efvp", longValued: "file" },
  noglob: NONE,
  nocorrect: NONE,
  npx: {
    flags: "yq",
    valued: "pw",
    long: "yes no no-install quiet ignore-existing",
    longValued: "package workspace",
  },
  bunx: { long: "bun verbose silent", valued: "p", longValued: "package" },
  uvx: { flags: "q", valued: "p", longValued: "from with python" },
  tini: { flags: "sgv" },
  "dumb-init": { flags: "cv", valued: "r" },
  gosu: { words: 1 },
  "su-exec": { words: 1 },
}

const ASSIGNMENT = /^([^=]+)=/

/** A program that runs the rest of its words as a command. */
export const wrapper: Rule = (call) => {
  const spec = WRAPPERS[call.name] ?? NONE
  const { options, rest, problem } = readOptions(call.name, call.args, spec)
  if (problem !== undefined) return call.unclear(problem)
  const names = new Set(options.map(({ name }) => name))
  if (call.name === "command" && (names.has("v") || names.has("V"))) return
  if (
    (call.name === "strace" || call.name === "ltrace") &&
    options.some(({ name, value }) => (name === "o" || name === "output") && /^[|!]/.test(value?.value ?? "|"))
  )
    return call.unclear(`${call.name} hands its output to a command.`)
  const isEditing = call.name === "sudo" && rest.length > 0 && (names.has("l") || names.has("v"))
  const command = afterAssignments(rest.slice(spec.words ?? 0), spec, call)
  const between = rest.slice(0, spec.words ?? 0).find((word) => word.isSplit || mayBeOption(word, call.notes))
  if (between) return call.unclear(`The word ${excerpt(between.text)} of ${call.name} is not literal.`)
  if (command.length > 0) return isEditing ? undefined : call.run(command)
  if (spec.isShell || ["s", "i", "login", "shell"].some((name) => call.name === "sudo" && names.has(name)))
    call.unclear(`${call.name} starts a shell that reads its commands from the input.`)
}

/** Records assignments and returns the words after them. */
export function afterAssignments(
  words: readonly Argument[],
  spec: Pick<Wrapper, "assigns">,
  call: Call,
): readonly Argument[] {
  if (!spec.assigns) return words
  const count = words.findIndex((word) => !ASSIGNMENT.test(word.prefix))
  const assignments = count < 0 ? words : words.slice(0, count)
  const split = assignments.find((word) => word.isSplit)
  const isText = count >= 0 && /^(?:echo|printf|true|false|:)$/.test(words[count]?.value ?? "")
  if (split) call.unclear(`The assignment ${excerpt(split.text)} may be several words.`)
  for (const word of assignments) {
    const [front = "", name = ""] = ASSIGNMENT.exec(word.prefix) ?? []
    noteValue(name, word.value?.slice(front.length), call.notes)
    if (!isText) call.sets(behind(word, front.length))
  }
  return count < 0 ? [] : words.slice(count)
}

/** `env`: options, assignments, and with `-S` words in one word. */
export const env: Rule = (call) => {
  const read = readOptions("env", call.args, {
    flags: "i0v",
    valued: "uCSa",
    long: "ignore-environment null debug list-signal-handling block-signal default-signal ignore-signal",
    longValued: "unset chdir split-string argv0 block-signal default-signal ignore-signal",
    also: /^-$/,
  })
  if (read.problem !== undefined) return call.unclear(read.problem)
  let words = read.rest
  const split = read.options.find(({ name }) => name === "S" || name === "split-string")
  if (split) {
    const text = split.value?.value
    if (text === undefined || !/^[\w\s./=:@%+,-]*$/.test(text))
      return call.unclear("The words that env splits are not plain.")
    words = [
      ...text
        .split(/\s+/)
        .filter((word) => word !== "")
        .map((word) => ({ ...literal(word), text: word })),
      ...words,
    ]
    // The split words count as if they had been written there, including options.
    if (words[0]?.value?.startsWith("-")) return env({ ...call, args: words })
  }
  const command = afterAssignments(words, { assigns: true }, call)
  const directory = read.options.find(({ name }) => name === "C" || name === "chdir")?.value
  if (command.length > 0) (directory ? call.at(directory) : call).run(command)
}

/** `su` and `runuser`: a command in `-c`, otherwise a shell. */
export const su: Rule = (call) => {
  const at = call.args.findIndex(({ prefix }) => /^(?:-[a-zA-Z]*c|--command=?|--session-command=?)/.test(prefix))
  const isUser = call.name === "runuser" && call.args.some(({ value }) => value === "-u" || value?.startsWith("--user"))
  if (isUser) {
    const { rest, problem } = readOptions("runuser", call.args, {
      flags: "lmpP",
      valued: "ugG",
      longValued: "user group supp-group",
    })
    return problem === undefined ? call.run(rest) : call.unclear(problem)
  }
  if (call.args.some(({ value }) => value === undefined))
    return call.unclear(`The words of ${call.name} are not literal.`)
  const word = call.args[at]?.value
  if (word === undefined) return call.unclear(`${call.name} starts a shell that reads its commands from the input.`)
  const script = word.includes("=")
    ? word.slice(word.indexOf("=") + 1)
    : word.startsWith("--")
      ? ""
      : word.replace(/^-[a-zA-Z]*?c/, "")
  const command = script === "" ? call.args[at + 1]?.value : script
  if (command === undefined) return call.unclear(`${call.name} has no command.`)
  call.parse(command, { dialect: "sh" })
}

/** `flock`: a lock, then a command, or a script in `-c`. */
export const flock: Rule = (call) => {
  const { rest, problem } = readOptions("flock", call.args, {
    flags: "sexnuoFv",
    valued: "wE",
    long: "shared exclusive nonblock unlock close no-fork verbose nb",
    longValued: "timeout wait conflict-exit-code",
  })
  if (problem !== undefined) return call.unclear(problem)
  const [lock, first, script, ...others] = rest
  if (!lock || !first) return
  if (lock.isSplit) return call.unclear(`The lock ${excerpt(lock.text)} is not literal.`)
  if (first.value !== "-c" && first.value !== "--command") return call.run(rest.slice(1))
  if (script?.value === undefined || others.length > 0) return call.unclear("The script of flock is not literal.")
  call.parse(script.value, { dialect: "sh" })
}

/** `script`, whose command is a script in `-c`. */
export const typescript: Rule = (call) => {
  const { options, problem } = readOptions("script", call.args, {
    flags: "aefqO",
    valued: "cEIBTmot",
    long: "append flush quiet return force",
    longValued: "command log-io log-in log-out log-timing output-limit",
  })
  if (problem !== undefined) return call.unclear(problem)
  const command = options.find(({ name }) => name === "c" || name === "command")?.value
  if (command?.value === undefined) return call.unclear("script starts a shell or a script that is not literal.")
  call.parse(command.value, { dialect: "sh" })
}

/** `watch`, which passes its words to a shell. */
export const watch: Rule = (call) => {
  const { options, rest, problem } = readOptions("watch", call.args, {
    flags: "bcCdegprtwx",
    valued: "nqs",
    attached: "d",
    long: "beep color no-color differences errexit chgexit precise no-rerun no-title no-wrap exec",
    longValued: "interval equexit differences",
  })
  if (problem !== undefined) return call.unclear(problem)
  if (options.some(({ name }) => name === "x" || name === "exec")) return call.run(rest)
  scriptOfWords(call, rest, "sh")
}

/** Reads words that are joined to a script. */
export function scriptOfWords(call: Call, words: readonly Argument[], dialect: "bash" | "sh"): void {
  const unknown = words.find(({ value }) => value === undefined)
  if (unknown) return call.unclear(`${call.name} runs ${excerpt(unknown.text)} as a script, which is not literal.`)
  if (words.length > 0) call.parse(words.map(({ value }) => value).join(" "), { dialect })
}
