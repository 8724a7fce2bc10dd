/** Waiting times of the platform, in ms. */
export type Timings = {
  /** Grace time after a connection loss, before the device counts as disconnected. */
  graceMs: number
  /** Time that a device has to apply a configuration. */
  patienceMs: number
  /** Interval at which rights and token of a live socket are checked again. */
  recheckMs: number
}
export const defaultTimings: Timings = { graceMs: 5_000, patienceMs: 30_000, recheckMs: 60_000 }
