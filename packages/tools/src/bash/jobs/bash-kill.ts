import { defineTool, type Tool } from "@pawl/core/tool"
import { textField, toolInput } from "../../tool-input.ts"
import type { JobToolOptions } from "./bash-output.ts"
import { jobMetadata, jobText } from "./job-text.ts"

const input = toolInput("bash_kill", { jobID: textField("The job's id, as bash with background gave it") })
type Input = ReturnType<typeof input.parse>

export function bashKillTool({ jobs, isReadable }: JobToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "bash_kill",
    description:
      "Ends a background job with all that it started: SIGTERM, a second later SIGKILL. Returns what it has written " +
      "since the last look. A job that has ended already is left as it is.",
    ...input,
    effect: "idempotent",
    changes: "none",
    keep: "tail",
    permissions: () => [{ permission: "bash_kill", patterns: ["*"] }],
    async execute({ jobID }, { sessionID, canDelegate }) {
      const job = jobs.find(sessionID, jobID)
      await job.stop("kill")
      const news = await job.reader.read()
      return {
        title: job.command,
        output: jobText(job, news, { isReadable, nothing: "(no new output)", canDelegate }),
        metadata: jobMetadata(job, news),
      }
    },
  })
}
