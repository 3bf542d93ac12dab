import type * as sqlite from "node:sqlite"

/**
 * Loads Node's SQLite when the first file is opened. Hides the warning of Node 22 that SQLite is experimental, and no
 * other warning.
 */
export function loadSqlite(): typeof sqlite {
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
