/** Waiting times of the platform, in ms, and the one limit that is reached only after long work. */
export type Timings = {
  /** Grace time after a connection loss, before the device counts as disconnected. */
  graceMs: number
  /** Time that a device has to apply a configuration. */
  patienceMs: number
  /** Interval at which rights and token of a live socket are checked again. */
  recheckMs: number
  /** Values that are read at most to judge late ones by a rule. */
  mostLateValues: number
}
export const defaultTimings: Timings = {
  graceMs: 5_000,
  patienceMs: 30_000,
  recheckMs: 60_000,
  mostLateValues: 5_000_000,
}
