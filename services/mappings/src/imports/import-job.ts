import { canDevice } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { jobKind } from '@longreach/kit/jobs'
import type { OrgCtx } from '@longreach/kit/service'
import { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { publishCreated } from '../devices/device-created.ts'
import { deviceOfLabel, labelTaken } from '../devices/device-labels.ts'
import { insertDevice, updateDevice } from '../devices/device-store.ts'
import { presetForDevice } from '../presets/preset-store.ts'
import { faultOfError } from './import-fault.ts'
import { toImportAsking, contextIn } from './import-plan.ts'
import type { Wanted } from './import-rules.ts'
import { makeActivationKey } from './import-keys.ts'
import { makeLines } from './import-making.ts'
import * as store from './import-store.ts'

const Input = z.object({ importId: z.int() })
type Item = { line: number; label: string }
/** Lines that are made together; where one of them cannot be, each is made alone. */
const atOnce = 200

/** Makes the devices of an import. A line that a stop interrupts makes no second device. */
export const importDevicesJob = jobKind<MappingsDeps, z.output<typeof Input>>({
  name: 'import-devices',
  input: Input,
  async run({ input: { importId }, eachBatch }, deps) {
    await eachBatch<Item>(() => store.waitingLines(deps.db, importId), {
      size: atOnce,
      labelOf: ({ line, label }) => `${line}: ${label}`,
      async run(items, ctx) {
        const lines = items.map(({ line }) => line)
        const [only = 0, ...more] = lines
        if (more.length === 0) await makeLine(deps, ctx, { id: importId, line: only })
        else await makeLines(deps, ctx, { id: importId, lines })
        return []
      },
    })
    return { importId }
  },
})

async function makeLine(deps: MappingsDeps, ctx: OrgCtx, which: store.LineId) {
  const found = await store.findLine(deps.db, which)
  if (!found) throw notAny('The import is older than seven days and was forgotten')
  if (found.outcome === 'MADE') return
  try {
    const making = { deviceId: found.device_id, wanted: found.wanted }
    const key = (await make(deps, ctx, making)) ? newKey(deps, ctx, which.id, making) : undefined
    await deps.db.transaction().execute(async (tx) => {
      await store.finishLine(tx, which, { outcome: 'MADE', ...(key && { key: key.sealed }) })
      if (key) await publish(tx, mappingsContract.events.activationKeyMade, key.event)
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const fault = faultOfError(error)
    await store.finishLine(deps.db, which, { outcome: 'FAILED', fault })
    throw error
  }
}

type Making = { deviceId: string; wanted: Wanted }

// oxlint-disable-next-line max-params -- whose key, and of which import
const newKey = (deps: MappingsDeps, ctx: OrgCtx, id: number, { deviceId, wanted }: Making) =>
  makeActivationKey(deps, id, {
    deviceId,
    orgResourceId: wanted.organization,
    by: ctx.caller.username,
    at: ctx.now,
  })

/** Make the device and put it into its groups; answers whether the caller may have its key. */
async function make(deps: MappingsDeps, ctx: OrgCtx, { deviceId, wanted }: Making) {
  const { label, organization, groups } = wanted
  const call = await contextIn(deps, ctx, organization)
  if (!call) {
    const message = `You may not make devices in ${organization} any more`
    throw new AppError(403, 'auth.missing_permission', { permission: 'devices:create', message })
  }
  await insertOnce(deps, call, { deviceId, wanted })
  const devices = [{ device: deviceId, label, orgResourceId: organization, groups }]
  const [placed] = await deps.clients.core.placeDevices({
    body: { ...toImportAsking(ctx), devices },
  })
  const there = placed?.groups ?? []
  await updateDevice(deps.db, deviceId, { groups: there })
  return canDevice(call.capability, 'update', there)
}

const insertOnce = ({ db }: MappingsDeps, { organization, now, caller }: OrgCtx, making: Making) =>
  db.transaction().execute(async (tx) => {
    const { deviceId: id, wanted } = making
    const { label, description, serialNumber, tags, presetId: preset_id, attributes } = wanted
    const { resourceId, realm } = organization
    const there = await deviceOfLabel(tx, resourceId, label)
    if (there?.id === id) return
    if (there) {
      const message = `There is a device "${label}" in this organization already`
      throw labelTaken({ message, label, deviceId: there.id })
    }
    const trashed = await tx
      .selectFrom('device')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (trashed) throw notAny('The device was made and deleted again meanwhile')
    if (preset_id !== null) await presetForDevice(tx, resourceId, preset_id)
    const texts = { label, description, serial_number: serialNumber, tags }
    const fresh = { id, organization: resourceId, realm, ...texts, preset_id, attributes }
    await insertDevice(tx, fresh, now)
    const event = { deviceId: id, label, orgResourceId: resourceId }
    await publishCreated(tx, { ...event, at: now, by: caller.username })
  })

const notAny = (message: string) => failure(mappingsContract, 'not_found', { message })

/** Deletes imports older than seven days, with their keys. */
export const cleanupImports = ({ db, now }: MappingsDeps) =>
  store.deleteImportsBefore(db, new Date(now().getTime() - store.shownForMs))
