import { randomUUID } from 'node:crypto'
import { canDevice } from '@longreach/authorization/can'
import { canInCall } from '@longreach/authorization/device-visibility'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { CallerCtx, Deps, OrgCtx } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { Kysely } from 'kysely'
import { rotateAuthority } from './certificate-authority.ts'
import { revokeCertificates, trustedAuthorities } from './certificate-authority-store.ts'
import { platformContract } from '../contract.ts'
import { pairingEvents } from './pairing-contract.ts'
import { fingerprintOf, newActivationKey } from './pairing-keys.ts'
import {
  insertKey,
  insertKeys,
  keyOfDevice,
  lockKeys,
  revokeKey,
  revokeKeys,
} from './pairing-store.ts'
import type { ActivationKeyRow, PairingDb } from './pairing-tables.ts'

/** What pairing needs of the platform's dependencies. */
export type PairingDeps = Pick<
  Deps<PairingDb, { mappings: typeof mappingsContract }>,
  'db' | 'clients' | 'secrets' | 'site' | 'now' | 'log'
>

type OfDevice = { params: { deviceId: string } }
type IssuedFor = OfDevice & { body: { orgResourceId: string; by: string } }
type Owned = { deviceId: string; orgResourceId: string }
type Asked = { mostUses?: number | undefined; validForS?: number | undefined }

/** Handlers of `pairingEndpoints`, to be joined with the platform's. */
export const pairingHandlers = (deps: PairingDeps) => ({
  issueActivationKey: async (
    { params: { deviceId }, body }: OfDevice & { body: Asked | null | undefined },
    ctx: OrgCtx,
  ) => {
    await visibleDevice(deps, deviceId, ctx, 'update')
    const activationKey = newActivationKey()
    const made = {
      resourceId: ctx.organization.resourceId,
      username: ctx.caller.username,
      now: ctx.now,
    }
    const row = keyRow(made, body ?? {}, {
      device_id: deviceId,
      fingerprint: fingerprintOf(deps.secrets, activationKey),
    })
    await replaceKey(deps, row)
    const { origin } = deps.site
    return {
      ...stateOf(row),
      activationKey,
      pairingEndpoint: `${origin}/pairing/api/v1/`,
      authorityUrl: `${origin}/pairing/ca.crt`,
    }
  },

  ...keysForMappings(deps),

  activationKey: async ({ params: { deviceId } }: OfDevice, ctx: OrgCtx) => {
    await visibleDevice(deps, deviceId, ctx, 'read')
    const row = await keyOfDevice(deps.db, deviceId)
    if (!row) throw noKey(deviceId)
    return stateOf(row)
  },

  revokeActivationKey: async ({ params: { deviceId } }: OfDevice, ctx: OrgCtx) => {
    await visibleDevice(deps, deviceId, ctx, 'update')
    return deps.db.transaction().execute(async (tx) => {
      if (!(await revokeKey(tx, deviceId, ctx.now))) throw noKey(deviceId)
      await revokeCertificates(tx, deviceId, ctx.now)
      await publish(tx, pairingEvents.credentialsRevoked, { deviceId })
      return undefined
    })
  },

  rotateAuthority: async () =>
    deps.db.transaction().execute(async (tx) => {
      const { id, not_after } = await rotateAuthority(tx, deps)
      await publish(tx, pairingEvents.authorityRotated, { id })
      const trusted = await trustedAuthorities(tx, deps.now())
      return { id, notAfter: not_after.toISOString(), stillTrusted: trusted.length - 1 }
    }),
})

/** Keys for devices that mappings has just made. */
const keysForMappings = (deps: PairingDeps) => ({
  issueKeyFor: async (
    { params: { deviceId }, body: { orgResourceId, by } }: IssuedFor,
    { now }: CallerCtx,
  ) => {
    const activationKey = newActivationKey()
    const fingerprint = fingerprintOf(deps.secrets, activationKey)
    const made = { resourceId: orgResourceId, username: by, now }
    const row = keyRow(made, {}, { device_id: deviceId, fingerprint })
    await replaceKey(deps, row)
    return { activationKey }
  },

  issueKeysFor: async (
    { body: { devices, by } }: { body: { devices: Owned[]; by: string } },
    { now }: CallerCtx,
  ) => {
    const keys = devices.map(() => newActivationKey())
    const rows = devices.map(({ deviceId, orgResourceId }, place) =>
      keyRow(
        { resourceId: orgResourceId, username: by, now },
        {},
        {
          device_id: deviceId,
          fingerprint: fingerprintOf(deps.secrets, keys[place] ?? ''),
        },
      ),
    )
    await replaceKeys(deps, rows, now)
    return keys
  },
})

/** For the consumer of a deleted device: it can neither pair nor connect again. */
export async function forgetDevice(tx: Kysely<PairingDb>, deviceId: string, now: Date) {
  await revokeKey(tx, deviceId, now)
  await revokeCertificates(tx, deviceId, now)
}

async function visibleDevice(
  { clients }: PairingDeps,
  deviceId: string,
  ctx: OrgCtx,
  action: 'read' | 'update',
) {
  const device = await clients.mappings.deviceForPlatform({ params: { deviceId } })
  const { orgResourceId, groups } = device
  if (!canInCall(ctx, 'read', { org: orgResourceId, groups })) {
    throw failure(platformContract, 'not_found', { message: 'No such device.', deviceId })
  }
  if (!canDevice(ctx.capability, action, groups)) {
    throw failure(platformContract, 'device_not_allowed', {
      message: 'You may see this device but not pair it. Ask for the right to update it.',
      deviceId,
    })
  }
  return device
}

const noKey = (deviceId: string) =>
  failure(platformContract, 'no_activation_key', {
    message: 'This device has no activation key. Issue one.',
    deviceId,
  })

/** The new key takes the place of the one before. */
const replaceKey = ({ db }: PairingDeps, row: ActivationKeyRow) =>
  db.transaction().execute(async (tx) => {
    await lockKeys(tx, row.device_id)
    await revokeKey(tx, row.device_id, row.made_at)
    await insertKey(tx, row)
  })

const replaceKeys = ({ db }: PairingDeps, rows: readonly ActivationKeyRow[], now: Date) =>
  db.transaction().execute(async (tx) => {
    if (rows.length === 0) return
    const ids = rows.map((row) => row.device_id).toSorted()
    for (const id of ids) await lockKeys(tx, id)
    await revokeKeys(tx, ids, now)
    await insertKeys(tx, rows)
  })

/**
 * How long a key waits for its device. Devices present theirs at every start and keep nothing, so one that
 * was presented goes on; one that lies in a drawer does not.
 */
const firstUseWithinMs = 30 * 24 * 3_600_000

type Made = { resourceId: string; username: string; now: Date }

function keyRow(
  { resourceId, username, now }: Made,
  { mostUses, validForS }: Asked,
  of: Pick<ActivationKeyRow, 'device_id' | 'fingerprint'>,
): ActivationKeyRow {
  return {
    ...of,
    id: randomUUID(),
    organization: resourceId,
    made_at: now,
    made_by: username,
    expires_at: validForS === undefined ? null : new Date(now.getTime() + validForS * 1000),
    first_use_before: validForS === undefined ? new Date(now.getTime() + firstUseWithinMs) : null,
    revoked_at: null,
    uses: 0,
    most_uses: mostUses ?? null,
    last_used_at: null,
  }
}

/** When a key ends as things are. */
export const endOfKey = ({ expires_at, first_use_before, uses }: ActivationKeyRow) =>
  uses === 0 && first_use_before ? first_use_before : expires_at

const stateOf = (row: ActivationKeyRow) => ({
  issuedAt: row.made_at.toISOString(),
  issuedBy: row.made_by,
  expiresAt: endOfKey(row)?.toISOString() ?? null,
  mostUses: row.most_uses,
  uses: row.uses,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
