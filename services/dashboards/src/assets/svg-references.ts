/** Most elements that are drawn when all references of a drawing are followed. */
const mostDrawn = 100_000

/** Counter of what a drawing grows to, as references may stand in what is referred to. */
export function createReferences() {
  /** Elements and references of each element with an id, those within included. */
  const named = new Map<string, { own: number; to: string[] }>()
  const whole = { own: 0, to: [] as string[] }
  const open: { own: number; to: string[] }[] = [whole]
  return {
    begin(id: string | undefined, to: readonly string[]) {
      const entry = id === undefined || named.has(id) ? undefined : { own: 0, to: [] as string[] }
      if (entry && id !== undefined) named.set(id, entry)
      if (entry) open.push(entry)
      for (const one of open) {
        one.own += 1
        one.to.push(...to)
      }
      return () => {
        if (entry) open.splice(open.lastIndexOf(entry), 1)
      }
    },
    /** A reference leads into itself, or all of them lead to more elements than a browser draws soon. */
    isTooLarge() {
      const counts = new Map<string, number>()
      const count = (id: string, path: ReadonlySet<string>): number => {
        const known = counts.get(id)
        if (known !== undefined) return known
        const entry = named.get(id)
        if (!entry) return 0
        if (path.has(id) || path.size > 100) return Infinity
        const sum = total(entry, new Set([...path, id]))
        counts.set(id, sum)
        return sum
      }
      const total = ({ own, to }: { own: number; to: string[] }, path: ReadonlySet<string>) =>
        to.reduce((sum, id) => sum + count(id, path), own)
      return total(whole, new Set()) > mostDrawn
    },
  }
}
