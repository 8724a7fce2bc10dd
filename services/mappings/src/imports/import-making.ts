import { canDevice } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { labelTaken, lockLabels } from '../devices/device-labels.ts'
import { lockDevices, insertDevices } from '../devices/device-store.ts'
import { presetForDevice } from '../presets/preset-store.ts'
import { makeActivationKey } from './import-keys.ts'
import { toImportAsking, contextIn } from './import-plan.ts'
import * as store from './import-store.ts'
import { recordMoments } from '../devices/record-moment.ts'

type Line = Awaited<ReturnType<typeof store.findWaiting>>[number]

/**
 * Make many lines in few statements: devices, groups, keys. Throws if one of them cannot be made;
 * the caller then makes them one by one, and lines that were made before the error are found again.
 */
export async function makeLines(
  deps: MappingsDeps,
  ctx: OrgCtx,
  which: { id: number; lines: readonly number[] },
) {
  const lines = await store.findWaiting(deps.db, which)
  const calls = new Map<string, OrgCtx>()
  for (const organization of new Set(lines.map(({ wanted }) => wanted.organization))) {
    calls.set(organization, await requireContextIn(deps, ctx, organization))
  }
  await deps.db.transaction().execute(async (tx) => {
    for (const [organization, some] of Map.groupBy(lines, ({ wanted }) => wanted.organization)) {
      const call = calls.get(organization)
      if (call) await insertFresh(tx, call, some)
    }
  })
  const groups = await placed(deps, ctx, lines)
  const open = lines.filter(({ device_id: id, wanted: { organization } }) => {
    const capability = calls.get(organization)?.capability
    return capability && canDevice(capability, 'update', groups.get(id) ?? [])
  })
  const { now: at, caller } = ctx
  const keys = new Map(
    open.map(({ line, device_id: deviceId, wanted }) => {
      const made = { deviceId, orgResourceId: wanted.organization, by: caller.username, at }
      return [line, makeActivationKey(deps, which.id, made)]
    }),
  )
  const made = lines.map(({ line }) => ({ line, key: keys.get(line)?.sealed }))
  await deps.db.transaction().execute(async (tx) => {
    await store.finishMadeLines(tx, which.id, made)
    const events = [...keys.values()].map(({ event }) => event)
    await publishAll(tx, mappingsContract.events.activationKeyMade, events)
  })
}

async function requireContextIn(deps: MappingsDeps, ctx: OrgCtx, organization: string) {
  const call = await contextIn(deps, ctx, organization)
  if (call) return call
  const message = `You may not make devices in ${organization} any more`
  throw new AppError(403, 'auth.missing_permission', { permission: 'devices:create', message })
}

/** Insert those that are not there yet. */
async function insertFresh(tx: Kysely<MappingsDb>, call: OrgCtx, lines: readonly Line[]) {
  const { resourceId: organization, realm } = call.organization
  const labels = lines.map(({ wanted }) => wanted.label)
  await lockLabels(tx, organization, labels)
  const there = await tx
    .selectFrom('device')
    .select(['id', 'label', 'deleted_at'])
    .where('organization', '=', organization)
    .where(
      sql<boolean>`(id = any(${lines.map((line) => line.device_id)}::text[])
        or (label = any(${labels}::text[]) and deleted_at is null))`,
    )
    .execute()
  const own = new Set(lines.map((line) => line.device_id))
  const other = there.find(({ id, deleted_at }) => !own.has(id) || deleted_at !== null)
  if (other) {
    const message = `There is a device "${other.label}" in this organization already`
    throw labelTaken({ message, label: other.label, deviceId: other.id })
  }
  const before = new Set(there.map(({ id }) => id))
  const fresh = lines.filter((line) => !before.has(line.device_id))
  for (const preset of new Set(fresh.map(({ wanted }) => wanted.presetId))) {
    if (preset !== null) await presetForDevice(tx, organization, preset)
  }
  const devices = fresh.map(({ device_id: id, wanted }) => {
    const { label, description, serialNumber: serial_number, tags, presetId, attributes } = wanted
    const texts = { label, description, serial_number, tags }
    return { id, organization, realm, ...texts, preset_id: presetId, attributes }
  })
  await insertDevices(tx, devices, call.now)
  const told = devices.map(({ id: deviceId, label }) => ({
    deviceId,
    label,
    orgResourceId: organization,
  }))
  await publishAll(tx, mappingsContract.events.deviceCreated, told)
  const { now: at, caller } = call
  const by = caller.username
  const moments = told.map(({ label, ...where }) => {
    return { ...where, at, kind: 'created', data: { label }, by }
  })
  await recordMoments(tx, moments)
}

/** Give each its place in core; the groups that each is in. */
async function placed({ db, clients }: MappingsDeps, ctx: OrgCtx, lines: readonly Line[]) {
  const devices = lines.map(({ device_id: device, wanted: { label, organization, groups } }) => ({
    device,
    label,
    orgResourceId: organization,
    groups,
  }))
  const there = await clients.core.placeDevices({ body: { ...toImportAsking(ctx), devices } })
  await db.transaction().execute(async (tx) => {
    await lockDevices(
      tx,
      there.map(({ device }) => device),
    )
    await sql`update mappings.device d set groups = one.groups
      from jsonb_to_recordset(${JSON.stringify(there)}::jsonb) as one(device text, groups int[])
      where d.id = one.device`.execute(tx)
  })
  return new Map(there.map(({ device, groups }) => [device, groups]))
}
