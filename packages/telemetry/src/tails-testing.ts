import type { TailNetwork, TelemetryStore } from './store.ts'

type Answer = Parameters<TailNetwork['answer']>[1]

/** Way between stores of this process, with the writers that were asked and those that do not answer. */
export function networkOf() {
  const answers = new Map<number, Answer>()
  const silent = new Set<number>()
  const asked: number[] = []
  const network: TailNetwork = {
    ask: async (writer, question) => {
      asked.push(writer)
      return silent.has(writer) ? undefined : answers.get(writer)?.(question)
    },
    answer(writer, take) {
      answers.set(writer, take)
      return () => void answers.delete(writer)
    },
  }
  return { network, asked, silent, writers: () => [...answers.keys()] }
}

export const start = Date.UTC(2026, 0, 5)
/** Time of the n-th value. */
export const at = (n: number) => start + n * 1_000
export const seriesOf = (store: TelemetryStore, path: string) =>
  store.seriesOf('acme', 'press', path, 'double')

/** Times and values of a series, as a store reads them. */
export async function valuesOf(store: TelemetryStore, series: number) {
  const found: [number, unknown][] = []
  for await (const page of store.read(series, { since: start, to: at(1e6) }))
    found.push(...page.map(({ t, v }): [number, unknown] => [t, v]))
  return found
}
