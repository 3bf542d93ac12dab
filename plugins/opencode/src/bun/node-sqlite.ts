import type * as sqlite from "node:sqlite"

/** Returns Node's SQLite without the warning that Node would write into the user's output. */
export function nodeSqlite(): typeof sqlite {
  // oxlint-disable-next-line typescript/unbound-method -- restored unchanged below
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
