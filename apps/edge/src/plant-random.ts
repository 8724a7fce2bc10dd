/** Number from 0 to 1 that is a function of the given integers. */
export function hashed(seed: number, ...numbers: number[]): number {
  let state = seed | 0
  for (const number of numbers) {
    state = Math.imul(state ^ (number | 0), 0x9e3779b1)
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b)
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
    state ^= state >>> 16
  }
  return (state >>> 0) / 4_294_967_296
}

/** Number from -1 to 1 that changes smoothly with time, once every `periodMs`. */
export function drift(seed: number, t: number, periodMs: number): number {
  const place = t / periodMs
  const slot = Math.floor(place)
  const share = (1 - Math.cos((place - slot) * Math.PI)) / 2
  const [before, after] = [hashed(seed, slot), hashed(seed, slot + 1)]
  return (before + (after - before) * share) * 2 - 1
}

type Slots = { slotMs: number; chance: number; shortestMs: number; longestMs: number }

/**
 * True when a random event, at most one in each slot of time with this chance, is active at `t`. A
 * function of seed and time.
 */
export function goesOn(seed: number, t: number, slots: Slots): boolean {
  const { slotMs, chance, shortestMs, longestMs } = slots
  const slot = Math.floor(t / slotMs)
  if (hashed(seed, slot, 1) >= chance) return false
  const lastsMs = shortestMs + hashed(seed, slot, 2) * (longestMs - shortestMs)
  const beganAt = slot * slotMs + hashed(seed, slot, 3) * (slotMs - lastsMs)
  return t >= beganAt && t < beganAt + lastsMs
}

export const within = (value: number, low: number, high: number) =>
  Math.min(high, Math.max(low, value))

/** First-order approach to `target` with this time constant, exact for any step. */
export const approach = (value: number, target: number, seconds: number, constantS: number) =>
  target + (value - target) * Math.exp(-seconds / constantS)
