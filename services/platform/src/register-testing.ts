import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { serviceOf } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import type { Kysely } from 'kysely'
import type { Limits } from './devices/device.ts'
import type { FormulaFact } from './devices/device-formulas.ts'

export type MasterData = {
  label: string
  realm: string
  orgResourceId: string
  groups: number[]
  attributes?: Record<string, unknown>
  configuration: string | null
  formulas?: FormulaFact[]
  facts?: ({ path: string; label: string; unit: string; description: string } & Limits)[]
}

/** Ids of a question: those that it names, or those of a label. */
const idsOf = (all: Map<string, MasterData>, asked: { ids: string[] } | { alias: string }) =>
  'ids' in asked
    ? asked.ids
    : [...all].flatMap(([id, { label }]) => (label === asked.alias ? [id] : []))

/** Master data of devices for tests: what mappings answers to the platform, and its events. */
export function deviceRegister() {
  const devices = new Map<string, MasterData>()
  const { deviceForPlatform, devicesChosen, devicesDescribed } = mappingsContract.endpoints
  const endpoints = { deviceForPlatform, devicesChosen, devicesDescribed }
  const contract = { ...mappingsContract, endpoints }
  const service = serviceOf<object>()({
    contract,
    migrations: new URL('testing-migrations/', import.meta.url),
    handlers: () => ({
      deviceForPlatform: async ({ params: { deviceId } }) => {
        const device = devices.get(deviceId)
        if (!device) throw failure(mappingsContract, 'not_found', { deviceId })
        return { deviceId, facts: [], ...device }
      },
      devicesDescribed: async ({ body }) =>
        idsOf(devices, body).flatMap((id) => {
          const device = devices.get(id)
          if (!device) return []
          const { label, orgResourceId: organization, attributes = {} } = device
          return [{ id, organization, aliases: { label }, attributes }]
        }),
      devicesChosen: async ({ body: { organization, question, except } }) => ({
        ids: [...devices]
          .filter(([, { orgResourceId }]) => orgResourceId === organization)
          .filter(([, { label }]) => label.includes(question.search ?? ''))
          .flatMap(([id]) => (except.includes(id) ? [] : [id])),
      }),
    }),
  })
  const { deviceChanged, deviceLife, deviceMoved } = mappingsContract.events
  return {
    devices,
    service,
    async change(db: Kysely<unknown>, deviceId: string, change: Partial<MasterData>) {
      const before = devices.get(deviceId)
      if (before) devices.set(deviceId, { ...before, ...change })
      const configurationChanged = change.configuration !== undefined
      const tell = (tx: Kysely<unknown>) =>
        publish(tx, deviceChanged, { deviceId, configurationChanged })
      await db.transaction().execute(tell)
    },
    /** Into another organization, as mappings does it. */
    async move(db: Kysely<unknown>, deviceId: string, to: string) {
      const before = devices.get(deviceId)
      if (!before) throw new Error(`no device ${deviceId}`)
      const { label, orgResourceId: from } = before
      devices.set(deviceId, { ...before, orgResourceId: to, groups: [] })
      const tell = async (tx: Kysely<unknown>) => {
        await publish(tx, deviceMoved, { deviceId, label, from, to, notes: false })
        await publish(tx, deviceChanged, { deviceId, configurationChanged: false })
      }
      await db.transaction().execute(tell)
    },
    /** Into the trash, as mappings does it; answers how it comes back. */
    async trash(db: Kysely<unknown>, deviceId: string) {
      const before = devices.get(deviceId)
      if (!before) throw new Error(`no device ${deviceId}`)
      const { label, orgResourceId } = before
      const tell = (state: 'deleted' | 'restored') =>
        db
          .transaction()
          .execute((tx) => publish(tx, deviceLife, { deviceId, orgResourceId, label, state }))
      devices.delete(deviceId)
      await tell('deleted')
      return async () => {
        devices.set(deviceId, before)
        await tell('restored')
      }
    },
    async remove(db: Kysely<unknown>, deviceId: string) {
      const orgResourceId = devices.get(deviceId)?.orgResourceId ?? ''
      devices.delete(deviceId)
      const tell = (tx: Kysely<unknown>) =>
        publish(tx, deviceLife, { deviceId, orgResourceId, label: '', state: 'purged' })
      await db.transaction().execute(tell)
    },
  }
}
