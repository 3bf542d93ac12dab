/** Reminder for a message that came while the agent was answering an earlier one. */
export const queuedReminder = `<system-reminder>
The user sent this message while you were working on what was asked before it. Address it, and continue what is left of the earlier task, unless the message says otherwise.
</system-reminder>`
