/** Broken invariants of a run, and how often each thing was done. */
export function createFindings(say: (text: string) => void) {
  const faults: string[] = []
  const figures = new Map<string, number>()
  return {
    faults,
    figures,
    say,
    fault(text: string) {
      faults.push(text)
      say(`FAULT: ${text}`)
    },
    count(what: string, by = 1) {
      figures.set(what, (figures.get(what) ?? 0) + by)
    },
  }
}
export type Findings = ReturnType<typeof createFindings>
