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
  /** What `task` may hand work to. Absent or empty: that tool is not offered. */
  readonly agents?: readonly Subagent[]
  /** Formatters and checks that run once files have changed. Absent: none. */
  readonly afterEdit?: AfterEditOptions
  /** What webfetch reaches inside of a network. Absent: only public addresses. */
  readonly allowPrivate?: AllowPrivate
  /** Whether questions can be answered: `question` and `plan_exit` are offered then. */
  readonly asks?: boolean
  /**
   * Where bash runs commands in the background; close it when the tools are used no more. Absent: jobs of the tools' own,
   * which end when this process exits.
   */
  readonly jobs?: Jobs
  /** What reads the commands of bash, as `findShell` gives it; other shells than bash make each command unclear. */
  readonly shell?: Shell
  /** Milliseconds that what is stopped has from SIGTERM to SIGKILL; 0: it is never killed. Default: 1000. */
  readonly stopGrace?: number
  /** Ends commands, formatters and checks if this process dies. Absent: a guardian of the tools' own. */
  readonly guardian?: Guardian
  /** Where bash runs its commands, as `bwrapSandbox` gives it. Absent: they may do what this process may. */
  readonly sandbox?: Sandbox
  /**
   * Where long outputs of bash are kept as files; absolute. The tools that only read need no `external_directory` for
   * it. Absent: such outputs become blobs, which a model cannot reach.
   */
  readonly outputDirectory?: string
  /** What `recall` searches and reads, as `sessionRecord(storage)` gives it. Absent: that tool is not offered. */
  readonly record?: SessionRecord
  /** Finds ripgrep. Absent: the one that comes with the package. */
  readonly ripgrep?: RipgrepPath
  /** What `skill` loads. Absent or empty: that tool is not offered. */
  readonly skills?: readonly Skill[]
  /** Where lists of tasks are read, as `storedTodos(storage)` gives it. Absent: neither `todoread` nor `todowrite` is offered. */
  readonly todos?: ReadTodos
  /** Of the program that offers the tools; webfetch tells servers. */
  readonly version?: string
}

/**
 * One set of tools, in alphabetical order of name. What they know of files is shared within the set, by nothing else.
 * `toolsForModel` says which of them a model is not offered.
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

/** The tools that are there only with what they work on. */
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
