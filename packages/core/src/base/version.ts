/** Of the writer, in the sessions that it makes. */
export const VERSION = "0.1.0"
