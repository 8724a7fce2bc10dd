import { AgentFault, AgentHealth, AgentRequest } from '@longreach/device-protocol/agent-wire'
import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

export const agentErrors = {
  /** The device is no gateway with an agent of this product. */
  no_agent: 409,
  agent_busy: 409,
  command_id_taken: 409,
  command_too_large: 422,
  agent_version_gone: 409,
} as const

export const AgentCommandState = z.object({
  id: z.uuid(),
  command: z.string(),
  askedBy: z.string(),
  askedAt: z.number(),
  answeredAt: z.number().nullable(),
  /** `WAITING`: sent and not answered yet; `NO_ANSWER`: nothing will come any more. */
  state: z.enum(['WAITING', 'DONE', 'FAILED', 'NO_ANSWER']),
  result: z.unknown(),
  error: AgentFault.nullable(),
})
export type AgentCommandState = z.output<typeof AgentCommandState>

/** Calls about the agent on a gateway: its state, and commands to it. */
export const agentEndpoints = {
  agent: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/agent',
    access: 'devices:read',
    params: ofDevice,
    result: z.object({
      /** The device is a gateway with an agent of this product. */
      announced: z.boolean(),
      connected: z.boolean(),
      health: AgentHealth.nullable(),
      reportedAt: z.number().nullable(),
      clockDifferenceMs: z.number().nullable(),
      /** The version that this platform has for its agents; `older` than the one that runs. */
      available: z.object({ version: z.string(), older: z.boolean() }).nullable(),
    }),
  },
  commandAgent: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/agent/commands',
    access: 'devices:update',
    // Only commands that change the gateway are in the audit trail.
    audit: 'own',
    params: ofDevice,
    body: z.intersection(
      AgentRequest,
      z.object({
        /** The same id twice is one command, and both get its answer. */
        id: z.uuid().optional(),
        /** Longest wait of the call for the answer; the command continues after it. */
        timeoutMs: z.int().min(0).max(60_000).default(20_000),
      }),
    ),
    result: AgentCommandState,
  },
  agentCommand: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/agent/commands/:id',
    access: 'devices:update',
    params: ofDevice.extend({ id: z.uuid() }),
    result: AgentCommandState,
  },
  /** A new key that signs updates; agents take it over because the present one signs it. */
  rotateReleaseKey: {
    method: 'POST',
    path: '/internal/releaseKey/rotate',
    access: 'service',
    body: z.object({}),
    result: z.object({ publicKey: z.string() }),
  },
} as const satisfies Record<string, Endpoint>
