import { alarmsContract } from '@longreach/alarms/contract'
import { onMany, publish } from '@longreach/kit/events'
import type { AnyService } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { GivenRule, RuleChanged } from './rules/alarm-types.ts'

type Asked = { params: { deviceId: string }; query: { orgResourceId: string; model?: string } }

const { alarmReported, commandWaiting, ruleChanged, rulesChanged } = alarmsContract.events
const { rulesForDevice, takeCommands } = alarmsContract.endpoints
const endpoints = { rulesForDevice, takeCommands }
type Command = z.output<typeof takeCommands.result>['commands'][number]
type Taking = {
  params: { deviceId: string }
  body: { certificate: string; connectedMs: number }
}

/** Alarms for tests: what it answers to the platform, and all that platform publishes. */
export function alarmRegister() {
  const rules = new Map<string, Saved>()
  const changed: RuleChanged[] = []
  const answers: {
    isAway: boolean
    waits?: PromiseWithResolvers<void> | undefined
    askAgainMs?: number | undefined
    takes?: PromiseWithResolvers<void> | undefined
  } = { isAway: false }
  const taken: Taking['body'][] = []
  const commands: Command[] = []
  const reported: z.output<typeof alarmReported.payload>[] = []
  const takeWaiting = async ({ params: { deviceId }, body }: Taking) => {
    taken.push(body)
    await answers.takes?.promise
    if (answers.isAway) throw new Error('alarms is away')
    const own = commands.filter(
      (one) => one.deviceId === deviceId && one.certificate === body.certificate,
    )
    for (const one of own) commands.splice(commands.indexOf(one), 1)
    const { askAgainMs } = answers
    return askAgainMs === undefined ? { commands: own } : { commands: own, askAgainMs }
  }
  const findRules = async ({ params: { deviceId }, query: { orgResourceId, model } }: Asked) => {
    await answers.waits?.promise
    if (answers.isAway) throw new Error('alarms is away')
    return { rules: rulesIn(rules.values(), { deviceId, orgResourceId, model }) }
  }
  const service: AnyService = {
    contract: { ...alarmsContract, endpoints },
    needs: {},
    migrations: new URL('testing-migrations/', import.meta.url),
    parts: [
      {
        name: 'alarms',
        contract: { endpoints },
        handlers: () => ({ rulesForDevice: findRules, takeCommands: takeWaiting }),
        consumers: () => [
          onMany(ruleChanged, async (values) => {
            changed.push(...values)
          }),
          onMany(alarmReported, async (values) => {
            reported.push(...values)
          }),
        ],
      },
    ],
  }
  return {
    service,
    /** All that platform has published of rules, and of devices, in order. */
    changed,
    reported,
    /** While it is away, neither rules nor commands are answered; while `waits` no rules, while `takes` no commands. */
    answers,
    /** Connections for which commands were asked for. */
    taken,
    /** Saves a rule, as alarms does it; answers its id. */
    async save(
      db: Kysely<unknown>,
      org: string,
      rule: Record<string, unknown>,
      { id = crypto.randomUUID(), overrides }: { id?: string; overrides?: Overrides } = {},
    ) {
      const version = (rules.get(id)?.version ?? 0) + 1
      const saved = { id, orgResourceId: org, version, rule, override: null }
      rules.set(id, { ...saved, ...(overrides && { overrides }) })
      await tell(db, saved, false)
      return id
    },
    /** Has a command wait for a device. */
    async command(db: Kysely<unknown>, command: Command) {
      commands.push(command)
      const { deviceId } = command
      await db.transaction().execute((tx) => publish(tx, commandWaiting, { deviceId }))
    },
    async remove(db: Kysely<unknown>, id: string) {
      const rule = rules.get(id)
      if (!rule) throw new Error(`no rule ${id}`)
      rules.delete(id)
      await tell(db, rule, true)
    },
  }
}

function tell(db: Kysely<unknown>, { id, orgResourceId, rule }: GivenRule, isDeleted: boolean) {
  const { model, deviceId } = rule['scope'] as { model?: string; deviceId?: string } // as save was given it
  return db.transaction().execute((tx) =>
    publish(tx, rulesChanged, {
      ruleId: id,
      orgResourceId,
      below: false,
      models: model === undefined ? [] : [model],
      deviceIds: deviceId === undefined ? [] : [deviceId],
      isDeleted,
    }),
  )
}
type Saved = GivenRule & { below?: boolean; overrides?: Overrides }

/** Rules of the organization of a device, and of those above that reach down. */
function rulesIn(
  rules: Iterable<Saved>,
  {
    deviceId,
    orgResourceId,
    model,
  }: { deviceId: string; orgResourceId: string; model?: string | undefined },
) {
  const found = [...rules].filter(({ rule, orgResourceId: org, below }) => {
    const isInside =
      org === orgResourceId || (below === true && orgResourceId.startsWith(`${org}.`))
    const scope = rule['scope'] as { model?: string; deviceId?: string } // as save was given it
    const isNamed = scope.deviceId === deviceId || (model !== undefined && scope.model === model)
    return isInside && isNamed
  })
  return found.map(({ overrides, ...one }) => ({ ...one, override: overrides?.[deviceId] ?? null }))
}

type Overrides = Record<string, NonNullable<GivenRule['override']>>
