import { expect, vi } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { startLongreach } from './longreach.ts'
import { enterPortal } from './portal.ts'
import { startWireDevice, type WireDevice } from './wire-device.ts'

/** Person who sets a new server up, and its organization. */
export const setupOwner = {
  username: 'eva',
  password: 'a pass phrase of tests 7',
  organization: 'main',
}
/** Environment of a server that the owner sets up. */
export const setupEnv = { SETUP_USER: setupOwner.username, SETUP_PASSWORD: setupOwner.password }
/** Query of calls about the owner's organization. */
export const mainOrg = `organization=${setupOwner.organization}`

const words = { label: '', description: '', unit: '', tags: [] }
const node = { type: 'object', instanceOf: 'Press:1.0.0', UUID: null, ...words }
const change = { type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }

const propertiesOf = (paths: readonly string[], one: (path: string) => object) =>
  Object.fromEntries(paths.map((path) => [path, one(path)]))

const modelOf = (paths: readonly string[], unit: string) => ({
  name: 'Press:1.0.0',
  data: {
    ...node,
    properties: propertiesOf(paths, () => ({ type: 'double', ...words, unit })),
  },
})

const presetOf = (paths: readonly string[], name: string, sourceOf: (path: string) => string) => ({
  name,
  data: {
    ...node,
    properties: propertiesOf(paths, (path) => ({
      version: '1.0.0',
      type: 'double',
      mode: 'RW',
      historyPolicy: { enabled: true },
      sendPolicy: { triggers: [change] },
      datalink: { source: sourceOf(path) },
    })),
  },
})

type Options = {
  /** Values of a press. */
  paths?: readonly string[]
  /** Unit of the values. */
  unit?: string
  env?: Record<string, string>
}
type PressOptions = Partial<Pick<Parameters<typeof startWireDevice>[0], 'format' | 'alarms'>>

/** Server with a model of presses, its owner, and presses that are paired with it over the device library. */
export async function startPressWorld({
  paths = ['temperature'],
  unit = '°C',
  env = {},
}: Options = {}) {
  const longreach = await startLongreach({ env: { ...setupEnv, ...env } })
  const call = await signInByHttp(longreach.url, setupOwner)
  await call('POST', `mappings/api/v1/models?${mainOrg}`, modelOf(paths, unit))
  const devices: WireDevice[] = []
  const newPreset = async (name: string, sourceOf = (path: string) => path) => {
    const body = presetOf(paths, name, sourceOf)
    return (await call<{ id: string }>('POST', `mappings/api/v1/presets?${mainOrg}`, body)).id
  }
  return {
    longreach,
    call,
    newPreset,
    /** Press that is connected and sends its values. */
    async press(label: string, { format = 'bson', alarms = [] }: PressOptions = {}) {
      const presetId = await newPreset(label)
      const made = `mappings/api/v1/devices?${mainOrg}`
      const { deviceId } = await call<{ deviceId: string }>('POST', made, { label, presetId })
      const device = await startWireDevice({
        pairing: `${longreach.url}/pairing/api/v1/`,
        activationKey: await activationKeyOf(call, deviceId),
        ca: await (await fetch(`${longreach.url}/pairing/ca.crt`)).text(),
        format,
        tags: paths.map((name) => ({ name, type: 'double' })),
        ...(alarms.length > 0 && { alarms }),
      })
      devices.push(device)
      await vi.waitFor(() => expect(device.connections).toBe(2), { timeout: 90_000, interval: 100 })
      return { device, deviceId }
    },
    async stop() {
      for (const device of devices) await device.stop()
      await longreach.stop()
    },
  }
}
export type PressWorld = Awaited<ReturnType<typeof startPressWorld>>

/** Key with which a device of the owner's organization is paired. */
export async function activationKeyOf(call: Calls, deviceId: string) {
  const device = `platform/api/v1/organizations/${setupOwner.organization}/devices/${deviceId}`
  const { activationKey } = await call<{ activationKey: string }>(
    'POST',
    `${device}/activationKey`,
    {},
  )
  return activationKey
}

/** Portal of the owner in a browser. */
export async function openOwnersPortal({ longreach: { url } }: PressWorld) {
  const browser = await openBrowser()
  const demo = { url, people: [{ ...setupOwner, roles: 'owner' as const }] }
  return { browser, page: await enterPortal(browser, { demo, username: setupOwner.username }) }
}
