import { randomUUID } from 'node:crypto'
import { announcesAgent } from '@longreach/device-protocol/agent-names'
import type { AgentCommand, AgentRequest } from '@longreach/device-protocol/agent-wire'
import { AgentHealth } from '@longreach/device-protocol/agent-wire'
import { parseIntrospection } from '@longreach/device-protocol/topics'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import { baseOf, type Device } from '../devices/device.ts'
import { askerOf } from '../devices/asker.ts'
import { deviceFor } from '../devices/device-access.ts'
import { findState } from '../devices/device-state-store.ts'
import { seesAllPaths } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import { requireAllPaths } from './agent-access.ts'
import type { AgentCommandState } from './agent-contract.ts'
import type { AgentLink } from './agent-link.ts'
import { availableFor, toAgentCommand } from './agent-updating.ts'
import {
  type AgentCommandRow,
  claimCommand,
  commandOf,
  countWaiting,
  forgetCommand,
  healthOf,
} from './agent-store.ts'
import { processOf } from '../lines/line-store.ts'
import { commandElsewhere } from './node-command.ts'
import { rotateReleaseKey } from '../releases/release-key.ts'

type AgentHandlers = Pick<
  Handlers<typeof platformContract>,
  'agent' | 'commandAgent' | 'agentCommand' | 'rotateReleaseKey'
>

/** Most unanswered commands of one agent. */
const mostWaiting = 8
/** An answer that has not come by then does not come any more. */
const patienceMs = 5 * 60_000

type Known = DevicesState & { mqtt: DeviceLines; agents: AgentLink }

/** Looking at a gateway's agent, and giving it commands. */
export function agentHandlers(
  { directory, mqtt, agents }: Known,
  deps: PlatformDeps,
): AgentHandlers {
  const { db } = deps
  const { isConnected, send } = agentReach({ mqtt, agents }, deps)
  const announced = async (device: Device) =>
    announcesAgent(
      parseIntrospection((await findState(deps.db, device.id))?.introspection ?? '') ?? [],
    )

  const stateFor = async (ctx: OrgCtx, device: Device, id: string) => {
    const row = await commandOf(db, device.org, device.id, id)
    if (row) return commandState(row, ctx.now)
    throw failure(platformContract, 'not_found', { message: `no command ${id} here` })
  }

  return {
    agent: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const state = await healthOf(db, device.id)
      // It names tags and addresses of the machines behind the gateway.
      const health =
        state && seesAllPaths(ctx, device) ? AgentHealth.safeParse(state.health) : undefined
      return {
        announced: await announced(device),
        connected: await isConnected(device),
        health: health?.success ? health.data : null,
        reportedAt: state?.reported_at.getTime() ?? null,
        clockDifferenceMs: state?.clock_difference_ms ?? null,
        available: await availableFor(deps, state?.health),
      }
    },

    commandAgent: async ({ params: { deviceId }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      requireAllPaths(ctx, device)
      if (!(await announced(device))) throw withoutAgent(device)
      if (!(await isConnected(device))) throw deviceOffline(device)
      const { id = randomUUID(), timeoutMs, ...request } = body
      const since = new Date(ctx.now.getTime() - patienceMs)
      if ((await countWaiting(db, device.id, since)) >= mostWaiting) throw agentBusy(device)
      const order = await toAgentCommand(deps, device, { id, request })
      const facts = { id, device_id: device.id, org: device.org, command: request.command }
      const fresh = await claimCommand(db, {
        ...facts,
        asked_by: ctx.caller.username,
        now: ctx.now,
      })
      if (fresh) {
        const sent = await send(ctx, device, order).catch(async (error: unknown) => {
          await forgetCommand(db, id)
          throw error
        })
        if (sent !== 'sent') {
          await forgetCommand(db, id)
          throw sent === 'too_large' ? commandTooLarge() : deviceOffline(device)
        }
        await recordCommand(deps, ctx, device, request)
      } else {
        const earlier = await commandOf(db, device.org, device.id, id)
        if (earlier?.command !== request.command) throw commandIdTaken(id)
      }
      const state = await stateFor(ctx, device, id)
      if (state.state !== 'WAITING') return state
      await agents.answered(id, timeoutMs, ctx.signal)
      return stateFor(ctx, device, id)
    },

    agentCommand: async ({ params: { deviceId, id } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      requireAllPaths(ctx, device)
      return stateFor(ctx, device, id)
    },

    rotateReleaseKey: async () => ({ publicKey: await rotateReleaseKey(deps) }),
  }
}

/** Gateways wherever they are connected: to this process, or to another one that is asked to send. */
function agentReach({ mqtt, agents }: Pick<Known, 'mqtt' | 'agents'>, deps: PlatformDeps) {
  const isHere = (device: Device) => mqtt.endpoint?.isConnected(baseOf(device)) ?? false
  return {
    isConnected: async (device: Device) =>
      isHere(device) || (await processOf(deps.db, device.id)) !== undefined,
    send: async (ctx: OrgCtx, device: Device, order: AgentCommand) =>
      isHere(device)
        ? agents.send(device, order)
        : commandElsewhere(deps, device, { asker: askerOf(ctx), order }),
  }
}

const changing = new Set(['sources.save', 'sources.remove', 'sources.restore', 'agent.update'])

/** Audit entry of a command that changes the gateway, with its content but without passwords. */
async function recordCommand(
  deps: PlatformDeps,
  ctx: OrgCtx,
  { id, label, org }: Device,
  { command, input }: AgentRequest,
) {
  if (!changing.has(command)) {
    // Reading from a gateway changes nothing: no line in the trail, although the call is a POST.
    return
  }
  await deps.db.transaction().execute((tx) =>
    recordChange(tx, ctx, {
      resource: 'devices',
      action: command,
      id,
      label,
      organization: org,
      after: input,
    }),
  )
}

const commandState = (row: AgentCommandRow, now: Date): AgentCommandState => ({
  id: row.id,
  command: row.command,
  askedBy: row.asked_by,
  askedAt: row.asked_at.getTime(),
  answeredAt: row.answered_at?.getTime() ?? null,
  state: wordOf(row, now),
  result: row.result,
  error: row.error as AgentCommandState['error'], // checked when the answer came
})

function wordOf({ answered_at, error, asked_at }: AgentCommandRow, now: Date) {
  if (answered_at) return error ? 'FAILED' : 'DONE'
  return now.getTime() - asked_at.getTime() > patienceMs ? 'NO_ANSWER' : 'WAITING'
}

const withoutAgent = ({ id, label }: Device) =>
  failure(platformContract, 'no_agent', {
    message: `${label || id} does not run the Longreach agent; install it there to work with its sources from here`,
    deviceId: id,
  })
const deviceOffline = ({ id, label }: Device) =>
  failure(platformContract, 'device_offline', {
    message: `${label || id} is not connected; nothing is kept for it, so try again when it is online`,
    deviceId: id,
  })
const agentBusy = ({ id, label }: Device) =>
  failure(platformContract, 'agent_busy', {
    message: `${label || id} works on ${mostWaiting} commands already; wait for their answers`,
    deviceId: id,
  })
const commandIdTaken = (id: string) =>
  failure(platformContract, 'command_id_taken', {
    message: `another command has the id ${id}; take a fresh one`,
    field: 'id',
  })
const commandTooLarge = () =>
  failure(platformContract, 'command_too_large', {
    message: 'the command is over 512 kB; make several sources out of this one',
    field: 'input',
  })
