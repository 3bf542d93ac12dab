import type { ModelMessage } from "../contracts/model.ts"

/** Sent with the last request that the step limit allows. */
const maxStepsReminder = `<system-reminder>
This is the last step that you are allowed. Do not call tools: you would not see their results. Say what has been done, what is left, and what the next step would be.
</system-reminder>`

/** The message with this reminder. It is the last message of that request only. */
export const maxStepsMessage: ModelMessage = { role: "user", content: [{ type: "text", text: maxStepsReminder }] }
