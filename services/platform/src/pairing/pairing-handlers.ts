import { randomUUID } from 'node:crypto'
import { canDevice } from '@longreach/authorization/can'
import { canInCall } from '@longreach/authorization/device-visibility'
import {
  activationKeyFingerprint,
  newActivationKey,
} from '@longreach/device-protocol/activation-key'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Deps, OrgCtx } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { Kysely } from 'kysely'
import { rotateAuthority } from './certificate-authority.ts'
import { revokeCertificates, trustedAuthorities } from './certificate-authority-store.ts'
import { platformContract } from '../contract.ts'
import { pairingEvents } from './pairing-contract.ts'
import { insertKey, keyOfDevice, lockKeys, revokeKey } from './pairing-store.ts'
import type { ActivationKeyRow, PairingDb } from './pairing-tables.ts'

/** Dependencies of pairing. */
export type PairingDeps = Pick<
  Deps<PairingDb, { mappings: typeof mappingsContract }>,
  'db' | 'fabric' | 'clients' | 'secrets' | 'site' | 'now' | 'log'
>

type OfDevice = { params: { deviceId: string } }
type Owned = { deviceId: string; orgResourceId: string }
type Asked = { mostUses?: number | undefined; validForS?: number | undefined }

/** Handlers of `pairingEndpoints`, to be joined with the platform's. */
export const pairingHandlers = (deps: PairingDeps) => ({
  issueActivationKey: async (
    { params: { deviceId }, body }: OfDevice & { body: Asked | null | undefined },
    ctx: OrgCtx,
  ) => {
    await requireDevice(deps, deviceId, ctx, 'update')
    const activationKey = newActivationKey()
    const made = {
      resourceId: ctx.organization.resourceId,
      username: ctx.caller.username,
      now: ctx.now,
    }
    const row = toKeyRow(made, body ?? {}, {
      device_id: deviceId,
      fingerprint: activationKeyFingerprint(deps.secrets, activationKey),
    })
    await replaceKey(deps, row)
    const { origin } = deps.site
    return {
      ...toKeyState(row),
      activationKey,
      pairingEndpoint: `${origin}/pairing/api/v1/`,
      authorityUrl: `${origin}/pairing/ca.crt`,
    }
  },

  activationKey: async ({ params: { deviceId } }: OfDevice, ctx: OrgCtx) => {
    await requireDevice(deps, deviceId, ctx, 'read')
    const row = await keyOfDevice(deps.db, deviceId)
    if (!row) throw noKey(deviceId)
    return toKeyState(row)
  },

  revokeActivationKey: async ({ params: { deviceId } }: OfDevice, ctx: OrgCtx) => {
    await requireDevice(deps, deviceId, ctx, 'update')
    return deps.db.transaction().execute(async (tx) => {
      if (!(await revokeKey(tx, deviceId, ctx.now))) throw noKey(deviceId)
      await endLines(tx, deviceId, ctx.now)
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

type Imported = Owned & { fingerprint: string; by: string; at: Date }

/** Save a key that an import made for a device; mappings keeps the key itself, sealed. */
export const saveImportedKey = (
  tx: Kysely<PairingDb>,
  { deviceId, orgResourceId, fingerprint, by, at }: Imported,
) =>
  replaceKeyIn(
    tx,
    toKeyRow(
      { resourceId: orgResourceId, username: by, now: at },
      {},
      { device_id: deviceId, fingerprint },
    ),
  )

/** For the consumer of a deleted device: it can neither pair nor connect again. */
export async function forgetDevice(tx: Kysely<PairingDb>, deviceId: string, now: Date) {
  await revokeKey(tx, deviceId, now)
  await endLines(tx, deviceId, now)
}

/** Takes the device's certificates back; the process that it is connected to is notified and ends the connection. */
async function endLines(tx: Kysely<PairingDb>, deviceId: string, now: Date) {
  await revokeCertificates(tx, deviceId, now)
  await publish(tx, pairingEvents.credentialsRevoked, { deviceId })
}

async function requireDevice(
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

const replaceKey = ({ db }: PairingDeps, row: ActivationKeyRow) =>
  db.transaction().execute((tx) => replaceKeyIn(tx, row))

/** The new key takes the place of the one before. */
async function replaceKeyIn(tx: Kysely<PairingDb>, row: ActivationKeyRow) {
  await lockKeys(tx, row.device_id)
  await revokeKey(tx, row.device_id, row.made_at)
  await insertKey(tx, row)
}

/**
 * Time in which a key must be used first. Devices present their key at every start and store nothing, so a
 * key that was used stays valid; one that was never used expires.
 */
const firstUseWithinMs = 30 * 24 * 3_600_000

type Made = { resourceId: string; username: string; now: Date }

function toKeyRow(
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

/** Present end of a key. */
export const endOfKey = ({ expires_at, first_use_before, uses }: ActivationKeyRow) =>
  uses === 0 && first_use_before ? first_use_before : expires_at

const toKeyState = (row: ActivationKeyRow) => ({
  issuedAt: row.made_at.toISOString(),
  issuedBy: row.made_by,
  expiresAt: endOfKey(row)?.toISOString() ?? null,
  mostUses: row.most_uses,
  uses: row.uses,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
