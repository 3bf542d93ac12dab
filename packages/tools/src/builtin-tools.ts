import { testRun, type Tool } from "@pawl/core"
import { bashTool } from "./bash/bash.ts"
import { editTool } from "./edit/edit.ts"
import { createFileLocks } from "./file/file-locks.ts"
import { createFileTimes } from "./file/file-times.ts"
import { readTool } from "./read/read.ts"
import { recallTool } from "./recall/recall.ts"
import type { SessionRecord } from "./recall/session-record.ts"
import { globTool } from "./search/glob.ts"
import { grepTool } from "./search/grep.ts"
import { listTool } from "./search/list.ts"
import { bundledRipgrep, type RipgrepPath } from "./search/ripgrep.ts"
import { createToolPaths } from "./tool-paths.ts"
import { writeTool } from "./write/write.ts"

export interface BuiltinToolsOptions {
  /**
   * Where long outputs of bash are kept as files; absolute. The tools that only read need no `external_directory` for
   * it. Absent: such outputs become blobs, which a model cannot reach.
   */
  readonly outputDirectory?: string
  /** What `recall` searches and reads, as `sessionRecord(storage)` gives it. Absent: that tool is not offered. */
  readonly record?: SessionRecord
  /** Finds ripgrep. Absent: the one that comes with the package. */
  readonly ripgrep?: RipgrepPath
}

/** One set of tools, in alphabetical order of name. What they know of files is shared within the set, by nothing else. */
export function builtinTools(options: BuiltinToolsOptions = {}): readonly Tool[] {
  const { outputDirectory, record, ripgrep = bundledRipgrep } = options
  const paths = createToolPaths()
  const readPaths = createToolPaths({ trusted: outputDirectory === undefined ? [] : [outputDirectory] })
  const fileTimes = createFileTimes()
  const locks = createFileLocks()
  return [
    bashTool({ paths, outputDirectory, readTests: testRun }),
    editTool({ paths, fileTimes, locks }),
    globTool({ paths: readPaths, ripgrep }),
    grepTool({ paths: readPaths, ripgrep }),
    listTool({ paths: readPaths, ripgrep }),
    readTool({ paths: readPaths, fileTimes }),
    ...(record === undefined ? [] : [recallTool(record)]),
    writeTool({ paths, fileTimes, locks }),
  ]
}
