import { alarmsContract } from '@longreach/alarms/contract'
import { on, publish } from '@longreach/kit/events'
import { serviceOf } from '@longreach/kit/testing'
import type { Kysely } from 'kysely'
import type { z } from 'zod'

const { takeCommands, rulesForDevice } = alarmsContract.endpoints
const { alarmReported, ruleChanged, commandWaiting, rulesChanged } = alarmsContract.events
type Command = z.output<typeof takeCommands.result>['commands'][number]
type Rule = z.output<typeof rulesForDevice.result>['rules'][number]

/** Service of alarms for tests: what it answers to the platform, and what the platform tells it. */
export function alarmRegister() {
  const commands: Command[] = []
  const rules: Rule[] = []
  const reported: z.output<typeof alarmReported.payload>[] = []
  const changed: z.output<typeof ruleChanged.payload>[] = []
  const service = serviceOf<object>()({
    contract: { ...alarmsContract, endpoints: { takeCommands, rulesForDevice } },
    migrations: new URL('testing-migrations/', import.meta.url),
    consumers: () => [
      on(alarmReported, async (report) => void reported.push(report)),
      on(ruleChanged, async (change) => void changed.push(change)),
    ],
    handlers: () => ({
      takeCommands: async ({ params: { deviceId }, body: { certificate } }) => {
        const taken = commands.filter(
          (one) => one.deviceId === deviceId && one.certificate === certificate,
        )
        for (const one of taken) commands.splice(commands.indexOf(one), 1)
        return { commands: taken }
      },
      rulesForDevice: async ({ params: { deviceId }, query: { orgResourceId, model } }) => ({
        rules: rules.filter(({ orgResourceId: org, rule: { scope } }) => {
          const isHere = org === orgResourceId || orgResourceId.startsWith(`${org}.`)
          const of = scope as { model?: string; deviceId?: string } // as rules are written
          return (
            isHere && (of.deviceId === deviceId || (of.model !== undefined && of.model === model))
          )
        }),
      }),
    }),
  })
  return {
    service,
    /** Rules as they are now; `tellRules` says that they changed. */
    rules,
    /** Reports of devices and changes of rules that the platform has published, in order. */
    reported,
    changed,
    async command(db: Kysely<unknown>, command: Command) {
      commands.push(command)
      const { deviceId } = command
      await db.transaction().execute((tx) => publish(tx, commandWaiting, { deviceId }))
    },
    tellRules: (db: Kysely<unknown>, change: z.input<typeof rulesChanged.payload>) =>
      db.transaction().execute((tx) => publish(tx, rulesChanged, change)),
  }
}
