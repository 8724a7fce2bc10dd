/** `2026-11-21 14:05:00` in the clock of a zone; undefined for a zone that does not exist. */
export function createZoneClock(timeZone: string): ((at: number) => string) | undefined {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    return (at) => format.format(at)
  } catch {
    return undefined // the caller says which zone is wrong
  }
}
