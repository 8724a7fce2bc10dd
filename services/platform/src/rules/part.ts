import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import { mappingsContract } from '@longreach/mappings/contract'
import { alarmsContract } from '@longreach/alarms/contract'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { devicesContract } from '../devices/contract.ts'
import { telemetry } from '../telemetry/part.ts'
import { createRuleCompiler } from './device-rule.ts'
import { RuleEngine } from './rule-engine.ts'
import { readRules } from './rule-loading.ts'

export const rules = definePart<PlatformDeps>()({
  name: 'rules',
  uses: [telemetry, devices],
  state: ({ db, now, log, clients, ownProcess, used }) => {
    const compiler = createRuleCompiler()
    const engine = new RuleEngine({
      db,
      now,
      log,
      compiler,
      node: ownProcess.number,
      store: used.telemetry.open,
      read: ({ device }) => readRules({ ...clients, compiler, log }, device, now().getTime()),
    })
    used.devices.durableListeners.add((values) => engine.take(values))
    used.devices.readListeners.add((device) => {
      if (device.rules) engine.renew(device.rules)
    })
    return { engine, close: () => engine.close() }
  },
  effects: ({ state: { engine } }) => [
    everywhere(devicesContract.events.deviceConnection, ({ deviceId, connected, at }) => {
      const of = engine.byId(deviceId)
      if (of) engine.takeConnection(of, connected, at)
    }),
    everywhere(alarmsContract.events.rulesChanged, (change) => engine.takeChange(change)),
    everywhere(mappingsContract.events.deviceLife, ({ deviceId, state: life }) => {
      const of = engine.byId(deviceId)
      if (of && life !== 'restored') engine.drop(of)
    }),
  ],
})
