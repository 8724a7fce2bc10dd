import path from 'node:path'
import type { Calls } from '../e2e/src/calls.ts'
import { type Command, startCommand } from './old-version.ts'
import { expectThat, organization, signInOwner, until, type World } from './upgrade-world.ts'

type Gateway = { deviceId: string; activationKey: string; dataDir: string }

/** Gateway whose preset has the uptime that an agent reads of its computer. */
export async function makeGateway(world: World): Promise<Gateway> {
  const call = await signInOwner(world)
  const query = `organization=${organization}`
  const node = {
    type: 'object',
    instanceOf: 'Upgraded:1.0.0',
    UUID: null,
    label: '',
    unit: '',
    description: '',
    tags: [],
  }
  const model = { ...node, properties: { uptime: { type: 'integer' } } }
  await call('POST', `mappings/api/v1/models?${query}`, { name: 'Upgraded:1.0.0', data: model })
  const uptime = {
    version: '1.0.0',
    type: 'integer',
    mode: 'R',
    historyPolicy: { enabled: true },
    sendPolicy: {
      triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }],
    },
    datalink: { source: 'host.uptime' },
  }
  const preset = await call<{ id: string }>('POST', `mappings/api/v1/presets?${query}`, {
    name: 'Upgraded gateway',
    data: { ...node, properties: { uptime } },
  })
  const body = { label: 'Upgraded gateway', presetId: preset.id }
  const { deviceId } = await call<{ deviceId: string }>(
    'POST',
    `mappings/api/v1/devices?${query}`,
    body,
  )
  const key = await call<{ activationKey: string }>(
    'POST',
    `${placeOf(deviceId)}/activationKey`,
    {},
  )
  return { deviceId, ...key, dataDir: path.join(world.dataDir, 'agent') }
}

const placeOf = (deviceId: string) =>
  `platform/api/v1/organizations/${organization}/devices/${deviceId}`

/** Command of an agent of the gateway. */
export const agentCommand = ({ url }: World, { activationKey, dataDir }: Gateway) => [
  'edge',
  '--activation-key',
  activationKey,
  '--endpoint',
  url,
  '--data-dir',
  dataDir,
  '--plain-http',
]

type AgentState = {
  connected: boolean
  health: { version?: string; update?: { state: string } } | null
  available: { version: string } | null
}
const agentOf = (call: Calls, { deviceId }: Gateway) =>
  call<AgentState>('GET', `${placeOf(deviceId)}/agent`)

/** Version of the gateway's agent, once it is connected. */
export async function versionOf(world: World, gateway: Gateway) {
  const call = await signInOwner(world)
  return until('the agent connects', async () => {
    const { connected, health } = await agentOf(call, gateway)
    return connected ? health?.version : undefined
  })
}

/** Values of the agent that are stored. */
const valuesOf = async (call: Calls, { deviceId }: Gateway) => {
  const path = encodeURIComponent('Upgraded:1/uptime')
  const range = `modelPath=${path}&since=2020-01-01T00:00:00.000Z&limit=100000`
  const [one] = await call<{ data: unknown[] }[]>('GET', `${placeOf(deviceId)}/tags?${range}`)
  return one?.data.length ?? 0
}

/** Waits until a value of the agent is stored. */
export async function firstValueOf(world: World, gateway: Gateway) {
  const call = await signInOwner(world)
  await until('a first value', async () => (await valuesOf(call, gateway)) > 0 || undefined)
}

type Coming = { installed: string; running: Command[] }

/** Starts the agent of the earlier version against the present server, and updates it from there. */
export async function agentComesBack(old: string, world: World, gateway: Gateway, coming: Coming) {
  const call = await signInOwner(world)
  const values = () => valuesOf(call, gateway)
  const before = await values()
  coming.running.push(startCommand(old, agentCommand(world, gateway)))
  const version = await versionOf(world, gateway)
  expectThat(version === coming.installed, `the agent is back with version ${version}`)
  await until('values of the agent', async () => ((await values()) > before ? true : undefined))
  expectThat(before > 0, `it sends values: ${before} before, ${await values()} now`)
  const { available } = await agentOf(call, gateway)
  expectThat(available !== null && available.version !== version, 'a newer agent is offered')
  const input = { version: available?.version ?? '' }
  await call('POST', `${placeOf(gateway.deviceId)}/agent/commands`, {
    command: 'agent.update',
    input,
  })
  const state = await until('the update', async () => {
    const { health } = await agentOf(call, gateway)
    return health?.version === input.version && health.update?.state === 'done'
      ? health.version
      : undefined
  })
  expectThat(state === input.version, `the agent was updated to ${state}`)
}
