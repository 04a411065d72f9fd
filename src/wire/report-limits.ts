// How much an agent tells main at once. Loads nothing: agent threads use it.

/** Most reports of one message. */
export const MAX_REPORTS = 1_000;

/** Longest line of a log, in characters. */
export const MAX_LOG_CHARS = 8_192;
