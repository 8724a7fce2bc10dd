import { laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)
const ofDevice = z.object({ org: z.string(), deviceId })

/** State of a device's activation key, without the key itself. Times are ISO 8601. */
const ActivationKeyState = z.object({
  issuedAt: z.string(),
  issuedBy: z.string(),
  /** 30 days for a key that was never presented; then null, unless it was issued for a time. */
  expiresAt: z.string().nullable(),
  /** Null: as often as the device starts. */
  mostUses: z.int().nullable(),
  uses: z.int(),
  lastUsedAt: z.string().nullable(),
})

/** Errors of pairing, part of the platform contract's. */
export const pairingErrors = {
  device_not_allowed: 403,
  activation_key_unknown: 404,
  activation_key_revoked: 410,
  activation_key_expired: 410,
  activation_key_used_up: 409,
  no_activation_key: 404,
  too_many_attempts: 429,
  credentials_refused: 401,
  request_malformed: 400,
  request_for_other_device: 422,
} as const

/** Endpoints of pairing, part of the platform contract's. What devices call is mounted beside them. */
export const pairingEndpoints = {
  /** Make the device's activation key and show it once. The one before no longer works. */
  issueActivationKey: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/activationKey',
    access: 'devices:update',
    params: ofDevice,
    body: z
      .object({
        mostUses: z.int().min(1).max(1_000_000).optional(),
        validForS: z.int().min(60).max(315_360_000).optional(),
      })
      .nullish(),
    result: ActivationKeyState.extend({
      activationKey: z.string(),
      /** Addresses for the device: where to present the key, and of the authority to trust. */
      pairingEndpoint: z.string(),
      authorityUrl: z.string(),
    }),
    status: 201,
  },
  activationKey: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/activationKey',
    access: 'devices:read',
    params: ofDevice,
    result: ActivationKeyState,
  },
  /** Take the key away, and with it every certificate that the device got. */
  revokeActivationKey: {
    method: 'DELETE',
    path: '/organizations/:org/devices/:deviceId/activationKey',
    access: 'devices:update',
    params: ofDevice,
    result: z.undefined(),
  },
  /** Make a new certificate authority; the one before stays trusted until its certificates are dead. */
  rotateAuthority: {
    method: 'POST',
    path: '/internal/authority/rotate',
    access: 'service',
    body: z.object({}),
    result: z.object({ id: z.uuid(), notAfter: z.string(), stillTrusted: z.int() }),
  },
} as const

/** Events of pairing, part of the platform contract's. */
export const pairingEvents = {
  authorityRotated: { topic: 'platform.authority_rotated', payload: z.object({ id: z.uuid() }) },
  /** The device's key or certificates were taken back: it must not stay connected. */
  credentialsRevoked: {
    topic: 'platform.credentials_revoked',
    payload: z.object({ deviceId }),
    lane: laneOfDevice,
  },
} as const
