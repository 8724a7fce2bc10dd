import { alarmsContract } from '@longreach/alarms/contract'
import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import { type DemoRule, ovenRules, stationRules } from './demo-alarm-rules.ts'
import type { PlannedDevice } from './demo-plan.ts'
import { type Owner, ownerOf } from './demo-seed.ts'

type RulePlan = { organization: string; below: boolean; rules: readonly DemoRule[] }

/** Rules of alarms by organization and model; the builder's hold for the ovens of its customers too. */
const plans: readonly RulePlan[] = [
  { organization: 'nordwerk.sonnenkorn', below: false, rules: ovenRules('OvenLine:1') },
  { organization: 'acqua', below: false, rules: stationRules('PumpStation:1') },
]
const fleetPlan: RulePlan = {
  organization: 'nordwerk',
  below: true,
  rules: ovenRules('TunnelOven:1'),
}

/** Time before the demo began from which its rules judge the past, a little less than the platform judges late values. */
const judgedMs = 6.5 * 86_400_000

type Made = { devices: readonly PlannedDevice[]; began: number }

/**
 * Makes the rules of alarms of the demo through the API, as each organization's owner, and has them judge the
 * last days. Rules that are there already stay.
 */
export async function seedAlarms(
  server: Composed,
  people: readonly Owner[],
  { devices, began }: Made,
) {
  const hasFleet = devices.some(({ pathBelow }) => pathBelow === 'TunnelOven:1')
  for (const plan of hasFleet ? [...plans, fleetPlan] : plans) {
    const fetch = await server.fetchAsPerson(ownerOf(people, plan.organization))
    const query = { organization: plan.organization, dryRun: 'false' as const }
    const body = { rules: plan.rules.map((rule) => ({ below: plan.below, rule })) }
    await client(alarmsContract, fetch).importRules({ query, body })
  }
  await server.settle()
  for (const device of devices) await judgePast(server, people, device, began - judgedMs)
}

/** Inserts a value of the past anew, so that the rules judge everything from then on. */
async function judgePast(
  server: Composed,
  people: readonly Owner[],
  { organization: org, deviceId, pathBelow }: PlannedDevice,
  t: number,
) {
  if (pathBelow === undefined) return
  const platform = client(platformContract, await server.fetchAsPerson(ownerOf(people, org)))
  const path = pathBelow === 'PumpStation:1' ? 'pump1/fault' : 'doorOpen'
  const row: [number, boolean] = [t, false]
  const body = [{ deviceId, modelPath: `${pathBelow}/${path}`, data: [row] }]
  await platform.bulkInsertTags({ params: { org }, query: { alarms: 'true' }, body })
}
