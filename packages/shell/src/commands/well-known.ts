import { BUILTINS } from "./builtins.ts"
import { CLIENTS, INTERPRETERS } from "./interpreters.ts"
import { OPAQUE } from "./opaque.ts"
import { RUNNING } from "./running-options.ts"
import { SHELLS } from "./shells.ts"
import { PROGRAMS } from "./subcommands.ts"
import { WRAPPERS } from "./wrappers.ts"

const COMMON =
  "awk basename base64 cat chmod chown cmp comm cp cut date dd df diff dirname du echo egrep env expr false fgrep file find fd gawk git grep gunzip gzip head " +
  "hostname id java jq kill killall less ln ls md5sum mkdir mktemp mv node od paste patch perl php ping pkill printf ps pwd python python2 python3 readlink " +
  "realpath rm rmdir ruby sed seq sha256sum shred sleep stat su tac tail tee time top touch tr true truncate tsc tty type uname uniq unlink unzip uptime wc " +
  "wget which whoami xargs xxd yes zcat exit return break continue shift : wait jobs bg fg kill umask ulimit command_not_found_handle command_not_found_handler"

/** Names that a function must not redefine unnoticed. */
export const WELL_KNOWN: ReadonlySet<string> = new Set([
  ...COMMON.split(" "),
  ...Object.keys(BUILTINS),
  ...Object.keys(WRAPPERS),
  ...Object.keys(PROGRAMS),
  ...Object.keys(RUNNING),
  ...SHELLS,
  ...INTERPRETERS,
  ...CLIENTS,
  ...OPAQUE,
])
