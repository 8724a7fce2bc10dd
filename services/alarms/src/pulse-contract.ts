/**
 * Organization of the pulse. Names of organizations are words with dots between, so none can be called so: no right,
 * list or count of any organization reaches what belongs to it.
 */
export const pulseOrganization = ':pulse'

/** Id of the device whose values are the pulse; mappings does not know it. */
export const pulseDevice = 'pulse-of-this-platform'

/** Path of its only value. */
export const pulsePath = 'Pulse:1/beat'

/** Age in ms from which a station stands still: two beats that did not come, and time for a third. */
export const pulseStillMs = 180_000

/** Stations of the pulse in its order. */
export const pulseStations = ['value', 'rule', 'alarm', 'message', 'watcher'] as const

/** Newest beat that passed a station: `t` when it began, `at` when it passed, in ms since 1970. */
export type PulsePassed = { t: number; at: number }

/** True for a beat that began too long ago for the pulse to go on. */
export const isPulseStill = ({ t }: Pick<PulsePassed, 't'>, now: number) => now - t > pulseStillMs
