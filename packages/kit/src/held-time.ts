const [first, last] = [Date.UTC(-4000, 0, 1), Date.UTC(9999, 0, 1)]

/** Time in ms since 1970 as one that a Date and PostgreSQL know; others stand for the first or the last of them. */
export const heldTime = (ms: number) => new Date(Math.min(Math.max(ms, first), last))
