import path from 'node:path'
import { digestOf, packProgram, readProgram } from '@longreach/device-protocol/agent-program'
import type { UpdateOrder } from '@longreach/device-protocol/agent-wire'
import type { FastifyInstance } from 'fastify'

type AgentRelease = UpdateOrder & { content: Buffer }

/** The folder that holds `apps/edge`: the installation itself, unless set otherwise. */
const installation = () =>
  process.env['AGENT_DIR'] ?? path.resolve(import.meta.dirname, '../../../..')

const releases = new Map<string, Promise<AgentRelease | undefined>>()

/** The agent's program of this installation, packed once; undefined where it was not installed along. */
export function agentRelease(dir = installation()): Promise<AgentRelease | undefined> {
  const known = releases.get(dir)
  if (known) return known
  const fresh = pack(dir)
  releases.set(dir, fresh)
  return fresh
}

async function pack(dir: string): Promise<AgentRelease | undefined> {
  try {
    const program = await readProgram(dir)
    const content = await packProgram(program)
    const { version } = program
    return { version, sha256: digestOf(content), bytes: content.length, content }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined // a server without the agent's files has no version to offer
    throw error
  }
}

/**
 * Route from which agents fetch their program. It is public; an agent installs it only with the
 * digest that the release key signed.
 */
export function mountRelease(app: FastifyInstance) {
  app.get<{ Params: { digest: string } }>('/pairing/agent/:digest', async (request, reply) => {
    const release = await agentRelease()
    if (release?.sha256 !== request.params.digest) return reply.code(404).send()
    return reply
      .header('content-type', 'application/gzip')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(release.content)
  })
}
