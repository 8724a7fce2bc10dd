/** Milliseconds for which a delivery is tried. */
export const attemptsMs = 24 * 3_600_000

/** Messages of an hour to one recipient over one channel. */
export const mostAnHour = 20

/** Alarms that a message lists. */
export const mostListed = 20
