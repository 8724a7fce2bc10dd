import { CommandFault } from './command-fault.ts'
import { openEthernetIp } from './ethernetip-connection.ts'
import { messageOf } from './retry.ts'
import type { SourceConnection } from './source-settings.ts'

const mostTags = 5_000
const types: Record<string, 'integer' | 'double' | 'boolean' | 'string'> = {
  BOOL: 'boolean',
  SINT: 'integer',
  INT: 'integer',
  DINT: 'integer',
  USINT: 'integer',
  UINT: 'integer',
  UDINT: 'double',
  LINT: 'double',
  REAL: 'double',
  LREAL: 'double',
  STRING: 'string',
}

/** Tags of a Logix controller by name and type; one that no agent tag can hold has no `type`. */
export async function listEthernetIp(source: SourceConnection) {
  if (source.type !== 'ethernetip') {
    throw new CommandFault('invalid', 'only an EtherNet/IP source lists its tags', 'source.type')
  }
  let plc
  try {
    plc = await openEthernetIp(source)
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'source.host')
  }
  try {
    const tags = await plc.list()
    return {
      tags: tags.slice(0, mostTags).map(({ tag, program, type, structure, dimensions }) => {
        const known = !structure && dimensions === 0 ? types[type] : undefined
        return { tag, program, dataType: type, dimensions, ...(known && { type: known }) }
      }),
      more: tags.length > mostTags,
    }
  } finally {
    await plc.close()
  }
}
