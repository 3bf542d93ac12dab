import type { Rule } from "../call.ts"
import { isDubious } from "../words/doubt.ts"
import { excerpt } from "../words/quote.ts"

// In combined letters, the text after a letter with a value is its value.
const TAR = /^--(?:to-c|checkpoint-a|us|inf|new-v|rs|rmt)|^-[^-CKHLNTVXbfg]*[IF]/

/** Programs with options or words that make them run a given command. */
export const RUNNING: Readonly<Record<string, RegExp>> = {
  tar: TAR,
  bsdtar: /^--(?:use|to-c)/,
  gtar: TAR,
  zip: /^-(?:[a-zA-Z]*TT|-unzip-c)/,
  sort: /^--co/,
  split: /^--f/,
  rg: /^--(?:pre$|pre=|hostname-bin)/,
  ag: /^--pager/,
  ack: /^--(?:pager|ackrc)/,
  bat: /^--pager/,
  delta: /^--pager/,
  man: /^-[a-zA-Z]*[PHLpX]|^--(?:pager|html|browser|preproc)/,
  ssh: /^-(?:[a-zA-Z0-9]*[oFSI])|^[a-z]+command/i,
  scp: /^-[a-zA-Z0-9]*[oSFD]/,
  sftp: /^-[a-zA-Z0-9]*[oSFbDs]/,
  "ssh-keygen": /^-[a-zA-Z]*D/,
  rsync: /^-[a-zA-Z0-9]*e|^--rsh|^--rsync-path|^--daemon|^--early-input/,
  curl: /^-[a-zA-Z#]*K|^--(?:conf|eng)/,
  wget: /^--(?:use-a|conf|exe)|^-[a-zA-Z]*e/,
  less: /^\+|^-[a-zA-Z]*[oOkT]/,
  more: /^\+/,
  make: /^(?:\.?SHELL|SHELLFLAGS|\.SHELLFLAGS|MAKEFLAGS|MAKE)\s*[:+?!]*=|^--(?:ev|eval)|^-[a-zA-Z]*E|[$`]|^(?:-f)?-$|^(?:--(?:make)?file=|-f)?\/(?:dev|proc)\/|=-$/,
  gmake:
    /^(?:\.?SHELL|SHELLFLAGS|\.SHELLFLAGS|MAKEFLAGS|MAKE)\s*[:+?!]*=|^--(?:ev|eval)|^-[a-zA-Z]*E|[$`]|^(?:-f)?-$|^(?:--(?:make)?file=|-f)?\/(?:dev|proc)\/|=-$/,
  ninja: /^-t$/,
  cmake: /^-[EP]/,
  gcc: /^-(?:wrapper|B|fplugin|specs)|^@/,
  "g++": /^-(?:wrapper|B|fplugin|specs)|^@/,
  clang: /^-(?:B|fplugin|Xclang)|^@/,
  sqlite3:
    /^\.(?!(?:tables|schema|mode|headers|databases|indexes|width|timeout)\b)|\.(?:shell|system|output|once|import|load|read)\b|load_extension|^-(?:init|cmd)$/i,
  psql: /\\[!og]|\bprogram\b/i,
  mysql: /\\!|\bsystem\b|^--(?:pager|init-command|tee)/i,
  nmap: /^--script/,
  tcpdump: /^-[a-zA-Z]*z/,
  nc: /^-[a-zA-Z]*[ec]/,
  ncat: /^-[a-zA-Z]*[ec]|^--(?:exec|sh-exec|lua-exec)/,
  netcat: /^-[a-zA-Z]*[ec]/,
  socat: /(?:^|[,!])(?:exec|system|shell)/i,
  openssl: /^-(?:engine|provider|config)/,
  nodemon: /^(?:-x|--exec)/,
  concurrently: /./,
  hyperfine: /./,
  entr: /./,
  mount: /^-[a-zA-Z]*t/,
  dpkg: /^--(?:pre-invoke|post-invoke|status-logger)/,
  ctags: /^--(?:options|_xformat)/,
  rpm: /^(?:-E|--eval|--pipe|-D|--define)/,
  vim: /^[+-](?:[cSsW]|$)|^\+|^-[a-zA-Z]*[cSuwe]|^--(?:cmd|remote)/,
  nano: /^-[a-zA-Z]*s/,
  logrotate: /./,
  exiftool: /^-(?:if|config|execute)/,
}

const COMPRESSORS = /^(?:zstd|pigz|gzip|xz|bzip2|pbzip2|lz4|lzip|zstdmt|brotli)(?: -[\w]+)*$/

export const running: Rule = (call) => {
  const pattern = RUNNING[call.name]
  if (!pattern) return
  for (const [index, word] of call.args.entries()) {
    if (word.value === undefined && word.prefix === "" && isDubious(word, call.notes)) {
      call.unclear(`The word ${excerpt(word.text)} of ${call.name} may be an option.`)
      continue
    }
    if (!pattern.test(word.prefix) && !(call.name.endsWith("make") && word.text.startsWith("<("))) continue
    const value = word.value ?? ""
    const next = call.args[index + 1]?.value
    if (call.name.endsWith("tar") && /I$|^--use[a-z-]*$/.test(value) && COMPRESSORS.test(next ?? "")) continue
    if (call.name.endsWith("tar") && COMPRESSORS.test(/^--use[a-z-]*=(.*)/.exec(value)?.[1] ?? "")) continue
    if (call.name === "ssh" && isHarmlessSshOption(value, next)) continue
    if (
      call.name === "rsync" &&
      /^(?:-[a-zA-Z0-9]*e|--rsh)$/.test(value) &&
      next !== undefined &&
      /^ssh(?: -[pilv46CAo]+(?: ?[\w./~@=-]+)?)*$/.test(next) &&
      !/command/i.test(next)
    )
      continue
    call.unclear(`The word ${excerpt(word.text)} makes ${call.name} run a program.`)
  }
  // The old form of tar's options has no dash.
  if (call.name.endsWith("tar") && /^[a-zA-Z]*[IF]/.test(call.args[0]?.value ?? "-"))
    call.unclear("tar is given a program to run.")
}

function isHarmlessSshOption(value: string, next: string | undefined): boolean {
  const option = /^-[a-zA-Z0-9]*o(.+)$/.exec(value)?.[1] ?? (/^-[a-zA-Z0-9]*o$/.test(value) ? next : undefined)
  if (option === undefined) return false
  return /^\s*(?:StrictHostKeyChecking|ConnectTimeout|BatchMode|UserKnownHostsFile|LogLevel|ServerAlive\w+|Port|User|IdentityFile|IdentitiesOnly|PasswordAuthentication|Compression|ForwardAgent|RequestTTY|TCPKeepAlive|ControlMaster|ControlPath|ControlPersist|PreferredAuthentications|ExitOnForwardFailure)\s*[= ]/i.test(
    option,
  )
}
