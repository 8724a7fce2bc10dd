/** True for a number that an integer path would round; it is refused instead. */
export function losesFraction(asked: unknown, taken: unknown): boolean {
  if (typeof taken === 'number') {
    const number = typeof asked === 'string' ? Number(asked) : asked
    return typeof number === 'number' && Number.isFinite(number) && number !== taken
  }
  const given = Array.isArray(taken) && typeof asked === 'string' ? parseCoerced(asked) : asked
  if (typeof taken !== 'object' || taken === null || taken instanceof Uint8Array) return false
  if (typeof given !== 'object' || given === null) return false
  return Object.entries(taken).some(([name, one]) =>
    losesFraction((given as Record<string, unknown>)[name], one),
  )
}

const parseCoerced = (text: string) => JSON.parse(text) as unknown // coerced already: it is JSON
