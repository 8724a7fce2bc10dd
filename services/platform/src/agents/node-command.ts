import { AgentCommand } from '@longreach/device-protocol/agent-wire'
import { defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import type { PlatformDeps } from '../deps.ts'
import { Asker, deviceForAsker } from '../devices/asker.ts'
import type { Device } from '../devices/device.ts'
import type { Directory } from '../devices/device-directory.ts'
import { askHolder } from '../lines/line-calls.ts'
import { requireAllPaths } from './agent-access.ts'
import type { AgentLink } from './agent-link.ts'
import { z } from 'zod'

/** Command to an agent, sent by the process that the gateway is connected to. */
const commandSubject = defineSubject({
  subject: 'node.:node.command',
  request: z.object({
    asker: Asker,
    deviceId: z.string(),
    organization: z.string(),
    order: AgentCommand,
  }),
  reply: z.enum(['sent', 'unheard', 'too_large']),
})

/** Message that a command is answered: calls that wait for it end, in whichever process. */
export const answeredSubject = defineSubject({
  subject: 'agent-answered',
  message: z.object({ id: z.string() }),
})

/** Sends a command by the process that the gateway is connected to; undefined when it is connected to no other. */
export const commandElsewhere = (
  deps: PlatformDeps,
  { id, org }: Device,
  { asker, order }: { asker: Asker; order: AgentCommand },
) =>
  askHolder(deps, commandSubject, {
    deviceId: id,
    request: { asker, deviceId: id, organization: org, order },
  })

/**
 * Takes commands of other processes for gateways that are connected to this one, with the rights that
 * who asks has here and now.
 */
export const answerCommands = (
  agents: AgentLink,
  directory: Directory,
  { admit, fabric, ownProcess }: PlatformDeps,
) =>
  fabric.answer(
    { ...commandSubject, ...subjectAt(commandSubject, { node: ownProcess.number }) },
    async ({ asker, deviceId, organization, order }) => {
      const asked = { asker, deviceId, action: 'update' } as const
      const { admission, device } = await deviceForAsker({ directory, admit }, asked)
      requireAllPaths(admission, device)
      // It moved to another organization meanwhile: the command is not for it.
      if (device.org !== organization) return 'unheard'
      return agents.send(device, order)
    },
  )
