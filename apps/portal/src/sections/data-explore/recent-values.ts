import { type DeviceValue, isSameValue } from './use-kept-values.ts'

/** So many are kept. */
export const mostRecent = 12

/** Values drawn last together with those drawn now, the newest first; the same list while nothing new is drawn. */
export function withDrawn(recent: readonly DeviceValue[], drawn: readonly DeviceValue[]) {
  const last = drawn.slice(-mostRecent)
  const first = recent.slice(0, last.length)
  if (last.every((value) => first.some((one) => isSameValue(one, value)))) return recent
  const others = recent.filter((one) => !last.some((value) => isSameValue(one, value)))
  const values = last.toReversed().map(({ device, path }) => ({ device, path }))
  return [...values, ...others].slice(0, mostRecent)
}
