import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { personOf, signInByHttp } from '../e2e/src/calls.ts'
import type { DemoFile } from '../e2e/src/longreach.ts'

export const organization = 'nordwerk'
/** Operator of the plant whose oven has thirty days of values. */
export const plant = { operator: 'eva', organization: 'nordwerk.sonnenkorn' }

export const say = (text: string) => process.stdout.write(`${text}\n`)

/** Installation that is upgraded. */
export type World = { env: Record<string, string>; dataDir: string; url: string }

/** Things that did not hold. */
export const faults: string[] = []
/** Prints whether something holds, and keeps a fault. */
export const expectThat = (holds: boolean, text: string) => {
  say(`${holds ? 'ok    ' : 'FAULT '} ${text}`)
  if (!holds) faults.push(text)
}

export const readDemo = async ({ dataDir }: World) =>
  JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as DemoFile

export const signInOwner = async (world: World) =>
  signInByHttp(world.url, personOf(await readDemo(world), 'anna'))

export const signInOperator = async (world: World) =>
  signInByHttp(world.url, personOf(await readDemo(world), plant.operator))

/** Waits until a condition holds, five minutes at most. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 300_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`${what}: not within five minutes`)
    await new Promise((done) => setTimeout(done, 500))
  }
}
