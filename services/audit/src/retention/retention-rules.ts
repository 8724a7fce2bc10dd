/** Days that entries are kept: minimum, maximum and default. */
export const retentionDays = { least: 30, most: 3650, usual: 365 }

/** Organization and all above it, the nearest first: `a.b.c`, `a.b`, `a`. */
export function selfAndAbove(organization: string): string[] {
  const parts = organization.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

/**
 * Days that entries of an organization are kept: its own choice, else of the nearest above, else the
 * default.
 */
export function retentionOf(organization: string, choices: ReadonlyMap<string, number>) {
  const from = selfAndAbove(organization).find((place) => choices.has(place)) ?? null
  const days = from === null ? undefined : choices.get(from)
  return { days: days ?? retentionDays.usual, from, own: choices.get(organization) ?? null }
}

export const dayMs = 86_400_000

/** Time before which entries are deleted. */
export const keptSince = (now: Date, days: number) => new Date(now.getTime() - days * dayMs)
