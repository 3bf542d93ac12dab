/** Sent with the last request that the agent's step limit allows. */
export const maxStepsReminder = `<system-reminder>
This is the last step that you are allowed. Do not call tools: you would not see what comes of it. Say what has been done, what is left, and what the next step would be.
</system-reminder>`
