import { randomUUID } from 'node:crypto'
import {
  AgentAnswer,
  type AgentCommand,
  AgentHealth,
  longestAnswer,
  longestCommand,
} from '@longreach/device-protocol/agent-wire'
import { encodeBson } from '@longreach/device-protocol/payload'
import { topicsOf } from '@longreach/device-protocol/topics'
import { refusal } from '@longreach/device-protocol/refusals'
import { storable } from '@longreach/kit/masked'
import type { Kysely } from 'kysely'
import { baseOf, type Device } from '../devices/device.ts'
import { parseDeviceJson } from '../devices/device-json.ts'
import type { Ingest } from '../values/ingest.ts'
import type { Message } from '../mqtt/mqtt-session.ts'
import { type AgentDb, claimCommand, saveAnswer, saveHealth } from './agent-store.ts'
import { type ReleaseDb, nextTrust } from '../releases/release-key.ts'

type Options = {
  db: Kysely<AgentDb & ReleaseDb>
  ingest: Ingest
  now: () => Date
  send: (base: string, message: Message) => number
  /** Tells all processes that a command is answered. */
  tellAnswered: (id: string) => void
}

/** Messages between the platform and the agents beside values: commands, answers, health. */
export function createAgentLink({ db, ingest, now, send, tellAnswered }: Options) {
  const waiting = new Map<string, Set<() => void>>()

  const link = {
    /** Send a command; false when no client listens for it. Its content, which may hold passwords, is shown nowhere. */
    send(device: Device, command: AgentCommand): 'sent' | 'unheard' | 'too_large' {
      const topic = topicsOf(device.realm, device.id).agentCommand
      const payload = encodeBson({ v: JSON.stringify(command) })
      if (payload.length > longestCommand) return 'too_large'
      if (send(baseOf(device), { topic, payload, qos: 1 }) === 0) return 'unheard'
      const value = `${command.command} ${command.id}`
      ingest.frame(device, { direction: 'sent', topic, payload: hidden, ok: true, value })
      return 'sent'
    },

    /** Resolves when the command is answered, at the timeout, or when the caller has left. */
    async answered(id: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const listeners = waiting.get(id) ?? new Set()
      waiting.set(id, listeners.add(resolve))
      const timer = setTimeout(resolve, timeoutMs)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(timer)
      listeners.delete(resolve)
      if (listeners.size === 0) waiting.delete(id)
    },

    /** Ends the waits of this process for the answer of a command. */
    wake(id: string) {
      for (const end of waiting.get(id) ?? []) end()
    },

    async answer(device: Device, message: Message, text: string) {
      const { topic, payload } = message
      const answer = AgentAnswer.safeParse(
        payload.length > longestAnswer ? undefined : toStorableJson(text),
      )
      if (!answer.success) return ingest.refuse(device, topic, payload, refusal('noAnswer'))
      if (!(await saveAnswer(db, device.id, answer.data, now()))) {
        return ingest.refuse(device, topic, payload, refusal('notAsked'))
      }
      const value = answer.data.id
      ingest.frame(device, { direction: 'received', topic, payload: hidden, ok: true, value })
      tellAnswered(answer.data.id)
      return undefined
    },

    async health(device: Device, message: Message, text: string) {
      const { topic, payload } = message
      const health = AgentHealth.safeParse(toStorableJson(text))
      if (!health.success) return ingest.refuse(device, topic, payload, refusal('noHealth'))
      const value = health.data.version
      ingest.frame(device, { direction: 'received', topic, payload, ok: true, value })
      await saveHealth(db, { deviceId: device.id, health: health.data, now: now() })
      // From before there were keys it says nothing of one.
      if (health.data.releaseKey === undefined) return
      // It paired before there was a key, or that was replaced. Its line is its own: what comes over it is the platform's.
      const input = await nextTrust(db, health.data.releaseKey)
      if (!input) return
      const order = { id: randomUUID(), command: 'agent.trust' as const, input }
      const { id, command } = order
      const facts = { id, command, device_id: device.id, org: device.org, asked_by: 'platform' }
      await claimCommand(db, { ...facts, now: now() })
      link.send(device, order)
    },
  }
  return link
}
export type AgentLink = ReturnType<typeof createAgentLink>

const hidden = new Uint8Array()

/** JSON that the database can store: an agent passes on texts of machines. */
const toStorableJson = (text: string) =>
  JSON.parse(JSON.stringify(parseDeviceJson(text) ?? null), (_, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  ) as unknown
