import type { AnyService } from '@longreach/kit/service'
import { onMany, publish } from '@longreach/kit/events'
import { triggersContract } from '@longreach/triggers/contract'
import type { Kysely } from 'kysely'
import type { Firing, GivenTrigger } from './rules/trigger-types.ts'

const { triggerFired, triggersChanged, writeWaiting } = triggersContract.events
const { triggersForDevice, takeWrites, endWrite } = triggersContract.endpoints
const endpoints = { triggersForDevice, takeWrites, endWrite }
type Write = {
  id: string
  path: string
  value: number | string | boolean | null
  organization: string
  owner: { sub: string; username: string; realm: string }
}
type Ended = { id: string; isWritten: boolean; answer: string; ms: number }

/** Triggers for tests: what it answers to the platform, and all that platform publishes. */
export function triggerRegister() {
  const saved = new Map<string, GivenTrigger>()
  const fired: Firing[] = []
  const waiting: { deviceId: string; write: Write }[] = []
  const ended: Ended[] = []
  const service: AnyService = {
    contract: { ...triggersContract, endpoints },
    needs: {},
    migrations: new URL('testing-migrations/', import.meta.url),
    parts: [
      {
        name: 'triggers',
        contract: { endpoints },
        handlers: () => ({
          triggersForDevice: async ({ query }: { query: { orgResourceId: string } }) => ({
            triggers: [...saved.values()].filter(
              ({ orgResourceId }) => orgResourceId === query.orgResourceId,
            ),
          }),
          takeWrites: async ({ params }: { params: { deviceId: string } }) => {
            const taken = waiting.filter(({ deviceId }) => deviceId === params.deviceId)
            for (const one of taken) waiting.splice(waiting.indexOf(one), 1)
            return { writes: taken.map(({ write }) => write) }
          },
          endWrite: async (end: { params: { id: string }; body: Omit<Ended, 'id'> }) => {
            ended.push({ id: end.params.id, ...end.body })
          },
        }),
        consumers: () => [
          onMany(triggerFired, async (values) => {
            fired.push(...values)
          }),
        ],
      },
    ],
  }
  const tell = (db: Kysely<unknown>, { id, orgResourceId }: GivenTrigger, isDeleted: boolean) =>
    db
      .transaction()
      .execute((tx) =>
        publish(tx, triggersChanged, { triggerId: id, orgResourceId, below: false, isDeleted }),
      )
  return {
    service,
    /** All that platform has published, in order, and the ends of writes. */
    fired,
    ended,
    /** Saves a trigger, as triggers does it; answers its id. */
    async save(
      db: Kysely<unknown>,
      org: string,
      policy: unknown,
      more: Partial<GivenTrigger> = {},
    ) {
      const id = more.id ?? crypto.randomUUID()
      const version = (saved.get(id)?.version ?? 0) + 1
      const trigger = { id, orgResourceId: org, version, updatedAt: 0, deviceGroups: [], policy }
      saved.set(id, { ...trigger, ...more })
      await tell(db, trigger, false)
      return id
    },
    async remove(db: Kysely<unknown>, id: string) {
      const trigger = saved.get(id)
      if (!trigger) throw new Error(`no trigger ${id}`)
      saved.delete(id)
      await tell(db, trigger, true)
    },
    /** Has a write wait for a device. */
    async write(db: Kysely<unknown>, deviceId: string, write: Write) {
      waiting.push({ deviceId, write })
      await db.transaction().execute((tx) => publish(tx, writeWaiting, { deviceId }))
    },
  }
}
