/**
 * Question about one thing that is asked together with those that come in the same turn of the event loop; `ask`
 * gets each of them once. A fault is that of all of them.
 */
export function createJointQuestion<T>(
  ask: (all: readonly string[]) => Promise<ReadonlyMap<string, T>>,
) {
  type Waiting = { resolve: (answer: T | undefined) => void; reject: (fault: unknown) => void }
  let waiting = new Map<string, Waiting[]>()
  const run = async () => {
    const all = waiting
    waiting = new Map()
    try {
      const answers = await ask([...all.keys()])
      for (const [one, each] of all) for (const { resolve } of each) resolve(answers.get(one))
    } catch (error) {
      for (const each of all.values()) for (const { reject } of each) reject(error)
    }
  }
  return (one: string): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(() => void run())
      const known = waiting.get(one) ?? []
      known.push({ resolve, reject })
      waiting.set(one, known)
    })
}
