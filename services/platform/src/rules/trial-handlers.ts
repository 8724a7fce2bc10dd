import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { failure } from '@longreach/kit/errors'
import type { Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import { platformContract } from '../contract.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { Device, DeviceRule } from '../devices/device.ts'
import type { Directory } from '../devices/device-directory.ts'
import { valueAccess } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import type { rulesContract } from './contract.ts'
import { modelFacts } from './device-inputs.ts'
import { createRuleCompiler } from './device-rule.ts'
import { zoneOf } from './rule-loading.ts'
import { type Attempt, TrialBudget, tryRuleOn } from './rule-attempt.ts'
import { differenceOf, trialFigures } from './rule-trial.ts'
import { connectionsIn } from './rule-store.ts'

/** Values and time that one trial may cost. */
export const mostOfTrial = { values: 5_000_000, ms: 20_000 }

export type KnownForTrial = { directory: Directory; telemetry: OpenTelemetry }
type Trial = {
  range: { from: number; to: number }
  budget: TrialBudget
  saved: ReadonlyMap<string, DeviceRule>
}

/** Trials of rules on the past. */
export function trialHandlers(
  { directory, telemetry }: KnownForTrial,
  { db, clients }: PlatformDeps,
): Pick<Handlers<typeof rulesContract>, 'tryRule'> {
  const compiler = createRuleCompiler()

  /** Rules that are saved and judge a device, by id. */
  const savedFor = async (device: Device, zone: string | undefined) => {
    const { rules } = await clients.alarms.rulesForDevice({
      params: { deviceId: device.id },
      query: { orgResourceId: device.org, ...modelFacts(device) },
    })
    return new Map(rules.map((one) => [one.id, compiler.deviceRule(one, zone)]))
  }
  const tryOn = async (
    ctx: OrgCtx,
    device: Device,
    { range, budget, saved }: Pick<Trial, 'range' | 'budget' | 'saved'>,
  ) => {
    const tried = {
      telemetry: await telemetry(),
      device,
      mayRead: valueAccess(ctx, device).past,
      connections: await connectionsIn(db, device, range),
      range,
      budget,
      signal: ctx.signal,
      saved,
    }
    return (rule: DeviceRule): Promise<Attempt[]> => tryRuleOn(tried, rule)
  }

  return {
    tryRule: async ({ body: { rule: raw, ruleId, devices: ids, from, to } }, ctx) => {
      if (!(from < to)) {
        const message = 'from has to be before to, both in ms since 1970'
        throw failure(platformContract, 'bad_query', { message, field: 'from' })
      }
      const devices = await Promise.all(
        [...new Set(ids)].map((id) => deviceFor(directory, ctx, id)),
      )
      const rule = checkedRule(raw)
      const given = { id: ruleId ?? '', version: 0, rule, override: null }
      const budget = new TrialBudget(mostOfTrial)
      return withStorageErrors(async () => {
        const answers = []
        for (const device of devices) {
          const zone = await zoneOf(clients.mappings, device.id)
          const saved = await savedFor(device, zone)
          const run = await tryOn(ctx, device, { range: { from, to }, budget, saved })
          const attempts = await run(compiler.deviceRule(given, zone))
          const own = ruleId === undefined ? undefined : saved.get(ruleId)
          const before = own && (await run(own))
          answers.push({
            deviceId: device.id,
            ...trialFigures(attempts, { from, to }),
            difference: before ? differenceOf(before, attempts) : null,
          })
        }
        return { devices: answers, complete: !budget.isOver, values: budget.values }
      })
    },
  }
}

/** Rule that was posted, complete; refused with its faults. */
function checkedRule(raw: unknown): Rule {
  const validated = validateRule(raw)
  if (validated.ok) return validated.rule
  throw failure(platformContract, 'rule_invalid', {
    message: 'the rule has faults; each names its place',
    issues: validated.issues,
  })
}
