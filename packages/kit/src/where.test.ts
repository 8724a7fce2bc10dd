import { bitOf, type Capability } from '@longreach/authorization/capability'
import {
  canInCall,
  canInSight,
  type DeviceColumns,
  inCallSql,
  inSightSql,
} from '@longreach/authorization/device-visibility'
import type { Action } from '@longreach/authorization/permissions'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from './test-database.ts'
import { where } from './where.ts'

/** Organizations whose names are close to each other in the order of bytes. */
const places = [
  'a',
  'a-b',
  'a.b',
  'a.b-c',
  'a.b.c',
  'a.b.c.d',
  'a.b_c',
  'a.bc',
  'a.c',
  'a_b',
  'ab',
  'b',
]
const groupIds = [1, 2, 3]
const subsets = [[], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]]
const devices = places.flatMap((org) => subsets.map((groups) => ({ org, groups })))

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query(`
    create table place (id int primary key, resource_id text not null);
    create table device (id int primary key, place int not null, org text not null, groups int[] not null);
    create table device_group (device int not null, id int not null)`)
  for (const [index, org] of places.entries()) {
    await database.pool.query('insert into place values ($1, $2)', [index, org])
  }
  for (const [id, { org, groups }] of devices.entries()) {
    const values = [id, places.indexOf(org), org, groups]
    await database.pool.query('insert into device values ($1, $2, $3, $4)', values)
    for (const group of groups) {
      await database.pool.query('insert into device_group values ($1, $2)', [id, group])
    }
  }
})
afterAll(() => database.close())

const seenActions: Action[] = ['read', 'update', 'delete']
const anyAction = fc.constantFrom(...seenActions)
const anyMask = fc
  .subarray(seenActions)
  .map((some) => some.reduce((mask, action) => mask | bitOf(action), 0))
const anyGroups = fc.subarray(groupIds, { minLength: 1 })
const anyPath = fc
  .option(anyGroups)
  .map((groups) => ({ groups, mask: bitOf('read'), read: ['oven'], history: [], write: [] }))
const anyCapability: fc.Arbitrary<Capability> = fc
  .record({
    everywhere: fc.option(anyMask, { nil: 0 }),
    deviceGroups: fc.array(fc.record({ mask: anyMask, groups: anyGroups }), { maxLength: 2 }),
    policies: fc.option(anyGroups, { freq: 4, nil: undefined }),
    path: fc.option(anyPath, { freq: 4, nil: undefined }),
  })
  .map(({ everywhere, deviceGroups, policies, path }) => ({
    grants: everywhere === 0 ? {} : { devices: everywhere },
    deviceGroups,
    ...(policies && { policies }),
    ...(path && { paths: [path] }),
  }))
const anyCall = fc
  .record({
    org: fc.constantFrom(...places),
    below: fc.boolean(),
    subtree: fc.boolean(),
    closed: fc.subarray(places, { maxLength: 2 }),
    capability: anyCapability,
    capabilityBelow: fc.option(anyCapability, { nil: undefined }),
  })
  .map(({ org, subtree, closed, capabilityBelow, ...rest }) => {
    const call = { ...rest, organization: { resourceId: org }, subtree: subtree && rest.below }
    const below = closed.filter((one) => one.startsWith(`${org}.`))
    // A call that covers what is below has the rights that reach down.
    if (call.subtree) return { ...call, closed: below }
    return { ...call, closed: below, ...(capabilityBelow && { capabilityBelow }) }
  })

/** Columns as in a table of devices with everything, and as in tables beside it. */
const layouts: DeviceColumns[] = [
  { organization: 'device.org', groups: ['device.groups && ', '::int[]'] },
  {
    organization: 'p.resource_id',
    around: ['device.place in (select p.id from place p where ', ')'],
    groups: [
      'exists (select from device_group g where g.device = device.id and g.id = any(',
      '::int[]))',
    ],
  },
]

const found = async (condition: RawBuilder<boolean>) => {
  const { rows } = await sql<{ id: number }>`
    select id from device where ${condition} order by id`.execute(database.db)
  return rows.map(({ id }) => devices[id])
}

test('devices that a caller sees are the same in SQL and in memory [E-22]', async () => {
  const sizes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(anyCall, anyAction, async (call, action) => {
      const inCall = devices.filter((device) => canInCall(call, action, device))
      const inSight = devices.filter((device) => canInSight(call, action, device))
      sizes.add(inSight.length)
      for (const columns of layouts) {
        expect(await found(where(inCallSql(call, action, columns)))).toEqual(inCall)
        expect(await found(where(inSightSql(call, action, columns)))).toEqual(inSight)
      }
    }),
    { numRuns: 300 },
  )
  // Many kinds of answers were compared, not only empty and full ones.
  expect(sizes.size).toBeGreaterThan(10)
})
