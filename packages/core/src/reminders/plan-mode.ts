import { buildAgent, planAgent } from "../agents/agent.ts"

const PLANNING = `<system-reminder>
Plan mode: change nothing. Do not create, edit, move or delete files, do not change settings, do not commit, and run no command that does any of it, whatever was asked for before. This holds until the user leaves plan mode.
Read and search until you understand the task, then answer with a plan: what to change, in which files, in which order, and how to check it. Keep it as short as the task allows. Ask about what only the user can decide.
</system-reminder>`

const BUILDING = `<system-reminder>
Plan mode is over: you may edit files and run commands again, as far as you are allowed to. If the user agreed to a plan, carry it out.
</system-reminder>`

/** Reminder for a message to the agent `plan`, and for the first to `build` after one. `previous`: the agent before. */
export function planModeReminder(agent: string, previous: string | undefined): string | undefined {
  if (agent === planAgent.name) return PLANNING
  return agent === buildAgent.name && previous === planAgent.name ? BUILDING : undefined
}
