import { alarmsContract } from '@longreach/alarms/contract'
import { onMany, publish } from '@longreach/kit/events'
import type { AnyService } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { GivenRule, RuleChanged } from './rules/alarm-types.ts'

type Asked = { params: { deviceId: string }; query: { orgResourceId: string; model?: string } }

/** Rules of alarms for tests: what alarms answers to the platform, and all that platform publishes. */
export function alarmRegister() {
  const rules = new Map<string, GivenRule & { below?: boolean; overrides?: Overrides }>()
  const changed: RuleChanged[] = []
  const answers: { isAway: boolean; waits?: PromiseWithResolvers<void> | undefined } = {
    isAway: false,
  }
  const rulesForDevice = async ({
    params: { deviceId },
    query: { orgResourceId, model },
  }: Asked) => {
    await answers.waits?.promise
    if (answers.isAway) throw new Error('alarms is away')
    const found = [...rules.values()].filter(({ rule, orgResourceId: org, below }) => {
      const isInside =
        org === orgResourceId || (below === true && orgResourceId.startsWith(`${org}.`))
      const scope = rule['scope'] as { model?: string; deviceId?: string } // as rulesOf made it
      return (
        isInside && (scope.deviceId === deviceId || (model !== undefined && scope.model === model))
      )
    })
    return {
      rules: found.map(({ overrides, ...one }) => ({
        ...one,
        override: overrides?.[deviceId] ?? null,
      })),
    }
  }
  const endpoints = { rulesForDevice: alarmsContract.endpoints.rulesForDevice }
  const service: AnyService = {
    contract: { ...alarmsContract, endpoints },
    needs: {},
    migrations: new URL('testing-migrations/', import.meta.url),
    parts: [
      {
        name: 'alarms',
        contract: { endpoints },
        handlers: () => ({ rulesForDevice }),
        consumers: () => [
          onMany(alarmsContract.events.ruleChanged, async (values) => {
            changed.push(...values)
          }),
        ],
      },
    ],
  }
  return {
    service,
    /** All that platform has published, in order. */
    changed,
    /** While it is away or waits, no rules are answered. */
    answers,
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
    publish(tx, alarmsContract.events.rulesChanged, {
      ruleId: id,
      orgResourceId,
      below: false,
      models: model === undefined ? [] : [model],
      deviceIds: deviceId === undefined ? [] : [deviceId],
      isDeleted,
    }),
  )
}
type Overrides = Record<string, NonNullable<GivenRule['override']>>
