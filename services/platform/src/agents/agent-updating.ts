import {
  type AgentCommand,
  AgentHealth,
  type AgentRequest,
} from '@longreach/device-protocol/agent-wire'
import { isLower } from '@longreach/device-protocol/release-signature'
import { failure } from '@longreach/kit/errors'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import type { PlatformDeps } from '../deps.ts'
import { agentRelease } from '../releases/agent-release.ts'
import { healthOf } from './agent-store.ts'
import { noteRelease, releasedSince, signManifest } from '../releases/release-key.ts'

/** Version that this platform has for an agent, and whether it is older than the agent's. */
export async function availableFor(deps: PlatformDeps, health: unknown) {
  const release = await agentRelease()
  if (!release) return null
  const { version } = release
  const running = AgentHealth.safeParse(health)
  if (!running.success || running.data.version === version) return { version, older: false }
  const db = deps.db
  const own = await noteRelease(db, version, deps.now())
  const theirs = await releasedSince(db, running.data.version)
  const later = theirs !== undefined && theirs > own
  return { version, older: later || isLower(version, running.data.version) }
}

type Asked = { id: string; request: AgentRequest }

/** Command as the agent gets it; an update has the signed facts of its release. */
export async function toAgentCommand(
  deps: PlatformDeps,
  device: Device,
  { id, request }: Asked,
): Promise<AgentCommand> {
  if (request.command !== 'agent.update') return { id, ...request }
  const release = await agentRelease()
  const { version: wanted, downgrade = false } = request.input
  if (release?.version !== wanted) {
    throw failure(platformContract, 'agent_version_gone', {
      message: `this platform has version ${release?.version ?? 'none'} of the agent; look again`,
      field: 'input.version',
    })
  }
  const { version, sha256, bytes } = release
  const db = deps.db
  const plain = { version, sha256, bytes }
  const health = AgentHealth.safeParse((await healthOf(db, device.id))?.health)
  // An agent from before releases were signed does not understand the rest.
  if (health.success && health.data.releaseKey === undefined) {
    return { id, command: 'agent.update', input: plain }
  }
  const releasedAt = await noteRelease(db, version, deps.now())
  const manifest = { ...plain, releasedAt, downgrade }
  const signature = await signManifest({ db, secrets: deps.secrets }, manifest)
  return { id, command: 'agent.update', input: { ...manifest, signature } }
}
