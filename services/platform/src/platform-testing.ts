import 'reflect-metadata'
import { everyAction } from '@longreach/authorization/capability'
import type { Admission, Caller } from '@longreach/kit/service'
import { publish } from '@longreach/kit/events'
import { memoryNetwork } from '@longreach/kit/fabric-testing'
import { person, testServer } from '@longreach/kit/testing'
import { coreContract } from '@longreach/core/contract'
import * as x509 from '@peculiar/x509'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { platformContract } from './contract.ts'
import { alarmRegister } from './alarm-register-testing.ts'
import { triggerRegister } from './trigger-register-testing.ts'
import { deviceRegister, type MasterData } from './register-testing.ts'
import type { Timings } from './timings/timings.ts'
import { platformWith } from './service.ts'

/** In an organization; without IoT, or with rules of its own, where it says so. */
type Rules = 'dataEnabled' | 'allowedAddresses' | 'secondFactorRequired'
type Right = Pick<Admission, 'capability' | 'below'> &
  Partial<Pick<Admission['organization'], Rules>>
type Rights = Record<string, Right>
export const allOnDevices = { grants: { devices: everyAction }, deviceGroups: [] }

type Beside = {
  register: ReturnType<typeof deviceRegister>
  alarms: ReturnType<typeof alarmRegister>
  triggers: ReturnType<typeof triggerRegister>
  rights: Record<string, Rights>
  database: Awaited<ReturnType<typeof testServer>>['database']
  network: ReturnType<typeof memoryNetwork>
  /** It has no way to the others. */
  isAlone?: boolean
}

/** Surroundings of a platform that is the first process on its database; `rights` by person and organization. */
const newSurroundings = (): Omit<Beside, 'database'> => ({
  register: deviceRegister(),
  alarms: alarmRegister(),
  triggers: triggerRegister(),
  rights: {},
  network: memoryNetwork(),
})

/** The platform beside a register of devices, with people whose rights a test can change. */
export async function testPlatform(
  timings: Partial<Timings> = {},
  now = () => new Date(),
  authenticate?: (token: string) => Promise<Caller | undefined>,
  /** A platform of which this one is a second process: same database, devices and rights. */
  beside?: Beside,
) {
  const { register, alarms, triggers, rights, network } = beside ?? newSurroundings()
  const admitted = (caller: Caller, org: string | undefined): Admission | undefined => {
    const found = org === undefined ? undefined : rights[caller.sub]?.[org]
    if (!found || org === undefined) return undefined
    const { dataEnabled = true, allowedAddresses, secondFactorRequired } = found
    const rules = { dataEnabled, vpnEnabled: false, allowedAddresses, secondFactorRequired }
    const facts = { id: 1, name: org, label: org, realm: 'exor', resourceId: org }
    return { ...found, organization: { ...facts, ...rules } }
  }
  const server = await testServer(
    [register.service, alarms.service, triggers.service, platformWith(timings)],
    {
      admit: () => async (caller, org) => admitted(caller, org),
      now,
      ...wireOf(network, beside),
      ...(authenticate && { authenticate: () => authenticate }),
      ...(beside && { beside }),
    },
  )
  server.site.origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const running = await server.start().catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const db = server.database.db
  return {
    ...server,
    register,
    /** Rules and commands of alarms, and what platform publishes about them. */
    alarms,
    /** Triggers and their writes, and what platform publishes about them. */
    triggers,
    rights,
    /** Way between the processes of the platform. */
    network,
    /** A client for a person who may do everything with devices of the organization. */
    member(sub: string, org: string) {
      rights[sub] = { ...rights[sub], [org]: { capability: allOnDevices, below: false } }
      return server.as(person(sub, 'exor', org), platformContract)
    },
    tokenOf: (sub: string, org: string) =>
      Buffer.from(JSON.stringify(person(sub, 'exor', org))).toString('base64url'),
    change: (deviceId: string, change: Partial<MasterData>) =>
      register.change(db, deviceId, change),
    move: (deviceId: string, to: string) => register.move(db, deviceId, to),
    trash: (deviceId: string) => register.trash(db, deviceId),
    remove: (deviceId: string) => register.remove(db, deviceId),
    /** Organizations are deleted or brought back, as core says it. */
    tellOrganizations: (
      event: 'organizationDeleted' | 'organizationRestored',
      at: number,
      ...orgs: string[]
    ) =>
      db.transaction().execute((tx) =>
        publish(tx, coreContract.events[event], {
          resourceId: orgs[0] ?? '',
          organizations: orgs.map((resourceId, id) => ({ id, resourceId })),
          at,
        }),
      ),
    async close() {
      await running.close()
      await server.close()
    },
  }
}
/** Way to the other processes, unless this one is to have none. */
const wireOf = (network: Beside['network'], beside: Beside | undefined) =>
  beside?.isAlone === true ? {} : { wire: async () => network.wire() }

export type TestPlatform = Awaited<ReturnType<typeof testPlatform>>

/** 22 characters of 16 bytes. */
export function newDeviceId() {
  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
  bytes.writeUInt8(bytes.readUInt8() & 0x7f)
  return bytes.toString('base64url')
}

export type Credentials = { cert: string; key: string; ca: string; port: number; base: string }

/** Pair as a device does: look up the activation key, have a certificate signed. */
export async function pair(
  platform: TestPlatform,
  org: string,
  deviceId: string,
): Promise<Credentials> {
  const { origin } = platform.site
  const owner = platform.member('owner', org)
  const { activationKey } = await owner.issueActivationKey({ params: { org, deviceId }, body: {} })
  const lookup = await fetch(
    `${origin}/pairing/api/v1/?activationKey=${activationKey}&serialNumber=`,
  )
  const license = (await lookup.json()) as Record<
    'realm' | 'logicalId' | 'apiKey' | 'platformPairingApiUrl' | 'brokerUrls',
    string
  >
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: `CN=${license.logicalId}, O=System`,
    keys,
    signingAlgorithm: algorithm,
  })
  const url = `${license.platformPairingApiUrl}/devices/${license.logicalId}/protocols/corvina_mqtt_v1/credentials`
  const signed = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${license.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { csr: request.toString('pem') } }),
  })
  const { data } = (await signed.json()) as { data: { client_crt: string } }
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: data.client_crt,
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    ca: await (await fetch(`${origin}/pairing/ca.crt`)).text(),
    port: Number(license.brokerUrls.split(':').at(-1)),
    base: `${license.realm}/${license.logicalId}`,
  }
}

/** Connect with the credentials; nothing is tried twice. */
export const connectDevice = (
  { cert, key, ca, port, base }: Credentials,
  options: Partial<IClientOptions> = {},
): Promise<MqttClient> =>
  connectAsync(
    `mqtts://127.0.0.1:${port}`,
    { cert, key, ca, clientId: base, clean: true, reconnectPeriod: 0, ...options },
    false,
  )

/** Wait until `what` gives a value, or fail after a minute with what it was about. */
export async function until<T>(
  what: () => T | undefined | Promise<T | undefined>,
  about: string,
): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    const value = await what()
    if (value !== undefined && value !== false) return value
    if (performance.now() > end) throw new Error(`waited in vain: ${about}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

type Leaf = { type: string; mode?: 'R' | 'RW'; history?: boolean; properties?: object }

/** A configuration text as a compiled preset has it: leaves by name. */
export function configurationText(leaves: Record<string, Leaf>, model = 'Probe') {
  const uuid = '2e6dui08pzrch2w1'
  const entries = Object.entries(leaves).map(
    ([name, { type, mode = 'R', history = true, properties }]) => [
      name,
      {
        type,
        mode,
        version: '1.0.0',
        ...(properties && { instanceOf: `${name}:1.0.0`, properties }),
        historyPolicy: { enabled: history },
        sendPolicy: { triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 1000 }] },
        datalink: { source: name },
        mapping: {
          device_endpoint: `/com.exor.ab12cd34ef/${uuid}/0/${name}`,
          ...(mode === 'RW' && { server_endpoint: `/com.exor.ab12cd34ef.sub/${uuid}/0/${name}` }),
        },
      },
    ],
  )
  return JSON.stringify({
    type: 'datamodel',
    properties: {
      [model]: {
        UUID: uuid,
        instanceOf: `${model}:1.0.0`,
        type: 'object',
        policies: {},
        interfaces: [],
        properties: Object.fromEntries(entries),
      },
    },
  })
}
export const topicOf = (base: string, name: string) =>
  `${base}/com.exor.ab12cd34ef/2e6dui08pzrch2w1/0/${name}`
export const writeTopicOf = (base: string, name: string) =>
  `${base}/com.exor.ab12cd34ef.sub/2e6dui08pzrch2w1/0/${name}`
