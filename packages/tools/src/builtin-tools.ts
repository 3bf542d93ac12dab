import type { Tool } from "@pawl/core/tool"
import { createGuardian, type Guardian } from "@pawl/process-guard"
import { type AfterEditOptions, createAfterEdit } from "./after-edit/after-edit.ts"
import { bashTool } from "./bash/bash.ts"
import { bashKillTool } from "./bash/jobs/bash-kill.ts"
import { bashOutputTool } from "./bash/jobs/bash-output.ts"
import type { Shell } from "./bash/find-shell.ts"
import { createJobs, type Jobs } from "./bash/jobs/jobs.ts"
import { editTool } from "./edit/edit.ts"
import { createFileLocks } from "./file/file-locks.ts"
import { createFileTimes } from "./file/file-times.ts"
import { multieditTool } from "./multiedit/multiedit.ts"
import { testRun } from "./output-facts/failing-tests.ts"
import { applyPatchTool } from "./patch/apply-patch.ts"
import { planExitTool } from "./plan-exit/plan-exit.ts"
import { questionTool } from "./question/question.ts"
import { readTool } from "./read/read.ts"
import { recallTool } from "./recall/recall.ts"
import type { SessionRecord } from "./recall/session-record.ts"
import type { Sandbox } from "./sandbox/sandbox.ts"
import { globTool } from "./search/glob.ts"
import { grepTool } from "./search/grep.ts"
import { listTool } from "./search/list.ts"
import { bundledRipgrep, type RipgrepPath } from "./search/ripgrep.ts"
import { type Skill, skillTool } from "./skill/skill.ts"
import { type Subagent, taskTool } from "./task/task.ts"
import { todoreadTool } from "./todo/todoread.ts"
import { todowriteTool } from "./todo/todowrite.ts"
import type { ReadTodos } from "./todo/todos.ts"
import { createToolPaths } from "./tool-paths.ts"
import type { AllowPrivate } from "@pawl/address-guard"
import { webfetchTool } from "./webfetch/webfetch.ts"
import { writeTool } from "./write/write.ts"

export interface BuiltinToolsOptions {
  /** Agents that `task` can start. If missing or empty, `task` is not offered. */
  readonly agents?: readonly Subagent[]
  /** Formatters and checks that run after a file was changed. Default: none. */
  readonly afterEdit?: AfterEditOptions
  /** Internal addresses that webfetch may reach. Default: public addresses only. */
  readonly allowPrivate?: AllowPrivate
  /** Set when questions can be answered; then `question` and `plan_exit` are offered. */
  readonly asks?: boolean
  /**
   * Runs bash's background commands. The caller closes it after use. Default: jobs that end when this process exits.
   */
  readonly jobs?: Jobs
  /** Parses bash commands, as returned by `findShell`. Commands of a shell other than bash always need approval. */
  readonly shell?: Shell
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly stopGrace?: number
  /** Ends commands, formatters and checks if this process dies. Default: a new guardian. */
  readonly guardian?: Guardian
  /** Sandbox for commands, as returned by `bwrapSandbox`. Default: commands have the rights of this process. */
  readonly sandbox?: Sandbox
  /**
   * Absolute directory for long outputs of bash. Read-only tools may use it without `external_directory`. Default: long
   * outputs become blobs, which a model cannot read.
   */
  readonly outputDirectory?: string
  /**
   * Sessions that `recall` searches and reads, as returned by `sessionRecord(storage)`. If missing, `recall` is not
   * offered.
   */
  readonly record?: SessionRecord
  /** Finds ripgrep. Default: the binary that the package brings. */
  readonly ripgrep?: RipgrepPath
  /** Skills that `skill` can load. If missing or empty, `skill` is not offered. */
  readonly skills?: readonly Skill[]
  /**
   * Reads task lists, as returned by `storedTodos(storage)`. If missing, `todoread` and `todowrite` are not offered.
   */
  readonly todos?: ReadTodos
  /** Version of the program that offers the tools. webfetch sends it in its User-Agent. */
  readonly version?: string
}

/**
 * Returns a set of tools, sorted by name. They share what they know about files with each other, not with other sets.
 * `toolsForModel` decides which of them a model is offered.
 */
export function builtinTools(options: BuiltinToolsOptions = {}): readonly Tool[] {
  const { outputDirectory, sandbox, shell, stopGrace, ripgrep = bundledRipgrep } = options
  const guardian = options.guardian ?? createGuardian({ grace: stopGrace })
  const jobs = options.jobs ?? createJobs({ outputDirectory, guardian })
  const isReadable = outputDirectory !== undefined
  const paths = createToolPaths()
  const readPaths = createToolPaths({ trusted: outputDirectory === undefined ? [] : [outputDirectory] })
  const fileTimes = createFileTimes()
  const locks = createFileLocks()
  const programs = createAfterEdit(options.afterEdit ?? {}, { sandbox, stopGrace, guardian })
  const { format, check, formatAndCheck: afterWrite } = programs
  const tools: readonly Tool[] = [
    applyPatchTool({ paths, fileTimes, locks, format, check }),
    bashTool({ paths, jobs, shell, stopGrace, guardian, sandbox, outputDirectory, readTests: testRun }),
    bashKillTool({ jobs, isReadable }),
    bashOutputTool({ jobs, isReadable }),
    editTool({ paths, fileTimes, locks, afterWrite }),
    globTool({ paths: readPaths, ripgrep }),
    grepTool({ paths: readPaths, ripgrep }),
    listTool({ paths: readPaths, ripgrep }),
    multieditTool({ paths, fileTimes, locks, afterWrite }),
    readTool({ paths: readPaths, fileTimes }),
    webfetchTool(webfetchOptions(options)),
    writeTool({ paths, fileTimes, locks, afterWrite }),
  ]
  return [...tools, ...toolsOnDemand(options)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Tools that are offered only if the option that they need is set. */
function toolsOnDemand({ agents = [], asks = false, record, skills = [], todos }: BuiltinToolsOptions): Tool[] {
  return [
    ...(asks ? [planExitTool(), questionTool()] : []),
    ...(record ? [recallTool(record)] : []),
    ...(skills.length > 0 ? [skillTool(skills)] : []),
    ...(agents.length > 0 ? [taskTool(agents)] : []),
    ...(todos ? [todoreadTool(todos), todowriteTool()] : []),
  ]
}

function webfetchOptions({ allowPrivate, version }: BuiltinToolsOptions) {
  return {
    ...(allowPrivate === undefined ? {} : { allowPrivate }),
    ...(version === undefined ? {} : { userAgent: `pawl/${version}` }),
  }
}
