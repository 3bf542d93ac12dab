/** Reminder for a message in which the user names a subagent. */
export function mentionText(agent: string): string {
  return `<system-reminder>
The user wants the subagent "${agent}" to work on this: call the task tool with it. It does not see this conversation, so its prompt must hold all that it needs to know.
</system-reminder>`
}
