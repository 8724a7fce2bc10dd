import path from 'node:path'
import { readProgram } from '@longreach/device-protocol/agent-program'
import type { Logger } from 'pino'
import type { AgentSide } from './agent-channel.ts'
import { createAgentHealth } from './agent-health.ts'
import { browseOpcua, opcuaEndpoints, searchOpcua } from './browse-opcua.ts'
import { CommandFault } from './command-fault.ts'
import { createCommands } from './commands.ts'
import { listEthernetIp } from './list-ethernetip.ts'
import { listenMqtt } from './listen-mqtt.ts'
import type { Outbox } from './outbox.ts'
import { readS7 } from './read-s7.ts'
import { learnReleaseKey } from './release-trust.ts'
import { messageOf } from './retry.ts'
import type { RunningSources } from './running-sources.ts'
import type { TagSampler } from './sample-tags.ts'
import { scanModbus } from './scan-modbus.ts'
import type { AgentSettings } from './settings.ts'
import { createSourceCommands } from './source-commands.ts'
import type { SourceList } from './source-file.ts'
import type { Supervision } from './supervision.ts'
import { testSource } from './test-source.ts'
import { createUpdater } from './updater.ts'

type Options = {
  settings: AgentSettings
  /** Data folder of this device. */
  dir: string
  list: SourceList
  sources: RunningSources
  outbox: Outbox
  sampler: TagSampler
  supervision: Supervision | undefined
  log: Logger
}

/** Handlers of the platform's commands, and the agent's reports. */
export function createAgentSide(options: Options): AgentSide {
  const { settings, dir, list, sources, outbox, sampler, supervision, log } = options
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const version = ownVersion(log)
  const updater = createUpdater({ settings, version, supervision, log })
  supervision?.onTold(tell)
  sources.onReplaced(tell)
  const measure = version.then((own) =>
    createAgentHealth({ settings, version: own, outbox, sources, update: updater.state }),
  )
  const health = async () => (await measure)()
  const { configure } = settings.remote
  const changes = createSourceCommands({ dir, list, running: sources, configure, log })
  const context = { log, dataDir: settings.dataDir }
  type Named = { source: Record<string, unknown>; replaces?: string | undefined }
  const connection = ({ source, replaces }: Named) => changes.connection(source, replaces)

  const command = createCommands(
    {
      'agent.health': health,
      'agent.update': (order) => updater.update(order),
      'agent.trust': ({ releaseKey, endorsement }) => {
        if (learnReleaseKey(settings.dataDir, releaseKey, endorsement)) return tell()
        throw new CommandFault('conflict', 'this agent knows another release key, and keeps it')
      },
      'sources.read': () => changes.read(),
      'sources.save': (input) => changes.save(input.version, input.source, input.replaces),
      'sources.remove': (input) => changes.remove(input.version, input.name),
      'sources.restore': (input) => changes.restore(input.version),
      'source.test': (input) => testSource(connection(input), context),
      'tags.sample': (input) => sampler.sample(input),
      'opcua.endpoints': (input) => opcuaEndpoints(input.url, context),
      'opcua.browse': (input) => browseOpcua(connection(input), input.node, context),
      'opcua.search': (input) => searchOpcua(connection(input), input.text, context),
      'modbus.scan': scanModbus,
      'mqtt.listen': (input) => listenMqtt(connection(input), input),
      'ethernetip.tags': (input) => listEthernetIp(connection(input)),
      's7.read': (input) => readS7(connection(input), input),
    },
    log,
  )
  return {
    command,
    health,
    onTelling(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    connected: () => supervision?.tell({ kind: 'connected' }),
  }
}

/** Version of the program that this file belongs to. */
async function ownVersion(log: Logger) {
  try {
    return (await readProgram(path.resolve(import.meta.dirname, '../../..'))).version
  } catch (error) {
    log.warn(`the agent does not know its own version: ${messageOf(error)}`)
    return 'unknown'
  }
}
