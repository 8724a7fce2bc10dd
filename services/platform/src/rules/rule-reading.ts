import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import { createJointQuestion } from './joint-question.ts'
import { connectionsOfDevices, readStates, takeDevices } from './rule-store.ts'

type Options = { db: Kysely<ServiceDb>; node: number; now: () => Date }

/** Questions about devices whose rules are loaded, each for all that are loaded at the time. */
export function createRuleReading({ db, node, now }: Options) {
  const states = createJointQuestion((ids) => readStates(db, ids))
  return {
    /** Takes a device: what other processes write of it from now on is refused. */
    take: createJointQuestion((ids) => takeDevices(db, ids, { node, now: now() })),
    states: async (deviceId: string) => (await states(deviceId)) ?? [],
    connection: createJointQuestion((ids) => connectionsOfDevices(db, ids)),
  }
}
export type RuleReading = ReturnType<typeof createRuleReading>

/** Store whose newest values are read for all devices that are loaded at the time. */
export function createNewestReading(telemetry: TelemetryStore) {
  const newest = createJointQuestion<Point>(async (ids) => {
    const points = await telemetry.last(ids.map(Number))
    return new Map(ids.flatMap((id, n) => (points[n] ? [[id, points[n]] as const] : [])))
  })
  const ofDevice = createJointQuestion(async (devices) =>
    Map.groupBy(await telemetry.findSeriesOf(devices), ({ device }) => device),
  )
  return {
    trust: () => telemetry.trust(),
    findSeries: async (device: string, pattern?: string) =>
      pattern === undefined
        ? ((await ofDevice(device)) ?? [])
        : telemetry.findSeries(device, pattern),
    last: (ids: readonly number[]) => Promise.all(ids.map((id) => newest(String(id)))),
    read: (...asked: Parameters<TelemetryStore['read']>) => telemetry.read(...asked),
  }
}
export type NewestReading = ReturnType<typeof createNewestReading>
