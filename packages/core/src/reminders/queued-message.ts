/** For a message that came while an answer to an earlier one was under way. */
export const queuedReminder = `<system-reminder>
The user sent this message while you were working on what was asked before it. Address it, and go on with what is left of the earlier task, unless the message says otherwise.
</system-reminder>`
