import { rangeText } from '@longreach/ui/time-range'

/** The address of the explorer with values of a device over a time. */
export const exploreSearch = (
  deviceId: string,
  paths: readonly string[],
  window: { from: number; to: number },
) => ({ s: paths.map((path) => `${deviceId}/${path}`), range: rangeText(window) })
