import type * as sqlite from "node:sqlite"

/** Node's SQLite, without its announcement on stderr in the middle of the user's output. */
export function nodeSqlite(): typeof sqlite {
  // oxlint-disable-next-line typescript/unbound-method -- put back below as it was
  const { emitWarning } = process
  const filtered = (...warning: Parameters<typeof emitWarning>) => {
    if (!String(warning[0]).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, warning)
    }
  }
  process.emitWarning = filtered as typeof emitWarning
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = emitWarning
  }
}
