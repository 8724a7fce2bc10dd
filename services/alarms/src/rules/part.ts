import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { rulesContract, Override } from './contract.ts'
import { overrideHandlers } from './override-handlers.ts'
import { ruleHandlers } from './rule-handlers.ts'
import { settleModels } from './rule-models.ts'
import { chainOf } from './rule-sight.ts'
import { purgeRules, rulesForDevice } from './rule-store.ts'
import { ruleTransfer } from './rule-transfer.ts'

export const rules = definePart<AlarmsDeps>()({
  name: 'rules',
  contract: rulesContract,
  handlers: (deps) => ({
    ...ruleHandlers(deps),
    ...overrideHandlers(deps),
    ...ruleTransfer(deps),
    rulesForDevice: async ({ params: { deviceId }, query: { orgResourceId, ...model } }) => {
      const chain = chainOf(orgResourceId)
      if (model.model !== undefined) await settleModels(deps, { chain, model: model.model })
      const rows = await rulesForDevice(deps.db, { chain, deviceId, ...model })
      return {
        rules: rows.map(({ id, org, version, rule, settings }) => ({
          id,
          orgResourceId: org,
          version,
          rule: { ...rule },
          override: settings ? Override.parse(settings) : null,
        })),
      }
    },
  }),
  every: { minute: (deps) => settleModels(deps) },
  consumers: () => [
    on(coreContract.events.organizationPurged, async ({ organizations }, tx) => {
      await purgeRules(
        tx,
        organizations.map(({ resourceId }) => resourceId),
      )
    }),
  ],
})
