import { activationKeyFingerprint } from '@longreach/device-protocol/activation-key'
import { oldPairingProtocol, pairingProtocol } from '@longreach/device-protocol/wire-names'
import { createAttempts } from '@longreach/kit/attempts'
import { failure } from '@longreach/kit/errors'
import { networkOf } from '@longreach/kit/network-of'
import { tokenOf } from '@longreach/kit/credential'
import { invalid } from '@longreach/kit/parse-request'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type CertificateAuthority, loadAuthority } from './certificate-authority.ts'
import { releaseKey } from '../releases/release-key.ts'
import { isClosed } from '../organizations/closed-organizations.ts'
import { platformContract } from '../contract.ts'
import { endOfKey, type PairingDeps } from './pairing-handlers.ts'
import { apiKeyOf, sameSecret } from './pairing-keys.ts'
import { keyByFingerprint, keyOfDevice, useKey } from './pairing-store.ts'
import type { ActivationKeyRow } from './pairing-tables.ts'

const Lookup = z.object({
  activationKey: z.string().min(1).max(200),
  serialNumber: z.string().max(200).default(''),
})
const OfDevice = z.object({
  realm: z.string().max(200),
  deviceId: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
})
const SigningRequest = z.object({ data: z.object({ csr: z.string().max(20_000) }) })
const VerifyRequest = z.object({ data: z.object({ client_crt: z.string().max(60_000) }) })

type Attempts = ReturnType<typeof createAttempts>
type Pairing = { deps: PairingDeps; authority: CertificateAuthority; attempts: Attempts }

/** Wrong keys of one network a minute. Right ones are not counted: a whole plant may share an address. */
const wrongKeys = { most: 20, windowMs: 60_000 }

/** Routes that devices call, without sign-in and outside of `/svc`: existing devices expect these paths. */
export async function mountPairing(app: FastifyInstance, deps: PairingDeps) {
  const authority = await loadAuthority(deps)
  const attempts = createAttempts(wrongKeys, { fabric: deps.fabric, name: 'pairing.keys' })
  const pairing: Pairing = { deps, authority, attempts }

  app.get('/pairing/api/v1', async (request, reply) => {
    const { organization, instance, ...answer } = await lookUp(pairing, request)
    return reply
      .headers({ 'x-instance-id': instance, 'x-organization-id': organization })
      .send(answer)
  })

  app.get('/pairing/ca.crt', async (_, reply) => {
    await authority.refresh()
    return reply
      .header('content-type', 'application/x-pem-file')
      .header('content-disposition', 'attachment; filename="ca.crt"')
      .send(authority.caPem())
  })

  const device = '/pairing/v1/:realm/devices/:deviceId'
  app.get(device, async (request, reply) => reply.send({ data: await brokersOf(pairing, request) }))
  for (const protocol of [pairingProtocol, oldPairingProtocol]) {
    const credentials = `${device}/protocols/${protocol}/credentials`
    app.post(credentials, async (request, reply) => {
      const client_crt = await sign(pairing, request)
      return reply.code(201).send({ data: { client_crt } })
    })
    app.post(`${credentials}/verify`, async (request, reply) =>
      reply.send({ data: await answerVerification(pairing, request) }),
    )
  }
}

async function lookUp({ deps, attempts }: Pairing, request: FastifyRequest) {
  const { db, site, secrets, clients } = deps
  const now = deps.now()
  refuseTooMany(attempts, request, now)
  const { activationKey } = parse(Lookup, 'query', request.query)
  const row = await keyByFingerprint(db, activationKeyFingerprint(secrets, activationKey))
  if (!row) {
    attempts.failed(networkOf(request.ip), now)
    throw noSuchKey()
  }
  if (await isClosed(db, row.organization)) throw noSuchKey()
  const used = await useKey(db, row.id, now)
  if (!used) throw keyFault(row, now)
  const params = { deviceId: used.device_id }
  const { realm, orgResourceId } = await clients.mappings.deviceForPlatform({ params })
  return {
    realm,
    logicalId: used.device_id,
    apiKey: apiKeyOf(secrets, used.device_id, used.id),
    platformPairingApiUrl: `${site.origin}/pairing/v1/${realm}`,
    // A text with commas between the brokers, not an array: devices split it.
    brokerUrls: `${pairingProtocol}://${brokerOf(deps)}`,
    orgResourceId,
    // Ours alone: by it the agent knows what it may update to.
    releaseKey: await releaseKey(db),
    organization: orgResourceId,
    instance: secrets.derive('instance-id', 16).toString('hex'),
  }
}

const noSuchKey = () =>
  failure(platformContract, 'activation_key_unknown', {
    message: 'No device has this activation key. Check it, or issue one in the portal.',
  })

const brokerOf = ({ site }: PairingDeps) => `${new URL(site.origin).hostname}:${site.mqttPort}`

function keyFault(row: ActivationKeyRow, now: Date) {
  if (row.revoked_at) {
    const message = 'This activation key was taken back. Use the newest one of the device.'
    return failure(platformContract, 'activation_key_revoked', { message })
  }
  const end = endOfKey(row)
  if (end && end <= now) {
    const message = `This activation key expired at ${end.toISOString()}. Issue another.`
    return failure(platformContract, 'activation_key_expired', { message })
  }
  const message = 'This activation key was used as often as it may be. Issue another.'
  return failure(platformContract, 'activation_key_used_up', { message })
}

function refuseTooMany(attempts: Attempts, request: FastifyRequest, now: Date) {
  const retryAfterS = attempts.waitS(networkOf(request.ip), now)
  if (retryAfterS === 0) return
  const message = `Too many wrong attempts from this address. Try again in ${retryAfterS} s.`
  throw failure(platformContract, 'too_many_attempts', { message, retryAfterS })
}

/** The device that presents its API key; 401 for everybody else, whatever is wrong. */
async function deviceOf({ deps, attempts }: Pairing, request: FastifyRequest) {
  const now = deps.now()
  refuseTooMany(attempts, request, now)
  const { realm, deviceId } = parse(OfDevice, 'params', request.params)
  const key = await keyOfDevice(deps.db, deviceId)
  const shown = tokenOf(request.headers.authorization) ?? ''
  const alive = key && (key.expires_at === null || key.expires_at > now)
  const known = alive && sameSecret(shown, apiKeyOf(deps.secrets, deviceId, key.id))
  const device = known
    ? await deps.clients.mappings.deviceForPlatform({ params: { deviceId } })
    : undefined
  if (device?.realm !== realm) {
    attempts.failed(networkOf(request.ip), now)
    throw refused()
  }
  // Its devices know no better: they are not counted as guessing.
  if (await isClosed(deps.db, device.orgResourceId)) throw refused()
  return { realm, logicalId: deviceId, askedFrom: request.ip }
}

const refused = () =>
  failure(platformContract, 'credentials_refused', {
    message: 'These are not the credentials of this device. Present the activation key again.',
  })

async function sign(pairing: Pairing, request: FastifyRequest) {
  const device = await deviceOf(pairing, request)
  const { csr } = parse(SigningRequest, 'body', request.body).data
  const signed = await pairing.authority.signDevice(csr, device)
  if (signed.ok) return signed.certificate
  const error = signed.cause === 'other_device' ? 'request_for_other_device' : 'request_malformed'
  throw failure(platformContract, error, { message: `Not signed: ${signed.reason}.`, field: 'csr' })
}

/** Answers without sign-in to anybody who has the certificate, as existing devices send no credentials. */
async function answerVerification({ authority, deps }: Pairing, request: FastifyRequest) {
  const { realm, deviceId } = parse(OfDevice, 'params', request.params)
  const { client_crt } = parse(VerifyRequest, 'body', request.body).data
  const verdict = await authority.verify(client_crt)
  const timestamp = deps.now().toISOString()
  if (!verdict.valid) {
    return { valid: false, timestamp, until: null, cause: verdict.cause, details: verdict.details }
  }
  if (verdict.realm !== realm || verdict.logicalId !== deviceId) {
    const details = 'This is the certificate of another device.'
    return { valid: false, timestamp, until: null, cause: 'other_device', details }
  }
  return { valid: true, timestamp, until: verdict.until.toISOString(), cause: null, details: null }
}

/** Address of the broker, in the shape of device libraries before 2021. */
async function brokersOf(pairing: Pairing, request: FastifyRequest) {
  await deviceOf(pairing, request)
  const broker_url = `mqtts://${brokerOf(pairing.deps)}/`
  return {
    version: '1.0.0',
    status: 'confirmed',
    protocols: { [pairingProtocol]: { broker_url }, [oldPairingProtocol]: { broker_url } },
  }
}

function parse<T extends z.ZodType>(schema: T, part: string, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.error) throw invalid(part, result.error)
  return result.data
}
