/** Random numbers that a seed repeats (mulberry32). */
export function chanceOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    /** Whole number from `least` to `most`. */
    between: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    pick<T>(list: readonly T[]): T {
      const one = list[Math.floor(next() * list.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
  }
}
export type Chance = ReturnType<typeof chanceOf>
