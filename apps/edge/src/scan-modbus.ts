import type { AgentCommand } from '@longreach/device-protocol/agent-wire'
import type { Area } from './modbus-blocks.ts'
import { isRefusal, modbusDevice, readPlace } from './modbus-device.ts'
import { decodeRegisters, type RegisterFormat, registersOf } from './modbus-values.ts'
import { messageOf, pause } from './retry.ts'
import { reach } from './test-steps.ts'
import { CommandFault } from './command-fault.ts'

type Input = Extract<AgentCommand, { command: 'modbus.scan' }>['input']
type Device = ReturnType<typeof modbusDevice>
type Guess = {
  type: RegisterFormat['type']
  wordOrder: RegisterFormat['wordOrder']
  value: unknown
}
type Found = { address: number; raw: number | boolean; guesses: Guess[] }
type FoundArea = { area: Area; found: Found[]; refusal?: string }

/** Small requests with pauses, so that the machine is not loaded. */
const [registersAtOnce, bitsAtOnce, restMs] = [32, 128, 20]
const longestMs = 50_000

/** Units of a Modbus TCP device that answer, their registers, and possible values in them. */
export async function scanModbus({ host, port, units, areas, from, count, timeoutMs }: Input) {
  try {
    await reach(host, port)
  } catch (error) {
    throw new CommandFault('unreachable', messageOf(error), 'host')
  }
  const ending = AbortSignal.timeout(longestMs)
  const device = modbusDevice({ host, port, timeoutMs })
  const scanned = []
  try {
    await device.open()
    for (const unit of units) {
      const found = await scanUnit(device, unit, { areas, from, count, ending })
      scanned.push(found)
      if (found.answers) continue
      // A late answer must not be taken for the next unit's.
      device.close()
      await device.open()
    }
  } finally {
    device.close()
  }
  return { units: scanned, complete: !ending.aborted }
}

type Wanted = Pick<Input, 'areas' | 'from' | 'count'> & { ending: AbortSignal }

async function scanUnit(device: Device, unit: number, { areas, from, count, ending }: Wanted) {
  const answered: FoundArea[] = []
  for (const area of areas) {
    if (ending.aborted) break
    const place = { unit, area, from, count: Math.min(count, 65_536 - from) }
    const result = await scanArea(device, place, ending)
    // A unit that did not answer is not asked for its other areas.
    if (result === 'silent') return { unit, answers: false, areas: answered }
    answered.push(result)
  }
  return { unit, answers: answered.length > 0, areas: answered }
}

type Range = { unit: number; area: Area; from: number; count: number }

async function scanArea(device: Device, range: Range, ending: AbortSignal) {
  const raw = new Map<number, number | boolean>()
  let refusal: string | undefined
  const bits = range.area === 'coil' || range.area === 'discrete'
  const atOnce = bits ? bitsAtOnce : registersAtOnce
  for (let at = 0; at < range.count && !ending.aborted; at += atOnce) {
    const size = Math.min(atOnce, range.count - at)
    const answer = await readBlock(device, { ...range, address: range.from + at, size }, raw)
    if (answer === 'silent') return 'silent' as const
    refusal ??= answer
    await pause(restMs, ending)
  }
  const found = [...raw].map(([address, value]): Found => ({
    address,
    raw: value,
    guesses: typeof value === 'boolean' ? [] : guessesAt(address, raw),
  }))
  return { area: range.area, found, ...(refusal !== undefined && { refusal }) }
}

type Block = { unit: number; area: Area; address: number; size: number }

/** Reads a block; when the device refuses it, its halves, down to single registers. */
async function readBlock(
  device: Device,
  block: Block,
  into: Map<number, number | boolean>,
): Promise<'silent' | string | undefined> {
  const { unit, address, size } = block
  try {
    const data = await device.inTurn(unit, (open) => readPlace(open, { ...block, pollMs: 0 }))
    for (const [index, one] of data.slice(0, size).entries()) into.set(address + index, one)
    return undefined
  } catch (error) {
    if (!isRefusal(error)) return 'silent'
    // Retry smaller blocks only on "illegal data address".
    const closer = (error as { modbusCode?: number }).modbusCode === 2 && size > 1
    if (!closer) return messageOf(error)
    const half = size >> 1
    const first = await readBlock(device, { ...block, size: half }, into)
    if (first === 'silent') return first
    const rest = { ...block, address: address + half, size: size - half }
    const second = await readBlock(device, rest, into)
    return second === 'silent' ? second : (first ?? second)
  }
}

const candidates = [
  { type: 'int16', wordOrder: 'ABCD' },
  { type: 'uint16', wordOrder: 'ABCD' },
  { type: 'int32', wordOrder: 'ABCD' },
  { type: 'int32', wordOrder: 'CDAB' },
  { type: 'float32', wordOrder: 'ABCD' },
  { type: 'float32', wordOrder: 'CDAB' },
] as const
const plain = { scale: 1, offset: 0, bit: 0, length: 1 }

/** Values of the registers from here in each type; the likeliest first. */
export function guessesAt(address: number, raw: ReadonlyMap<number, number | boolean>): Guess[] {
  const guesses = candidates.flatMap(({ type, wordOrder }): (Guess & { score: number })[] => {
    const size = registersOf({ type, length: 1 })
    const registers = Array.from({ length: size }, (_, index) => raw.get(address + index))
    if (registers.some((one) => typeof one !== 'number')) return []
    const value = decodeRegisters(registers.map(Number), { ...plain, type, wordOrder })
    if (typeof value !== 'number') return []
    return [{ type, wordOrder, value, score: likelihood(type, value) }]
  })
  return guesses
    .toSorted((a, b) => b.score - a.score)
    .map(({ type, wordOrder, value }) => ({ type, wordOrder, value }))
}

/**
 * Plausibility of a number: machines have moderate ones, so that a float between 0.001 and
 * 1,000,000 is seldom chance.
 */
function likelihood(type: Guess['type'], value: number) {
  const size = Math.abs(value)
  if (type === 'float32') return size >= 1e-3 && size < 1e6 ? 5 : 0
  if (type === 'int32') return size > 32_767 && size < 100_000_000 ? 2 : 0.5
  if (type === 'int16') return value < 0 && size < 20_000 ? 3.5 : 1
  return value < 60_000 ? 3 : 1
}
