import {
  alarmsForNotifications,
  passShelves,
  writeAlarm,
  writeDevice,
  writeShelf,
} from '@longreach/alarms/notification-testing'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed } from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { testServer } from '@longreach/kit/testing'
import { testMailServer } from '@longreach/mail/mail-testing'
import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import { notificationsContract } from './contract.ts'
import type { DecisionRow, DeliveryRow, NotificationsDb } from './database.ts'
import { notifications } from './service.ts'

/** Times of waiting for what runs beside the calls; the machine may be busy. */
export const patience = { timeout: 60_000, interval: 50 }

type Options = { clock?: { now: Date } }

/** Server of notifications with core, the tables of alarms, people with addresses, and a mail server. */
export async function notificationsTest({
  clock = { now: new Date('2026-01-05T12:00:00Z') },
}: Options = {}) {
  const begun = clock.now
  const post = await testMailServer()
  const server = await testServer([identityForTests, core, alarmsForNotifications, notifications], {
    admit: coreAuthorizer,
    now: () => clock.now,
  })
  server.site.mail = post.settings
  server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  const seeded = await seed(server)
  let running = await server.start()
  const db = server.database.db.withSchema('notifications') as unknown as Kysely<NotificationsDb> // its tables
  return {
    ...server,
    server,
    post,
    clock,
    db,
    people: seeded.people,
    organizations: seeded.organizations,
    /** Time goes on. */
    pass: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    as: (caller: Caller) => server.as(caller, notificationsContract),
    /** Person with an address and a language. */
    async address(person: Caller, email: string, language?: string) {
      await db
        .withSchema('core')
        .updateTable('app_user' as never)
        .set({ email } as never)
        .where('sub' as never, '=', person.sub as never)
        .execute()
      if (language === undefined) return
      await server.as(person, coreContract).setUserPreference({
        params: { org: 'nordwerk.service' },
        body: { serviceName: 'locale', value: language },
      })
    },
    device: (org: string, label: string, more: { groups?: number[]; deleted?: boolean } = {}) =>
      writeDevice(server, { org, label, ...more }),
    /** Shelves a device for some ms, with its alarms. */
    shelve: (shelved: { org: string; device_id: string }, ms: number) =>
      writeShelf(server, {
        ...shelved,
        now: clock.now,
        until: new Date(clock.now.getTime() + ms),
      }),
    endShelves: () => passShelves(server, clock.now),
    raise: (alarm: Omit<Parameters<typeof writeAlarm>[1], 'start'> & { start?: Date }) =>
      writeAlarm(server, { start: clock.now, ...alarm }),
    change: (alarm: Parameters<typeof writeAlarm>[1], kind: Parameters<typeof writeAlarm>[2]) =>
      writeAlarm(server, alarm, kind, clock.now),
    /** Deliveries when they are as expected. */
    async deliveries(fits: (rows: DeliveryRow[]) => boolean) {
      const read = () => db.selectFrom('delivery').selectAll().orderBy('created_at').execute()
      await expect.poll(async () => fits(await read()), patience).toBe(true)
      return read()
    },
    async decisions(fits: (rows: DecisionRow[]) => boolean) {
      const read = () => db.selectFrom('decision').selectAll().orderBy('id').execute()
      await expect.poll(async () => fits(await read()), patience).toBe(true)
      return read()
    },
    /** Delete everything that rules made, and the rules; the clock is set back. */
    async clear() {
      await deleteRows(db)
      clock.now = begun
      post.taken.length = 0
      post.refuse()
    },
    /** The process ends, and another one goes on from the database. */
    async restart() {
      await running.close()
      running = await server.start()
    },
    async close() {
      await running.close()
      await server.close()
      await post.close()
    },
  }
}
async function deleteRows(db: Kysely<NotificationsDb>) {
  const tables = [
    'notification',
    'message',
    'held',
    'channel',
    'escalation',
    'schedule',
    'preference',
  ] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  await db
    .withSchema('alarms')
    .deleteFrom('occurrence' as never)
    .execute()
}

export type NotificationsTest = Awaited<ReturnType<typeof notificationsTest>>
