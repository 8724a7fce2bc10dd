import type { AgentCommand } from '@longreach/device-protocol/agent-wire'
import { CommandFault } from './command-fault.ts'
import { messageOf } from './retry.ts'
import type { S7Type } from './s7-address.ts'
import { openS7 } from './s7-connection.ts'
import type { SourceConnection } from './source-settings.ts'

type Input = Extract<AgentCommand, { command: 's7.read' }>['input']
type Guess = { type: S7Type; value: number }

/** Bytes of a controller's memory, and the value of each even address in the usual types. */
export async function readS7(source: SourceConnection, { area, db, from, count }: Input) {
  if (source.type !== 's7') {
    throw new CommandFault('invalid', 'only an S7 source has such memory', 'source.type')
  }
  let plc
  try {
    plc = await openS7(source)
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'source.host')
  }
  try {
    const address = area === 'DB' ? `DB${db},BYTE${from}.${count}` : `${area}B${from}.${count}`
    const raw = (await plc.read([address])).get(address)
    const bytes = Buffer.from(Array.isArray(raw) ? raw.map(Number) : [Number(raw ?? 0)])
    if (raw === undefined) {
      throw new CommandFault(
        'failed',
        `the controller does not show ${area === 'DB' ? `DB${db}` : area} from ${from} to ${from + count - 1}; ask for less, allow PUT/GET, and switch optimized access of the block off`,
        'count',
      )
    }
    return { from, bytes: bytes.toString('hex'), places: guessesIn(bytes, from) }
  } finally {
    await plc.close()
  }
}

function guessesIn(bytes: Buffer, from: number) {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => {
    const at = index * 2
    const guesses: Guess[] = [
      { type: 'int', value: bytes.readInt16BE(at) },
      { type: 'word', value: bytes.readUInt16BE(at) },
    ]
    if (at + 4 <= bytes.length) {
      guesses.push({ type: 'dint', value: bytes.readInt32BE(at) })
      const real = bytes.readFloatBE(at)
      const likely = Math.abs(real) >= 1e-3 && Math.abs(real) < 1e6
      if (likely) guesses.unshift({ type: 'real', value: Number(real.toPrecision(7)) })
    }
    return { offset: from + at, guesses }
  })
}
