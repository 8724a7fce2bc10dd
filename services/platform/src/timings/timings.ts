/** Waiting times of the platform, in ms. */
export type Timings = {
  /** How long a lost line is not yet a disconnection. */
  graceMs: number
  /** How long a device has to take over a configuration. */
  patienceMs: number
  /** How often rights and token of a live socket are looked at again without a reason. */
  recheckMs: number
}
export const defaultTimings: Timings = { graceMs: 5_000, patienceMs: 30_000, recheckMs: 60_000 }
