import type { ShellAssignment } from "@pawl/shell"

const FLAG = /^(?:0|1|true|false|yes|no|on|off)$/i
const RELATIVE_PATHS = /^(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*\/?(?::(?!\/)[\w./-]+)*$/
const NODE_SETTING =
  /^(?:(?:--max-old-space-size=\d+|--no-warnings|--trace-warnings|--enable-source-maps|--experimental-vm-modules)\s*)+$/

/** Variables that can change what commands do, with values that are harmless. */
const HARMLESS: readonly { readonly name: RegExp; readonly value: RegExp }[] = [
  { name: /^(?:GIT_|GH_|BAT_|MAN|SYSTEMD_)?PAGER$/, value: /^(?:cat|less|more)?$/ },
  { name: /^(?:GIT_|GIT_SEQUENCE_)?EDITOR$/, value: /^(?:true|:|cat)$/ },
  { name: /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/, value: /^.*$/s },
  { name: /^GIT_(?:TERMINAL_PROMPT|TRACE|OPTIONAL_LOCKS|MERGE_AUTOEDIT)$/, value: FLAG },
  { name: /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|FAULTHANDLER|UTF8)$/, value: /^\w*$/ },
  { name: /^PYTHON(?:HASHSEED|IOENCODING)$/, value: /^[\w:-]*$/ },
  // The project's own files can be run anyway.
  { name: /^PYTHONPATH$/, value: RELATIVE_PATHS },
  { name: /^NODE_OPTIONS$/, value: NODE_SETTING },
  { name: /^CARGO_(?:TERM_COLOR|INCREMENTAL|BUILD_JOBS|TERM_PROGRESS_WHEN|NET_OFFLINE)$/, value: /^\w*$/ },
  { name: /^GOFLAGS$/, value: /^-(?:mod=(?:mod|vendor|readonly)|count=\d+)$/ },
  { name: /^(?:CC|CXX)$/, value: /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?$/ },
  {
    name: /^(?:PIP|UV)_(?:NO_INPUT|DISABLE_PIP_VERSION_CHECK|NO_CACHE|OFFLINE|NO_PROGRESS|QUIET)(?:_DIR)?$/,
    value: FLAG,
  },
  { name: /^MAKEFLAGS$/, value: /^-?j\d*$/ },
]

/** Returns true if the assignment does not change which programs run or what they work on. */
export function isHarmless({ name, value }: ShellAssignment): boolean {
  return value !== undefined && HARMLESS.some((each) => each.name.test(name) && each.value.test(value))
}
