/** Version of the writer, stored in the sessions that it makes. */
export const VERSION = "0.1.0"
