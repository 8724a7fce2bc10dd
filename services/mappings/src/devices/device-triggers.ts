import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import { sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { checkAttributeLimit, readAttribute } from './attribute-values.ts'
import { setAttributes } from './device-store.ts'
import type { triggerEndpoints } from './trigger-contract.ts'

/** Changes of devices that triggers make. */
export const deviceTriggers = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, keyof typeof triggerEndpoints> => ({
  setTriggerAttribute: async ({ params: { deviceId }, body }, ctx) => {
    const { organization, key, value } = body
    const values = readAttribute({ key, value })
    await db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('device')
        .select(['id', 'label', 'attributes'])
        .where('id', '=', deviceId)
        .where('organization', '=', organization)
        .where(sql<boolean>`deleted_at is null`)
        .forUpdate()
        .executeTakeFirst()
      if (!before) {
        const message = `There is no device ${deviceId} in ${organization}.`
        throw failure(mappingsContract, 'not_found', { message, deviceId })
      }
      checkAttributeLimit(before.attributes, values)
      await setAttributes(tx, deviceId, { values, now: ctx.now })
      const event = { deviceId, configurationChanged: false, label: before.label }
      await publish(tx, mappingsContract.events.deviceChanged, event)
      await recordChange(tx, ctx, {
        resource: 'devices',
        action: 'update',
        id: deviceId,
        label: before.label,
        organization,
        before: { [key]: before.attributes[key] ?? null },
        after: { [key]: value },
      })
    })
  },
})
