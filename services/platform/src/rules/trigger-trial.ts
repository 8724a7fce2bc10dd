import { isWithin, reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Policy, readPolicy } from '@longreach/rules/policy'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { Device } from '../devices/device.ts'
import { valueAccess } from '../devices/path-access.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import type { rulesContract } from './contract.ts'
import { inputSources } from './device-inputs.ts'
import { createPolicyCompiler, TooManyPaths } from './device-policy.ts'
import { type Attempt, TrialBudget, tryRuleOn } from './rule-attempt.ts'
import { connectionsIn } from './rule-store.ts'
import { beginningsOf, trialFigures } from './rule-trial.ts'
import { conditionsOf, type TracedPart } from './trigger-conditions.ts'
import { type KnownForTrial, mostOfTrial } from './trial-handlers.ts'

/** Firings that an answer lists for each device. */
const mostListed = 1_000

type Tried = { policy: Policy; actions: readonly object[] }
type Range = { devices: readonly string[]; from: number; to: number }

/** Trials of triggers on the past, by the code that judges them later. */
export function triggerTrialHandlers(
  { directory, telemetry }: KnownForTrial,
  { db, clients }: PlatformDeps,
): Pick<Handlers<typeof rulesContract>, 'tryTrigger' | 'tryTriggerData'> {
  const tryOn = async (ctx: OrgCtx, device: Device, tried: Tried, { range, budget }: Trying) => {
    const compiler = createPolicyCompiler()
    const given = { id: '', orgResourceId: '', version: 0, updatedAt: 0, deviceGroups: [] }
    const paths = [...inputSources(device).keys()]
    const parts = partsToTry(() => compiler.deviceRules({ ...given, policy: tried.policy }, paths))
    const common = {
      telemetry: await telemetry(),
      device,
      mayRead: valueAccess(ctx, device).past,
      connections: await connectionsIn(db, device, range),
      // No rule of alarms suppresses a trigger.
      saved: new Map(),
      isTraced: true,
      range,
      budget,
      signal: ctx.signal,
    }
    const attempts: Attempt[] = []
    const traces: TracedPart[] = []
    for (const part of parts) {
      if (budget.isOver) break
      const found = await tryRuleOn(common, part)
      attempts.push(...found)
      traces.push(...found.map((attempt) => ({ part, attempt })))
    }
    const figures = trialAnswer(device, attempts, { actions: tried.actions, range })
    return { ...figures, ...conditionsOf(traces) }
  }
  const answer = async (ctx: OrgCtx, tried: Tried, { devices: ids, from, to }: Range) => {
    if (!(from < to)) {
      const message = 'from has to be before to, both in ms since 1970'
      throw failure(platformContract, 'bad_query', { message, field: 'from' })
    }
    const devices = await Promise.all([...new Set(ids)].map((id) => deviceFor(directory, ctx, id)))
    const budget = new TrialBudget(mostOfTrial)
    return withStorageErrors(async () => {
      const answers = []
      for (const device of devices) {
        answers.push(await tryOn(ctx, device, tried, { range: { from, to }, budget }))
      }
      return { devices: answers, complete: !budget.isOver, values: budget.values }
    })
  }

  return {
    tryTrigger: async ({ params: { id }, body }, ctx) => {
      const found = await clients.triggers.triggerForTrial({ params: { id } })
      if (!isWithin(reachOf(ctx), found.orgResourceId)) {
        throw failure(platformContract, 'not_found', { message: `There is no trigger ${id} here` })
      }
      return answer(ctx, { policy: checkedPolicy(found.policy), actions: found.actions }, body)
    },

    tryTriggerData: async ({ body: { triggerData, ...body } }, ctx) => {
      const actions = [...triggerData.actions, ...triggerData.longreach.actions]
      return answer(ctx, { policy: checkedPolicy(triggerData.policy), actions }, body)
    },
  }
}

type Trying = { range: { from: number; to: number }; budget: TrialBudget }

/** Policy that was posted, complete; refused with its faults. */
function checkedPolicy(raw: unknown): Policy {
  const read = readPolicy(raw)
  if (read.ok) return read.policy
  throw failure(platformContract, 'policy_invalid', {
    message: 'the policy has faults; each names its place',
    issues: read.issues,
  })
}

/** Parts of a policy on a device; one that looks at too many paths at once is refused. */
function partsToTry<T>(compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof TooManyPaths)) throw error
    const message = 'the policy looks at too many paths of the device at once; narrow its patterns'
    throw failure(platformContract, 'policy_invalid', { message, issues: [] })
  }
}

type Figured = { actions: readonly object[]; range: { from: number; to: number } }

function trialAnswer(device: Device, attempts: readonly Attempt[], { actions, range }: Figured) {
  const firings = beginningsOf(attempts).filter(({ t }) => t >= range.from)
  const { mostInTenMinutes, nearestMisses, missing } = trialFigures(attempts, range)
  const runs = actions.map((action, place) => [
    'uuid' in action && typeof action.uuid === 'string' ? action.uuid : String(place),
    runsWithThrottle(action, firings),
  ])
  return {
    deviceId: device.id,
    firings: firings.slice(0, mostListed),
    count: firings.length,
    runs: Object.fromEntries(runs) as Record<string, number>,
    mostInTenMinutes,
    nearestMisses,
    missing,
  }
}

/** Firings after which an action would have run, with its throttling. */
function runsWithThrottle(action: object, firings: readonly { t: number }[]) {
  if ('disabled' in action && action.disabled === true) return 0
  const given = 'throttlingIntervalInMSec' in action ? action.throttlingIntervalInMSec : 0
  const interval = typeof given === 'number' && given > 0 ? given : 0
  let count = 0
  let until = -Infinity
  for (const { t } of firings) {
    if (t < until) continue
    count += 1
    until = t + interval
  }
  return count
}
