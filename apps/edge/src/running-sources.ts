import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { createSourceHealth } from './source-health.ts'
import type { SourceSettings } from './source-settings.ts'
import { makeSource } from './sources.ts'
import type { Report, Source, Tag } from './tags.ts'

type Options = {
  log: Logger
  dataDir: string
  /** Sources that always run, independent of the list. */
  fixed: readonly Source[]
  report: Report
}
type Running = {
  settings: SourceSettings
  source: Source
  health: ReturnType<typeof createSourceHealth>
}
export type RunningSources = ReturnType<typeof createRunningSources>

/** Sources that are being read. The list can be replaced while they run. */
export function createRunningSources({ log, dataDir, fixed, report }: Options) {
  let running: Running[] = []
  const listeners = new Set<() => void>()
  for (const source of fixed) source.start(report)

  function start(settings: SourceSettings): Running {
    const source = makeSource(settings, { log, dataDir })
    const health = createSourceHealth(settings.name, settings.type, () => source.tags().length)
    source.start((readings) => {
      health.note(readings)
      report(readings)
    })
    return { settings, source, health }
  }
  const all = (): Source[] => [...running.map(({ source }) => source), ...fixed]

  return {
    tags: (): Tag[] => all().flatMap((source) => source.tags()),
    ofTag: (tag: string) => all().find((one) => one.tags().some(({ name }) => name === tag)),
    health: () => running.map(({ health }) => health.read()),

    /** Runs these sources; unchanged ones continue without interruption. */
    async replace(next: readonly SourceSettings[]) {
      const stays = ({ settings }: Running) => next.some((one) => isDeepStrictEqual(one, settings))
      const ending = running.filter((one) => !stays(one))
      await Promise.all(ending.map(({ source }) => source.stop()))
      running = next.map(
        (settings) =>
          running.find((one) => isDeepStrictEqual(one.settings, settings)) ?? start(settings),
      )
      for (const listener of listeners) listener()
    },

    /** Registers a listener for a replaced list; returns how to remove it. */
    onReplaced(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async stop() {
      await Promise.all(all().map((source) => source.stop()))
    },
  }
}
