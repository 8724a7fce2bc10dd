import type { FabricLog } from './fabric-log.ts'
import { matcherOf } from './fabric-place.ts'
import { NoAnswer, type Wire } from './fabric-wire.ts'

type Ear = {
  fits: (subject: string) => boolean
  take: (frame: Uint8Array, subject: string) => void
}
type Node = {
  answers: Map<string, (frame: Uint8Array) => Promise<Uint8Array>>
  ears: Set<Ear>
}

/** Wires in memory, for several fabrics in one process of tests: each `wire()` is a process. */
export function memoryNetwork() {
  const nodes = new Set<Node>()
  let isAway = false

  const wire = (): Wire => {
    const own: Node = { answers: new Map(), ears: new Set() }
    nodes.add(own)
    const others = () => [...nodes].filter((node) => node !== own)
    return {
      async ask(subject, frame, withinMs) {
        if (isAway) throw new NoAnswer(subject, 'away', false)
        const take = others()
          .find((node) => node.answers.has(subject))
          ?.answers.get(subject)
        if (!take) throw new NoAnswer(subject, 'nobody', false)
        const { promise: late, reject } = Promise.withResolvers<never>()
        const timer = setTimeout(() => reject(new NoAnswer(subject, 'late', true)), withinMs)
        return Promise.race([take(frame), late]).finally(() => clearTimeout(timer))
      },
      answer(subject, take) {
        own.answers.set(subject, take)
        return async () => void own.answers.delete(subject)
      },
      tell({ subject }, frame) {
        if (isAway) return false
        for (const { ears } of others())
          for (const { fits, take } of ears) if (fits(subject)) take(frame, subject)
        return true
      },
      hear({ subject }, take) {
        const ear = { fits: matcherOf(subject), take }
        own.ears.add(ear)
        return () => void own.ears.delete(ear)
      },
      subscribed: async () => undefined,
      links: () => [{ name: 'calls', server: isAway ? undefined : 'memory' }],
      close: async () => void nodes.delete(own),
    }
  }
  return {
    wire,
    /** Interrupts the connection between the processes, or mends it. */
    interrupt: (away: boolean) => void (isAway = away),
  }
}

/** Log that keeps its entries, each as one text. */
export function keptLog() {
  const entries: string[] = []
  const keep = (about: unknown, text?: string) => {
    const plain = (_: string, value: unknown) => (value instanceof Error ? value.message : value)
    entries.push(`${text ?? ''} ${JSON.stringify(about, plain)}`)
  }
  const log: FabricLog = { info: () => undefined, warn: keep, error: keep }
  return { log, entries }
}
