import 'reflect-metadata'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pairingProtocol } from '@longreach/device-protocol/wire-names'
import * as x509 from '@peculiar/x509'
import { z } from 'zod'
import { HttpError, request } from './platform-http.ts'
import { learnReleaseKey } from './release-trust.ts'
import type { AgentSettings } from './settings.ts'

/**
 * Credentials of the agent's connection. Each pairing makes a new key and certificate; the key
 * stays in memory.
 */
export type Credentials = {
  realm: string
  logicalId: string
  /** Broker addresses `mqtts://host:port`, tried in turn. */
  brokers: string[]
  key: string
  certificate: string
  /** Common name of the certificate, which is also the MQTT client id. */
  clientId: string
  expiresAt: number
  /** PEM of the authority that signed the broker's certificate. */
  ca: string
}

const License = z.object({
  realm: z.string().min(1),
  logicalId: z.string().min(1),
  apiKey: z.string().min(1),
  platformPairingApiUrl: z.url(),
  brokerUrls: z.string(),
  /** Release key of the platform, which verifies updates. */
  releaseKey: z.string().min(1).max(200).optional(),
})
const Signed = z.object({ data: z.object({ client_crt: z.string() }) })
const Verified = z.object({
  data: z.object({ valid: z.boolean(), cause: z.string().nullish(), details: z.unknown() }),
})
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

type Pairing = Pick<AgentSettings, 'activationKey' | 'endpoint' | 'dataDir' | 'ca'>

/**
 * Looks the activation key up and has a new key certified and verified. Throws an error with a text
 * for people.
 */
export async function pair(settings: Pairing, signal: AbortSignal): Promise<Credentials> {
  const given = settings.ca === undefined ? undefined : await readFile(settings.ca, 'utf8')
  const license = await lookUp(settings, given, signal)
  // An agent that was paired before gets the key over its own connection; later look-ups prove
  // nothing.
  const first = given !== undefined || !existsSync(authorityFile(settings))
  if (license.releaseKey !== undefined && first) {
    learnReleaseKey(settings.dataDir, license.releaseKey)
  }
  const brokers = license.brokerUrls
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url.startsWith(`${pairingProtocol}://`))
    .map((url) => url.replace(pairingProtocol, 'mqtts'))
  if (brokers.length === 0) {
    throw new Error(`the platform names no ${pairingProtocol} broker; its own settings need a look`)
  }
  const { key, csr } = await signingRequest(license.logicalId)
  const url = `${license.platformPairingApiUrl.replace(/\/+$/, '')}/devices/${license.logicalId}/protocols/${pairingProtocol}/credentials`
  const call = async (address: string, data: object) =>
    JSON.parse(
      await request({
        url: new URL(address),
        ca: given,
        token: license.apiKey,
        body: { data },
        signal,
      }),
    ) as unknown
  const signed = Signed.parse(await call(url, { csr })).data.client_crt
  const verified = Verified.safeParse(await call(`${url}/verify`, { client_crt: signed }))
  if (verified.success && !verified.data.data.valid) {
    throw new Error(`the platform does not accept its own certificate: ${verified.data.data.cause}`)
  }
  const certificate = new x509.X509Certificate(signed)
  const [clientId] = certificate.subjectName.getField('CN')
  return {
    realm: license.realm,
    logicalId: license.logicalId,
    brokers,
    key,
    certificate: signed,
    clientId: clientId ?? `${license.realm}/${license.logicalId}`,
    expiresAt: certificate.notAfter.getTime(),
    ca: given ?? (await pinnedAuthority(settings, signal)),
  }
}

/**
 * Address of the activation look-up; the endpoint may be the portal's address or the look-up's own.
 */
export function lookupUrl(endpoint: string): URL {
  const own = /\/pairing(\/|$)/.test(new URL(endpoint).pathname) || endpoint.endsWith('/api/v1')
  return new URL(own ? endpoint : `${endpoint}/pairing/api/v1/`)
}

async function lookUp(
  { activationKey, endpoint }: Pairing,
  ca: string | undefined,
  signal: AbortSignal,
) {
  const url = lookupUrl(endpoint)
  url.searchParams.set('activationKey', activationKey)
  url.searchParams.set('serialNumber', '')
  let text: string
  try {
    text = await request({ url, ca, signal })
  } catch (error) {
    const refused = error instanceof HttpError && [401, 403, 404, 409, 422].includes(error.status)
    if (!refused) throw error
    throw new Error(
      `the platform does not accept this activation key: ${error.message}. Compare it with the portal: Devices, the device, Activation key.`,
      { cause: error },
    )
  }
  const license = License.safeParse(parsed(text))
  if (license.success) return license.data
  throw new Error(`${url.origin}${url.pathname} is no pairing service; check --endpoint`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // another server's page: the schema refuses it
  }
}

async function signingRequest(logicalId: string) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['System'] }, { CN: [logicalId] }],
    keys,
    signingAlgorithm: algorithm,
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { csr: csr.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}

const authorityFile = ({ dataDir }: Pick<Pairing, 'dataDir'>) => path.join(dataDir, 'ca.crt')

/** Authority of the platform as of the first pairing; a later one is not trusted automatically. */
async function pinnedAuthority({ endpoint, dataDir }: Pairing, signal: AbortSignal) {
  const file = authorityFile({ dataDir })
  try {
    return await readFile(file, 'utf8')
  } catch {
    // None yet: this is the first pairing.
    const pem = await request({ url: new URL('/pairing/ca.crt', endpoint), signal })
    if (!pem.includes('BEGIN CERTIFICATE')) {
      throw new Error(
        'the platform offers no authority at /pairing/ca.crt; name its file with --ca',
      )
    }
    await mkdir(dataDir, { recursive: true })
    await writeFile(file, pem)
    return pem
  }
}
