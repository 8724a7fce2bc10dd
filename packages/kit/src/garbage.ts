import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>

/**
 * Runs the garbage collector and returns free memory to the machine. V8 alone does so only when its
 * heap is full, and a start needs more memory than the running server. Takes about 0.1 s.
 */
export async function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect // by V8's own definition
  setFlagsFromString('--no-expose-gc')
  await collect({ type: 'major', execution: 'async' })
}
