import { pulseOrganization } from '@longreach/alarms/pulse-contract'
import { everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { createIngest, defaultWindow } from '../values/ingest.ts'
import { createPulse } from './beating.ts'

const minute = 60_000
const day = 86_400_000
const begun = Date.now()
let at = begun
let platform: TestPlatform
let store: TelemetryStore
beforeAll(async () => {
  // Its own pulse stands at the minute in which the test begins.
  platform = await testPlatform({}, () => new Date(begun))
  store = await openTelemetry({ pool: platform.database.pool })
})
afterAll(async () => {
  await store.close()
  await platform.close()
})

/** Pulse of a process that leads or not. */
function processWith(state: { leads: boolean; judges: boolean }) {
  const now = () => new Date(at)
  const ingest = createIngest({ store: async () => store, now, window: defaultWindow })
  return createPulse({
    db: platform.database.db.withSchema('platform'),
    now,
    leads: async () => state.leads,
    ingest,
    engine: {
      came() {
        state.judges = true
        return () => {
          state.judges = false
        }
      },
      drop: () => undefined,
    },
    store: async () => store,
  })
}
/** Times of the values of the pulse from the first minute after the beginning. */
async function valueTimes() {
  const [series] = await store.listSeries(0, 10, { org: pulseOrganization, below: false })
  const times: number[] = []
  const range = { since: begun + minute, to: at + day }
  for await (const page of store.read(series?.id ?? 0, range)) times.push(...page.map(({ t }) => t))
  return times
}

test('one process beats once a minute, also when another one takes over in it', async () => {
  const [one, other] = [
    { leads: true, judges: false },
    { leads: false, judges: false },
  ]
  const [first, second] = [processWith(one), processWith(other)]
  at += minute
  await Promise.all([first.beat(), second.beat()])
  await Promise.all([first.beat(), second.beat()])
  expect(await valueTimes()).toEqual([at, at + 1])
  expect([one.judges, other.judges]).toEqual([true, false])
  one.leads = false
  other.leads = true
  // A process that was started within the minute.
  await processWith({ leads: true, judges: false }).beat()
  expect(await valueTimes()).toEqual([at, at + 1])
  at += minute
  await Promise.all([first.beat(), second.beat()])
  expect(await valueTimes()).toEqual([at - minute, at - minute + 1, at, at + 1])
  expect([one.judges, other.judges]).toEqual([false, true])
})

test('values of the pulse go after a day', async () => {
  const pulse = processWith({ leads: true, judges: false })
  const old = await valueTimes()
  at += day + 2 * minute
  await pulse.beat()
  await store.sealNow()
  expect(await valueTimes()).toEqual([...old, at, at + 1])
  await pulse.cleanup()
  expect(await valueTimes()).toEqual([at, at + 1])
})

test('the stations of platform are shown at the root, to those who may read notifications', async () => {
  const as = (org: string, grants: Partial<Record<'notifications' | 'devices', number>>) => {
    platform.rights['anna'] = { [org]: { capability: { grants, deviceGroups: [] }, below: true } }
    const asked = platform.as(person('anna', 'exor', org), platformContract)
    return asked.pulseValue({ params: { org } })
  }
  const t = { t: expect.any(Number), at: expect.any(Number) }
  expect(await as('exor', { notifications: everyAction })).toEqual({ value: t, rule: null })
  await expect(as('exor.press', { notifications: everyAction })).rejects.toMatchObject({
    status: 404,
    code: 'platform.not_found',
  })
  await expect(as('exor', { devices: everyAction })).rejects.toMatchObject({ status: 403 })
})
