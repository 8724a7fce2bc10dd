import { alarmsContract } from '@longreach/alarms/contract'
import { client } from '@longreach/kit/client'
import type { Composed } from './compose.ts'
import { type DemoRule, ovenRules, stationRules } from './demo-alarm-rules.ts'
import { ownerOf, type SeededPerson } from './demo-seed.ts'

/** Rules of alarms by organization and model; the builder's hold for the ovens of its customers too. */
const plans = [
  { organization: 'nordwerk.sonnenkorn', below: false, rules: ovenRules('OvenLine:1') },
  { organization: 'acqua', below: false, rules: stationRules('PumpStation:1') },
]
const fleetPlan = { organization: 'nordwerk', below: true, rules: ovenRules('TunnelOven:1') }

/** Makes the rules of alarms of the demo through the API, as each organization's owner. */
export async function seedAlarmRules(
  server: Composed,
  people: readonly SeededPerson[],
  { hasFleet }: { hasFleet: boolean },
) {
  const make = async ({ organization, below, rules }: (typeof plans)[number]) => {
    const owner = ownerOf(people, organization)
    const alarms = client(alarmsContract, await server.fetchAsPerson(owner))
    const body = { rules: rules.map((rule: DemoRule) => ({ below, rule })) }
    await alarms.importRules({ query: { organization, dryRun: 'false' }, body })
  }
  for (const plan of hasFleet ? [...plans, fleetPlan] : plans) await make(plan)
}
