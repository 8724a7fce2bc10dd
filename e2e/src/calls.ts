import { createHash, randomBytes } from 'node:crypto'
import type { DemoFile } from './longreach.ts'

export type Person = { username: string; password: string; organization: string }

/** Client of existing programs, which sign in without a proof key. */
const fieldClient = {
  client_id: 'corvina-web-portal',
  redirect_uri: 'http://localhost/callback/',
}

/** The tokens of one person, got as a client without a browser gets them. */
export async function tokensByHttp(
  url: string,
  person: Person,
  scope = `openid org:${person.organization}`,
  client = fieldClient,
) {
  const [realm = ''] = person.organization.split('.')
  const base = `${url}/auth/realms/${realm}/protocol/openid-connect`
  const jar = new Map<string, string>()
  const verifier = client === fieldClient ? undefined : randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    ...client,
    scope,
    response_mode: 'fragment',
    response_type: 'code',
    ...(verifier !== undefined && challengeOf(verifier)),
  })
  const page = await visit(`${base}/auth?${query}`, jar)
  const action = /action="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const { username, password } = person
  const address = new URL(action.replaceAll('&amp;', '&'), url).href
  const landed = await visit(address, jar, new URLSearchParams({ username, password }))
  const fragment = new URLSearchParams(new URL(landed.headers.get('location') ?? '').hash.slice(1))
  const body = new URLSearchParams({
    ...client,
    grant_type: 'authorization_code',
    code: fragment.get('code') ?? '',
    ...(verifier !== undefined && { code_verifier: verifier }),
  })
  const answer = await fetch(`${base}/token`, { method: 'POST', body })
  return (await answer.json()) as { access_token: string; refresh_token: string }
}

const challengeOf = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

/** The JSON calls of one person. */
export async function signInByHttp(url: string, person: Person) {
  const { access_token: token } = await tokensByHttp(url, person)
  return async <T>(method: string, path: string, sent?: unknown): Promise<T> => {
    const response = await fetch(`${url}/svc/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}
export type Calls = Awaited<ReturnType<typeof signInByHttp>>

/** Follow redirects with cookies until a page, or a place outside the server. */
async function visit(
  address: string,
  jar: Map<string, string>,
  form?: URLSearchParams,
): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { cookie },
    ...(form && { method: 'POST', body: form }),
  })
  for (const one of response.headers.getSetCookie()) {
    const [name = '', ...value] = (one.split(';')[0] ?? '').split('=')
    jar.set(name, value.join('='))
  }
  const next = response.headers.get('location')
  if (next === null || /^https?:\/\/localhost\/callback/.test(next)) return response
  return visit(new URL(next, address).href, jar)
}

/** The person of the demo with this user name. */
export function personOf({ people }: Pick<DemoFile, 'people'>, username: string) {
  const person = people.find((one) => one.username === username)
  if (!person) throw new Error(`No ${username} in the demo`)
  return person
}

/** A preset with one value of each type, made through the API; returns its id. */
export async function makePreset(call: Calls, organization: string, label: string) {
  const query = `organization=${organization}`
  const leaf = (type: string, mode = 'R') => ({
    version: '1.0.0',
    type,
    mode,
    historyPolicy: { enabled: true },
    sendPolicy: {
      triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }],
    },
    datalink: { source: `tag.${type}` },
  })
  const types = ['double', 'integer', 'boolean', 'string']
  const name = `${label}:1.0.0`
  const node = {
    type: 'object',
    instanceOf: name,
    UUID: null,
    label: '',
    unit: '',
    description: '',
    tags: [],
  }
  const model = { ...node, properties: Object.fromEntries(types.map((type) => [type, { type }])) }
  const mapped = Object.fromEntries(types.map((type) => [type, leaf(type, 'RW')]))
  await call('POST', `mappings/api/v1/models?${query}`, { name, data: model })
  const preset = await call<{ id: string }>('POST', `mappings/api/v1/presets?${query}`, {
    name: `${label} preset`,
    data: { ...node, properties: mapped },
  })
  return preset.id
}

/** A device with one value of each type, made through the API, with its activation key. */
export async function makeDevice(call: Calls, organization: string, label: string) {
  const presetId = await makePreset(call, organization, label)
  const added = await addDevice(call, organization, { label, presetId })
  return { ...added, path: (type: string) => `${label}:1/${type}` }
}

type NewDevice = { label: string; presetId?: string }

/** A device made through the API, with its activation key. */
export async function addDevice(call: Calls, organization: string, body: NewDevice) {
  const devices = `mappings/api/v1/devices?organization=${organization}`
  const { deviceId } = await call<{ deviceId: string }>('POST', devices, body)
  const key = `platform/api/v1/organizations/${organization}/devices/${deviceId}/activationKey`
  const { activationKey } = await call<{ activationKey: string }>('POST', key, {})
  return { deviceId, activationKey }
}

type Found = { data: { label: string; connected: boolean; configurationApplied: boolean }[] }

/**
 * Waits until a device is connected and has taken over its configuration. With its first one it connects
 * anew, and a value that is written meanwhile is lost with the connection.
 */
export async function deviceIsSettled(demo: DemoFile, username: string, label: string) {
  const person = personOf(demo, username)
  const call = await signInByHttp(demo.url, person)
  const path = `mappings/api/v1/devices?organization=${person.organization}.*&search=${label}&pageSize=50`
  for (;;) {
    const { data } = await call<Found>('GET', path)
    const device = data.find((one) => one.label === label)
    if (device?.connected && device.configurationApplied) return
    await new Promise((done) => setTimeout(done, 200))
  }
}
