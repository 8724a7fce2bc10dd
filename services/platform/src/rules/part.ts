import { on } from '@longreach/kit/events'
import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import { mappingsContract } from '@longreach/mappings/contract'
import { alarmsContract } from '@longreach/alarms/contract'
import { triggersContract } from '@longreach/triggers/contract'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { devicesContract } from '../devices/contract.ts'
import { formulas } from '../formulas/part.ts'
import { queries } from '../queries/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { timings } from '../timings/part.ts'
import { rulesContract } from './contract.ts'
import { createPolicyCompiler } from './device-policy.ts'
import { createRuleCompiler } from './device-rule.ts'
import { RuleEngine } from './rule-engine.ts'
import { handOverOf } from './rule-hand-over.ts'
import { readRules } from './rule-loading.ts'
import {
  dueDevices,
  forgetRulesOf,
  giveDevicesBack,
  leaveDevice,
  wakeDevice,
  wakeDevicesOf,
} from './rule-store.ts'
import { cleanupProgress, devicesToJudgeAgain } from './rule-progress.ts'
import { cleanupUnjudged } from './rule-unjudged.ts'
import { unjudgedHandlers } from './unjudged-handlers.ts'
import { triggerTrialHandlers } from './trigger-trial.ts'
import { trialHandlers } from './trial-handlers.ts'

/** Devices of processes that have ended, of which so many are taken over in a second. */
const sweptAtOnce = 200

export const rules = definePart<PlatformDeps>()({
  name: 'rules',
  contract: rulesContract,
  uses: [timings, telemetry, devices, queries, formulas],
  state: ({ db, now, log, clients, ownProcess, used }) => {
    const compiler = createRuleCompiler()
    const policies = createPolicyCompiler()
    const engine = new RuleEngine({
      db,
      now,
      log,
      compiler,
      policies,
      node: ownProcess.number,
      returnMs: 3 * used.timings.graceMs,
      mostLateValues: used.timings.mostLateValues,
      store: used.telemetry.open,
      read: ({ device }) =>
        readRules({ ...clients, compiler, policies, log }, device, now().getTime()),
    })
    used.devices.durableListeners.add((values, version) => engine.take(values, version))
    used.telemetry.handing.over = handOverOf(engine, { db, now })
    used.devices.readListeners.add((device) => {
      if (device.rules) engine.renew(device.rules)
    })
    const sweep = async () => {
      engine.renewDue(now().getTime())
      for (const id of await devicesToJudgeAgain(db, ownProcess.number)) {
        const of = engine.byId(id)
        // What is noted here is noted by this process itself.
        if (of?.loaded !== undefined && of.againSince === undefined) engine.takeOver(of.device)
      }
      for (const id of await dueDevices(db, sweptAtOnce)) {
        const device = await used.devices.directory.get(id)
        if (device) engine.takeOver(device)
        else await leaveDevice(db, id)
      }
    }
    return {
      engine,
      sweep,
      async close() {
        await engine.close()
        await giveDevicesBack(db, ownProcess.number, now())
      },
    }
  },
  handlers: ({ used, ...deps }) => ({
    ...trialHandlers({ ...used.devices, telemetry: used.telemetry.open }, deps),
    ...unjudgedHandlers(used.devices, deps),
    ...triggerTrialHandlers({ ...used.devices, telemetry: used.telemetry.open }, deps),
  }),
  consumers: () => [
    on(alarmsContract.events.rulesChanged, async ({ ruleId }, tx) => {
      await wakeDevicesOf(tx, ruleId)
    }),
    on(triggersContract.events.triggersChanged, async ({ triggerId }, tx) => {
      await wakeDevicesOf(tx, triggerId)
    }),
    on(devicesContract.events.deviceConnection, async ({ deviceId }, tx) => {
      await wakeDevice(tx, deviceId)
    }),
    on(mappingsContract.events.deviceLife, async ({ deviceId, state: life }, tx) => {
      if (life === 'purged') await forgetRulesOf(tx, deviceId)
    }),
  ],
  every: {
    second: ({ state }) => state.sweep(),
    hour: async ({ db, now }) => {
      await cleanupProgress(db, now())
      await cleanupUnjudged(db, now())
    },
  },
  // Values that a dead process has not judged are found when the store is opened.
  start: async ({ used }) => {
    await used.telemetry.open()
  },
  effects: ({ state: { engine } }) => [
    everywhere(devicesContract.events.deviceConnection, ({ deviceId, connected, at }) => {
      const of = engine.byId(deviceId)
      if (of) engine.takeConnection(of, connected, at)
    }),
    everywhere(alarmsContract.events.rulesChanged, (change) => engine.takeChange(change)),
    everywhere(triggersContract.events.triggersChanged, (change) => engine.takeTrigger(change)),
    everywhere(mappingsContract.events.deviceLife, ({ deviceId, state: life }) => {
      const of = engine.byId(deviceId)
      if (of && life !== 'restored') engine.drop(of)
    }),
  ],
})
