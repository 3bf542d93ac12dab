import type { Call, Rule } from "../call.ts"
import { literal, type Argument } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"
import { noteGitWrites } from "./git-writes.ts"
import { readOptions } from "./options.ts"
import { isDubious } from "../words/doubt.ts"

const HARMLESS_KEY =
  /^(?:user\.(?:name|email|signingkey)|author\.\w+|committer\.\w+|color\.\S+|column\.\w+|core\.(?:quotepath|autocrlf|eol|longpaths|filemode|ignorecase|safecrlf|abbrev|symlinks|precomposeunicode|whitespace|commentchar|bare|untrackedcache|preloadindex|compression)|advice\.\w+|init\.defaultbranch|pull\.\w+|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|parallel|prunetags)|safe\.directory|diff\.(?:algorithm|renames|renamelimit|noprefix|mnemonicprefix|colormoved|context)|log\.\w+|commit\.(?:gpgsign|verbose|cleanup)|tag\.(?:gpgsign|sort)|merge\.(?:conflictstyle|ff|renamelimit)|rebase\.(?:autosquash|autostash|updaterefs)|rerere\.\w+|gc\.\w+|status\.\w+|protocol\.version|submodule\.recurse|branch\.(?:sort|autosetuprebase|autosetupmerge|[^.]+\.(?:remote|merge))|format\.pretty|grep\.\w+|blame\.\w+|help\.autocorrect|index\.\w+|pack\.\w+|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version)|versionsort\.\w+|transfer\.\w+|worktree\.\w+|remote\.[^.]+\.(?:url|fetch|pushurl))$/i

/** `git`: reads the subcommand without the options before it, and what settings and subcommands run. */
export const git: Rule = (call) => {
  const { options, rest, problem } = readOptions("git", call.args, {
    flags: "pPhv",
    valued: "Cc",
    long: "paginate no-pager bare no-replace-objects no-lazy-fetch no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-advice version help html-path man-path info-path exec-path",
    longValued: "git-dir work-tree namespace exec-path super-prefix config-env attr-source list-cmds",
  })
  if (problem !== undefined) return call.unclear(problem)
  for (const { name, value } of options) {
    if (name === "c") readSetting(call, value)
    else if (name === "work-tree" && value) call.reads(value)
    else if (name === "config-env" || (name === "exec-path" && value) || name === "git-dir")
      call.unclear(`git --${name} changes what git runs.`)
  }
  const [subcommand, ...words] = rest
  if (!subcommand) return
  if (subcommand.value === undefined)
    return call.unclear(`The subcommand ${excerpt(subcommand.text)} of git is not literal.`)
  if (options.length > 0) call.run([literal("git"), ...rest], { via: "git", isSame: true })
  SUBCOMMANDS[subcommand.value]?.(call, words)
  const directory = options.find(({ name }) => name === "C")?.value
  noteGitWrites(directory ? call.at(directory) : call, subcommand.value, words)
}

function readSetting(call: Call, setting: Argument | undefined): void {
  const [key = "", ...values] = (setting?.prefix ?? "").split("=")
  const value = values.join("=")
  if (/^alias\./i.test(key) && setting?.value !== undefined) {
    if (value.startsWith("!")) call.parse(value.slice(1), { dialect: "sh" })
    else call.unclear(`The setting ${excerpt(setting.text)} makes an alias of git.`)
    return
  }
  if (
    /^(?:core\.pager|pager\.\w+)$/i.test(key) &&
    /^(?:cat|less|false|true)?$/.test(value) &&
    setting?.value !== undefined
  )
    return
  if (/^core\.editor$/i.test(key) && /^(?:true|:|cat)$/.test(value) && setting?.value !== undefined) return
  if (!setting || !setting.prefix.includes("=") || !HARMLESS_KEY.test(key))
    call.unclear(`The setting ${excerpt(setting?.text ?? "")} may change what git runs.`)
}

type Subcommand = (call: Call, words: readonly Argument[]) => void

/** Options that name a program to run, with their abbreviations. */
function forbids(pattern: RegExp): Subcommand {
  return (call, words) => {
    for (const word of words) {
      if (word.value === "--") return
      if (pattern.test(word.prefix)) call.unclear(`The option ${excerpt(word.text)} makes git run a program.`)
      else if (word.value === undefined && word.prefix === "" && isDubious(word, call.notes))
        call.unclear(`The word ${excerpt(word.text)} of git may be an option.`)
    }
  }
}

const transport = forbids(/^--(?:u(?!pdate|nsh)|rece|e)|^-u(?!$)|^ext::|^(?:--co|-c)/)

/** A script that follows an option or is the rest of the words. */
function scripts(option: RegExp): Subcommand {
  return (call, words) => {
    for (const [index, word] of words.entries()) {
      if (!option.test(word.prefix)) continue
      const attached = word.prefix.includes("=") ? word.value?.slice(word.value.indexOf("=") + 1) : undefined
      const short = /^-x./.test(word.prefix) ? word.value?.slice(2) : undefined
      const script = attached ?? short ?? words[index + 1]?.value
      if (script === undefined) call.unclear(`The script of ${excerpt(word.text)} is not literal.`)
      else call.parse(script, { dialect: "sh" })
    }
  }
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  clone: (call, words) => {
    transport(call, words)
    if (words.some(({ value, prefix }) => /^(?:-u|-c|--template|--config)/.test(value ?? prefix)))
      call.unclear("git clone is given a program or settings.")
  },
  init: forbids(/^--te/),
  fetch: transport,
  pull: transport,
  push: forbids(/^--(?:rece|e)|^ext::/),
  "ls-remote": transport,
  archive: transport,
  "fetch-pack": transport,
  "send-pack": transport,
  remote: forbids(/^ext::/),
  submodule: (call, words) => {
    const at = words.findIndex(({ value }) => value === "foreach")
    forbids(/^ext::/)(call, words)
    if (at < 0) return
    const script = words
      .slice(at + 1)
      .filter(({ value }) => value !== "--recursive" && value !== "--quiet" && value !== "-q")
    if (script.some(({ value }) => value === undefined))
      return call.unclear("The script of git submodule foreach is not literal.")
    call.parse(script.map(({ value, text }) => (script.length === 1 ? value : text)).join(" "), { dialect: "sh" })
  },
  bisect: (call, words) => {
    if (words[0]?.value === "run") call.run(words.slice(1))
    else if (words[0]?.value === undefined && words[0]) call.unclear("The subcommand of git bisect is not literal.")
  },
  rebase: (call, words) => {
    scripts(/^(?:-x|--ex)/)(call, words)
    forbids(/^(?!-x|--ex)-[a-zA-Z]+x/)(call, words)
  },
  "filter-branch": (call) => call.unclear("git filter-branch runs scripts."),
  difftool: scripts(/^(?:-x|--ext)/),
  mergetool: forbids(/^--tool-cmd/),
  grep: forbids(/^(?:-O|--open)/),
  diff: forbids(/^--ext-diff/),
  config: (call, words) => {
    const isReading =
      /^(?:get|list|unset)$/.test(words[0]?.value ?? "") ||
      /^(?:--(?:get|list|get-all|get-regexp|unset|unset-all|get-urlmatch)|-l)$/.test(
        words.find(
          ({ value }) =>
            !/^--(?:global|local|system|worktree|show-origin|show-scope|null|name-only)$|^-z$/.test(value ?? ""),
        )?.value ?? "",
      )
    if (isReading || words.length === 0) return
    const names = words.filter(({ prefix, value }) => !prefix.startsWith("-") && !/^(?:set|edit)$/.test(value ?? ""))
    const key = names[0]
    if (!key || (names.length > 1 && !HARMLESS_KEY.test(key.value ?? "")))
      call.unclear(`The setting ${excerpt(key?.text ?? "")} may change what git runs.`)
  },
  "for-each-repo": (call) => call.unclear("git for-each-repo runs commands."),
  "send-email": (call) => call.unclear("git send-email runs commands."),
  instaweb: (call) => call.unclear("git instaweb runs commands."),
  daemon: (call) => call.unclear("git daemon runs commands."),
  p4: (call) => call.unclear("git p4 runs commands."),
  credential: (call) => call.unclear("git credential runs commands."),
  maintenance: (call, [verb]) => {
    if (verb?.value !== "run") call.unclear("git maintenance changes settings of the user, or starts commands later.")
  },
  "upload-pack": (call) => call.unclear("git upload-pack runs hooks elsewhere."),
}
