import { bitOf, type Capability, everyAction } from '@longreach/authorization/capability'
import { coreContract } from '@longreach/core/contract'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { Admission, Caller } from '@longreach/kit/service'
import { person, serviceOf, testServer } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import { Rule } from '@longreach/rules/rule'
import { type Kysely, sql } from 'kysely'
import { randomBytes, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { alarmsContract } from './contract.ts'
import type { AlarmsDb } from './database.ts'
import { type AlarmReport, occurrencesContract, type RuleChanged } from './occurrences/contract.ts'
import { alarms } from './service.ts'

type Device = { label: string; realm: string; orgResourceId: string; groups: number[] }

/** Devices for tests: what mappings answers, and its events. */
function deviceRegister() {
  const devices = new Map<string, Device>()
  const state = { isBroken: false }
  const { deviceForPlatform, modelsOfName } = mappingsContract.endpoints
  const service = serviceOf<object>()({
    contract: { ...mappingsContract, endpoints: { deviceForPlatform, modelsOfName } },
    migrations: new URL('testing-migrations/', import.meta.url),
    handlers: () => ({
      deviceForPlatform: async ({ params: { deviceId } }) => {
        if (state.isBroken) throw new Error('mappings is broken')
        const device = devices.get(deviceId)
        if (!device) throw failure(mappingsContract, 'not_found', { deviceId })
        return { deviceId, facts: [], configuration: null, ...device }
      },
      modelsOfName: async () => ({ models: [] }),
    }),
  })
  return { devices, state, service }
}

/** Core for tests: the members of organizations, whose rights are given. */
const memberRegister = (members: (org: string) => string[]) =>
  serviceOf<object>()({
    contract: { ...coreContract, endpoints: { recipients: coreContract.endpoints.recipients } },
    migrations: new URL('testing-migrations/', import.meta.url),
    handlers: () => ({
      recipients: async ({ body: { organization: resourceId, people } }) => ({
        organization: { resourceId, label: resourceId, realm: 'exor', closed: [] },
        groups: [],
        people: members(resourceId)
          .filter((sub) => people.some((name) => name === sub || name === `${sub}@exor`))
          .map((sub) => ({
            sub,
            realm: 'exor',
            username: sub,
            name: sub,
            email: '',
            language: null,
            foundBy: [],
          })),
      }),
    }),
  })

type Right = { capability: Capability; below: boolean }
const all: Capability = {
  grants: { alarms: everyAction, devices: bitOf('read') },
  deviceGroups: [],
}

const newDeviceId = () => randomBytes(16).toString('base64url')

/** The service beside a register of devices, with people whose rights a test can change. */
export async function testAlarms(now: () => Date = () => new Date()) {
  const register = deviceRegister()
  const rights: Record<string, Record<string, Right>> = {}
  const admitted = (caller: Caller, org: string | undefined): Admission | undefined => {
    const right = org === undefined ? undefined : rights[caller.sub]?.[org]
    if (!right || org === undefined) return undefined
    const facts = { id: 1, name: org, label: org, realm: 'exor', resourceId: org }
    return { ...right, organization: { ...facts, dataEnabled: true, vpnEnabled: false } }
  }
  const members = (org: string) =>
    Object.entries(rights).flatMap(([sub, own]) => (own[org] ? [sub] : []))
  const server = await testServer([register.service, memberRegister(members), alarms], {
    admit: () => async (caller, org) => admitted(caller, org),
    now,
  })
  const { db } = server.database
  const tell = async <T extends z.ZodType>(
    event: { topic: `${string}.${string}`; payload: T },
    values: readonly z.input<T>[],
  ) => {
    await db.transaction().execute((tx) => publishAll(tx, event, values))
    await server.settle()
  }
  return {
    ...server,
    register,
    /** Tables of the service. */
    tables: db.withSchema('alarms') as Kysely<AlarmsDb>, // it has migrated them
    /** Takes a person's rights in an organization away. */
    removeMember(sub: string, org: string) {
      delete rights[sub]?.[org]
    },
    /** Client of a person with these rights in an organization; all of alarms, by default. */
    member(sub: string, org: string, { capability = all, below = false }: Partial<Right> = {}) {
      rights[sub] = { ...rights[sub], [org]: { capability, below } }
      return server.as(person(sub, 'exor', org), alarmsContract)
    },
    addDevice(org: string, more: Partial<Device> = {}) {
      const id = newDeviceId()
      register.devices.set(id, {
        label: 'Oven 7',
        realm: 'exor',
        orgResourceId: org,
        groups: [],
        ...more,
      })
      return id
    },
    tell,
    report: (...reports: z.input<typeof AlarmReport>[]) =>
      tell(occurrencesContract.events.alarmReported, reports),
    ruleChanged: (...events: z.input<typeof RuleChanged>[]) =>
      tell(occurrencesContract.events.ruleChanged, events),
    /** Stores a rule as it is after its creation. */
    async addRule(org: string, given: Record<string, unknown> = {}) {
      const rule = Rule.parse({
        name: 'Oven too hot',
        scope: { model: 'Oven:1' },
        kind: 'condition',
        when: { path: 'Oven:1/temp', op: '>', value: 230 },
        levels: [{ severity: 3 }],
        ...given,
      })
      const id = randomUUID()
      const json = JSON.stringify(rule)
      await sql`insert into alarms.rule values (${id}, ${org}, 1, false, ${`${rule.name} ${id}`}, 'Oven:1', null,
        true, ${json}::jsonb, now(), now(), 'ann', null)`.execute(db)
      await sql`insert into alarms.rule_version values (${id}, 1, false, ${json}::jsonb, now(), 'ann')`.execute(
        db,
      )
      return id
    },
  }
}
export type TestAlarms = Awaited<ReturnType<typeof testAlarms>>
